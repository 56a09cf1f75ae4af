import MediaModel

/// Where a file has samples of one bit each.
struct DSDLayout {
  /// How the bytes of the channels lie.
  enum Order: Hashable {
    /// A byte of each channel in turn, the earliest sample highest.
    case interleaved
    /// A block of each channel in turn; the earliest sample of a byte lowest or highest.
    case blocks(byteCount: Int, isLowestFirst: Bool)
  }

  let container: Container
  /// Samples of one bit a second.
  let bitRateInHz: Int
  let channelCount: Int
  /// nil for the usual loudspeakers.
  let channelMask: UInt32?
  let order: Order
  let data: Range<Int64>
  /// Of a channel, by the header.
  let declaredByteCount: Int64
  /// Of a channel, as far as all channels are there.
  let byteCount: Int64

  /// Samples of one bit for each frame that is decoded: 88.2 or 96 kHz.
  let decimation: Int

  var sampleRateInHz: Int { bitRateInHz / decimation }
  var byteCountPerFrame: Int { decimation / 8 }
  var frameCount: Int64 { byteCount / Int64(byteCountPerFrame) }
  var declaredFrameCount: Int64 { declaredByteCount / Int64(byteCountPerFrame) }

  /// Without which the bytes mean something else.
  var identity: String { "\(bitRateInHz) \(channelCount)\(channelMask.map { " \($0)" } ?? "")\n" }

  var ownProblem: Problem? {
    frameCount >= declaredFrameCount
      ? nil
      : .truncated(frameCount: frameCount, declaredFrameCount: declaredFrameCount, sampleRateInHz: sampleRateInHz)
  }

  init(
    container: Container, rate: UInt32, channelCount: Int, channelMask: UInt32?, order: Order, data: Range<Int64>,
    declaredByteCount: Int64, byteCount: Int64
  ) throws(DecodingError) {
    guard let base = [88_200, 96_000].first(where: { Int(rate) % $0 == 0 }),
      [32, 64, 128, 256].contains(Int(rate) / base)
    else { throw .unsupported(reason: "no decoder for DSD of \(rate) Hz") }
    decimation = Int(rate) / base
    // Checks the number of channels.
    _ = try AudioFormat.checked(sampleRateInHz: base, channelCount: channelCount, sampleEncoding: .floatingPoint)
    self.container = container
    bitRateInHz = Int(rate)
    self.channelCount = channelCount
    self.channelMask = channelMask
    self.order = order
    self.data = data
    self.declaredByteCount = declaredByteCount
    self.byteCount = min(declaredByteCount, byteCount)
  }
}

extension DSDLayout: StreamLayout {
  var declaration: StreamDeclaration { StreamDeclaration(isSound: ownProblem == nil, frameCount: declaredFrameCount) }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    guard let samples = ContentHasher() else { throw .unsupported(reason: "not enough memory for a hash") }
    hashers.current.begin(.dsd)
    hashers.current.note(identity)
    try DSDReader(bytes: bytes, layout: self).forEachPiece { piece in piece.withUnsafeBytes { samples.update($0) } }
    hashers.current.note(samples)
    return byteCount * Int64(channelCount)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try DSDDecoder(bytes, layout: self, options: options)
  }
}

extension StreamHashers.Rules {
  static let dsd = Self("dsd")
}

/// Reads the bytes of all channels in turn, the earliest sample highest, whatever their order in the file.
struct DSDReader {
  private static let reversed: [UInt8] = (0...255).map { value in
    var (rest, result) = (UInt8(value), UInt8(0))
    for _ in 0..<8 {
      result = result << 1 | rest & 1
      rest >>= 1
    }
    return result
  }

  let bytes: BufferedBytes
  let layout: DSDLayout

  /// Up to `count` bytes of each channel from byte `first` of each on, interleaved; fewer at the end.
  func interleaved(from first: Int64, count: Int) throws(DecodingError) -> [UInt8] {
    let count = Int(max(0, min(Int64(count), layout.byteCount - first)))
    let channelCount = layout.channelCount
    switch layout.order {
    case .interleaved:
      let read = try bytes.file.bytes(
        at: layout.data.lowerBound + first * Int64(channelCount), count: count * channelCount)
      return Array(read.prefix(read.count / channelCount * channelCount))
    case .blocks(let size, let isLowestFirst):
      var result = [UInt8](repeating: 0, count: count * channelCount)
      var done = 0
      while done < count {
        let (block, offset) = (first + Int64(done)).quotientAndRemainder(dividingBy: Int64(size))
        let length = min(count - done, size - Int(offset))
        for channel in 0..<channelCount {
          let start = layout.data.lowerBound + (block * Int64(channelCount) + Int64(channel)) * Int64(size) + offset
          let piece = try bytes.file.bytes(at: start, count: length)
          // The file was cut since.
          guard piece.count == length else { return Array(result[..<(done * channelCount)]) }
          for index in 0..<length {
            result[(done + index) * channelCount + channel] =
              isLowestFirst ? Self.reversed[Int(piece[index])] : piece[index]
          }
        }
        done += length
      }
      return result
    }
  }

  /// Passes all bytes to `body` in order.
  func forEachPiece(_ body: ([UInt8]) -> Void) throws(DecodingError) {
    var first: Int64 = 0
    while first < layout.byteCount {
      let piece = try interleaved(from: first, count: 1 << 16)
      guard !piece.isEmpty else { return }
      body(piece)
      bytes.onRead?()
      first += Int64(piece.count / layout.channelCount)
    }
  }
}
