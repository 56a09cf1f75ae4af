import MediaModel

/// Where a DSF or DSDIFF file has its sound: one bit a sample.
///
/// Sources: Sony, DSF File Format Specification 1.01; Philips, DSDIFF File Format 1.5.
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

  var declaration: StreamDeclaration { StreamDeclaration(isSound: ownProblem == nil, frameCount: declaredFrameCount) }

  fileprivate struct Header {
    var rate: UInt32?
    var channelCount: Int?
    var channelMask: UInt32?
    var data: Range<Int64>?
    var isCompressed = false
  }

  /// - Parameter content: Of a file that begins with the signature of its container.
  init(_ bytes: BufferedBytes, container: Container) throws(DecodingError) {
    self = try container == .dsf ? Self(dsf: bytes) : Self(dsdiff: bytes)
  }

  private init(
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

  // MARK: DSF

  private init(dsf bytes: BufferedBytes) throws(DecodingError) {
    let start = try TagBounds.start(of: bytes)
    let head = try bytes.copy(at: start, count: 92)
    guard head.count == 92, head.has("fmt ", at: 28), head.has("data", at: 80),
      let id = head.littleEndian(UInt32.self, at: 44), let type = head.littleEndian(UInt32.self, at: 48),
      let channelCount = head.littleEndian(UInt32.self, at: 52), let rate = head.littleEndian(UInt32.self, at: 56),
      let bits = head.littleEndian(UInt32.self, at: 60), let sampleCount = head.littleEndian(UInt64.self, at: 64),
      let block = head.littleEndian(UInt32.self, at: 72), let size = head.littleEndian(UInt64.self, at: 84)
    else { throw .missing("format and data chunk", in: .dsf) }
    guard id == 0 else { throw .unsupported(reason: "no decoder for format \(id) in DSF") }
    guard [1, 8].contains(bits), (1...1 << 20).contains(block), (1...64).contains(channelCount), sampleCount < 1 << 60
    else { throw .impossibleHeader("the DSF header gives impossible numbers") }
    let length = min(Int64(clamping: size) - 12, bytes.byteCount - start - 92)
    let group = Int64(block) * Int64(channelCount)
    try self.init(
      container: .dsf, rate: rate, channelCount: Int(channelCount), channelMask: type == 5 ? 0xF : nil,
      order: .blocks(byteCount: Int(block), isLowestFirst: bits == 1), data: start + 92..<start + 92 + max(0, length),
      declaredByteCount: Int64(sampleCount / 8), byteCount: max(0, length) / group * Int64(block))
  }

  // MARK: DSDIFF

  private init(dsdiff bytes: BufferedBytes) throws(DecodingError) {
    var header = Header()
    var declared: Int64 = 0
    try Self.forEachChunk(bytes, in: TagBounds.start(of: bytes) + 16..<bytes.byteCount) {
      name, body, size throws(DecodingError) in
      switch name {
      case "PROP": try header.readProperties(bytes, in: body)
      case "DSD ":
        header.data = header.data ?? body
        declared = declared == 0 ? size : declared
      case "DST ": header.isCompressed = true
      default: break
      }
    }
    guard !header.isCompressed else { throw .unsupported(reason: "no decoder for DST, compressed DSD") }
    guard let data = header.data else { throw .missing("sound data", in: .dsdiff) }
    guard let rate = header.rate, let channelCount = header.channelCount, channelCount > 0 else {
      throw .missing("usable properties", in: .dsdiff)
    }
    try self.init(
      container: .dsdiff, rate: rate, channelCount: channelCount, channelMask: header.channelMask, order: .interleaved,
      data: data, declaredByteCount: declared / Int64(channelCount),
      byteCount: (data.upperBound - data.lowerBound) / Int64(channelCount))
  }

  /// - Parameter body: gets the name, the bytes that are there, and how many the chunk claims.
  fileprivate static func forEachChunk(
    _ bytes: BufferedBytes, in range: Range<Int64>,
    _ body: (String, Range<Int64>, Int64) throws(DecodingError) -> Void
  ) throws(DecodingError) {
    var offset = range.lowerBound
    var count = 0
    while offset + 12 <= range.upperBound, count < PCMLayout.maximumChunkCount {
      count += 1
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(UInt64.self, at: 4) else { return }
      let start = offset + 12
      let length = Int64(min(size, UInt64(range.upperBound - start)))
      try body(String(decoding: head[..<4], as: UTF8.self), start..<start + length, Int64(clamping: size))
      offset = start + length + length % 2
    }
  }
}

extension DSDLayout.Header {
  fileprivate mutating func readProperties(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) {
    guard try bytes.matches("SND ", at: range.lowerBound) else { return }
    var found = self
    try DSDLayout.forEachChunk(bytes, in: range.lowerBound + 4..<range.upperBound) {
      name, body, _ throws(DecodingError) in
      switch name {
      case "FS  ": found.rate = try bytes.bigEndian(UInt32.self, at: body.lowerBound)
      case "CHNL": found.channelCount = try bytes.bigEndian(UInt16.self, at: body.lowerBound).map { Int($0) }
      case "CMPR": if try !bytes.matches("DSD ", at: body.lowerBound) { found.isCompressed = true }
      default: break
      }
    }
    self = found
  }
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
