import MediaModel

/// Where a FLAC file has its stream marker, its STREAMINFO and its frames.
struct FLACLayout {
  /// From the stream marker (or the first frame, if there is none) to the last frame.
  let whole: Range<Int64>
  /// The frames alone: after the metadata blocks, before tags at the end.
  let frames: Range<Int64>
  let streamInfo: FLACStreamInfo?
  /// What stands before the stream and belongs to nothing.
  let junk: Range<Int64>
  /// What the library gets before the frames if the lengths of the metadata blocks do not lead to them: the stream
  /// marker and STREAMINFO. Empty if they do, or there is no STREAMINFO.
  private(set) var head: [UInt8] = []
  /// dwChannelMask, if a comment has one.
  let channelMask: UInt32?
  /// What the frames do not say of themselves, for the hash of the stream.
  let configuration: String

  /// - Parameters:
  ///   - range: the stream, without what is around it.
  ///   - junk: what was passed over to find it.
  init(_ bytes: BufferedBytes, range: Range<Int64>, behind junk: Range<Int64> = 0..<0) throws(DecodingError) {
    whole = range
    self.junk = junk
    var info: FLACStreamInfo?
    var infoBytes: [UInt8] = []
    var hasWrongLength = false
    var mask: UInt32?
    var offset = range.lowerBound
    if try bytes.matches("fLaC", at: offset) {
      offset += 4
      while let word = try bytes.bigEndian(UInt32.self, at: offset) {
        // Type 127 is impossible. It is the sync code of the first frame: the last block has no last-block flag.
        guard word >> 24 & 0x7F != 127, offset + 4 <= range.upperBound else {
          hasWrongLength = true
          break
        }
        var length = Int64(word & 0xFF_FFFF)
        // A STREAMINFO has always as many bytes, and is read whatever it says.
        if word >> 24 & 0x7F == 0 { length = max(length, Int64(FLACStreamInfo.byteCount)) }
        if length != Int64(word & 0xFF_FFFF) { hasWrongLength = true }
        if word >> 24 & 0x7F == 0, info == nil {
          infoBytes = try bytes.copy(at: offset + 4, count: FLACStreamInfo.byteCount)
          info = FLACStreamInfo(infoBytes)
        }
        let next = min(range.upperBound, offset + 4 + length)
        if word >> 24 & 0x7F == 4, mask == nil {
          let comments = try bytes.file.bytes(at: offset + 4, count: Int(max(0, next - offset - 4)))
          mask = ChannelMaskComment.channelMask(in: comments)
        }
        // A block that leads beyond the end has a wrong length: the frames begin somewhere in it.
        if offset + 4 + length > range.upperBound {
          hasWrongLength = true
          offset = try FLACFrameShape.firstHeader(bytes, in: offset + 4..<range.upperBound) ?? range.upperBound
          break
        }
        offset = next
        if word >> 31 == 1 || offset == range.upperBound { break }
      }
      let first = range.lowerBound + 8 + Int64(FLACStreamInfo.byteCount)
      let head = try bytes.copy(at: offset, count: FLACFrameShape.maximumByteCount)
      if info != nil, first < range.upperBound, hasWrongLength || !FLACFrameShape.isHeader(head),
        let found = try FLACStart.firstFrame(bytes, in: first..<range.upperBound, insteadOf: offset)
      {
        hasWrongLength = true
        offset = found
      }
    }
    frames = offset..<max(offset, range.upperBound)
    if hasWrongLength, info != nil {
      head = Array("fLaC".utf8) + [0x80, 0, 0, UInt8(FLACStreamInfo.byteCount)] + infoBytes
    }
    streamInfo = info
    channelMask = mask
    let first = info == nil ? try bytes.copy(at: frames.lowerBound, count: FLACFrameShape.maximumByteCount) : []
    configuration = FLACStreamInfo.configuration(info, firstFrame: first, channelMask: mask)
  }
}

/// Rate, channels and width as the header of a frame gives them (RFC 9639 section 9.1); 0 for what it leaves to
/// STREAMINFO.
struct FLACFrameShape: Hashable {
  static let maximumByteCount = 16

  private(set) var sampleRateInHz = 0
  let channelCount: Int
  let bitsPerSample: Int

  /// Whether bytes begin with a whole header that has the right CRC-8.
  static func isHeader(_ head: [UInt8]) -> Bool {
    guard head.count > 5, head[0] == 0xFF, head[1] & 0xFE == 0xF8, head[2] >> 4 != 0, head[2] & 15 != 15,
      head[3] & 1 == 0
    else { return false }
    let numberByteCount = head[4] < 0x80 ? 1 : max(2, (~head[4]).leadingZeroBitCount)
    var length = 4 + numberByteCount
    length += head[2] >> 4 == 6 ? 1 : head[2] >> 4 == 7 ? 2 : 0
    length += head[2] & 15 == 12 ? 1 : (head[2] & 15 == 13 || head[2] & 15 == 14) ? 2 : 0
    guard length < head.count else { return false }
    var crc: UInt8 = 0
    for byte in head[..<length] {
      crc ^= byte
      for _ in 0..<8 { crc = crc << 1 ^ (crc & 0x80 != 0 ? 7 : 0) }
    }
    return crc == head[length]
  }

  /// Where the first frame of a range begins; nil if there is none.
  static func firstHeader(_ bytes: BufferedBytes, in range: Range<Int64>) throws(DecodingError) -> Int64? {
    let pieceByteCount = 1 << 16
    var start = range.lowerBound
    while start < range.upperBound {
      // A header that begins in this piece may end in the next one.
      let count = min(Int64(pieceByteCount + maximumByteCount - 1), range.upperBound - start)
      let piece = try bytes.file.bytes(at: start, count: Int(count))
      for place in piece.indices.dropLast().prefix(pieceByteCount)
      where piece[place] == 0xFF && piece[place + 1] & 0xFE == 0xF8 {
        if isHeader(Array(piece[place...].prefix(maximumByteCount))) { return start + Int64(place) }
      }
      start += Int64(pieceByteCount)
    }
    return nil
  }

  /// The number of the frame with this header or of its first sample, and that of the frame behind it; nil if they make
  /// no sense.
  static func numbers(_ head: [UInt8]) -> (own: Int64, next: Int64)? {
    guard head.count > 5, head[4] != 0xFF else { return nil }
    let byteCount = head[4] < 0x80 ? 1 : (~head[4]).leadingZeroBitCount
    guard byteCount != 1 || head[4] < 0x80, 4 + byteCount + 2 <= head.count else { return nil }
    var number = byteCount == 1 ? Int64(head[4]) : Int64(head[4] & (0x7F >> byteCount))
    for byte in head[5..<4 + byteCount] { number = number << 6 | Int64(byte & 0x3F) }
    // Blocks of one length are numbered, others give their first sample.
    guard head[1] & 1 == 1 else { return (number, number + 1) }
    let place = 4 + byteCount
    let length: Int64 =
      switch head[2] >> 4 {
      case 1: 192
      case 2...5: 576 << Int64(head[2] >> 4 - 2)
      case 6: Int64(head[place]) + 1
      case 7: Int64(head[place]) << 8 + Int64(head[place + 1]) + 1
      default: 256 << Int64(head[2] >> 4 - 8)
      }
    return (number, number + length)
  }

  /// nil if `frame` does not begin with a header.
  init?(_ frame: [UInt8]) {
    guard frame.count >= 5, frame[0] == 0xFF, frame[1] & 0xFE == 0xF8 else { return nil }
    let assignment = Int(frame[3] >> 4)
    channelCount = assignment < 8 ? assignment + 1 : 2
    bitsPerSample = [0, 8, 12, 0, 16, 20, 24, 32][Int(frame[3] >> 1 & 7)]
    let rates = [0, 88_200, 176_400, 192_000, 8000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000]
    let rateCode = Int(frame[2] & 15)
    guard rateCode >= rates.count else {
      sampleRateInHz = rates[rateCode]
      return
    }
    // The rate stands behind the number of the frame and the size of the block.
    let numberByteCount = max(1, (~frame[4]).leadingZeroBitCount)
    let sizeCode = frame[2] >> 4
    let place = 4 + numberByteCount + (sizeCode == 6 ? 1 : sizeCode == 7 ? 2 : 0)
    sampleRateInHz =
      switch rateCode {
      case 12: 1000 * Int(frame.bigEndian(UInt8.self, at: place) ?? 0)
      case 13: Int(frame.bigEndian(UInt16.self, at: place) ?? 0)
      case 14: 10 * Int(frame.bigEndian(UInt16.self, at: place) ?? 0)
      default: 0
      }
  }
}

extension FLACStreamInfo {
  /// What the frames of a stream do not say of themselves, for its hash: rate, channels, bits, and the loudspeakers if
  /// they are unusual.
  ///
  /// - Parameter firstFrame: its first bytes, which stand for a STREAMINFO that is missing.
  static func configuration(_ info: FLACStreamInfo?, firstFrame: [UInt8], channelMask: UInt32?) -> String {
    let frame = FLACFrameShape(firstFrame)
    let rate = info?.sampleRateInHz ?? frame?.sampleRateInHz ?? 0
    let channelCount = info?.channelCount ?? frame?.channelCount ?? 0
    let bits = info?.bitsPerSample ?? frame?.bitsPerSample ?? 0
    let format = AudioFormat(
      sampleRateInHz: max(1, rate), channelCount: max(1, channelCount), channelMask: channelMask)
    return "\(rate) \(channelCount) \(bits)" + (format.unusualMask.map { " \($0)" } ?? "") + "\n"
  }
}

/// The first metadata block of a FLAC stream (RFC 9639 section 8.2).
struct FLACStreamInfo: Hashable, Sendable {
  static let byteCount = 34

  let sampleRateInHz: Int
  let channelCount: Int
  let bitsPerSample: Int
  /// nil if the encoder left it open.
  let frameCount: Int64?
  /// Of the decoded PCM; nil if the encoder left it out.
  let md5: [UInt8]?

  /// From the body of the block.
  init?(_ body: [UInt8]) {
    guard body.count >= Self.byteCount, let packed = body.bigEndian(UInt64.self, at: 10) else { return nil }
    sampleRateInHz = Int(packed >> 44)
    channelCount = Int(packed >> 41 & 7) + 1
    bitsPerSample = Int(packed >> 36 & 31) + 1
    let count = Int64(packed & 0xF_FFFF_FFFF)
    frameCount = count == 0 ? nil : count
    let digest = Array(body[18..<34])
    md5 = digest.allSatisfy { $0 == 0 } ? nil : digest
  }
}

/// The comment in which FLAC assigns its channels to loudspeakers (RFC 9639 section 8.6.2).
enum ChannelMaskComment {
  private static let name = Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0X".utf8)

  /// Its dwChannelMask; nil if there is no such comment.
  ///
  /// - Parameter comments: the body of a VORBIS_COMMENT block.
  static func channelMask(in comments: [UInt8]) -> UInt32? {
    func length(at offset: Int) -> Int? { comments.littleEndian(UInt32.self, at: offset).map { Int($0) } }
    guard let vendorLength = length(at: 0) else { return nil }
    // After the vendor and the number of comments.
    var offset = 4 + vendorLength + 4
    while let length = length(at: offset) {
      let start = offset + 4
      offset = start + length
      guard (name.count + 1...name.count + 8).contains(length), offset <= comments.count else { continue }
      let comment = comments[start..<offset].map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
      guard comment.starts(with: name) else { continue }
      return UInt32(String(decoding: comment.dropFirst(name.count), as: UTF8.self), radix: 16)
    }
    return nil
  }
}

extension FLACLayout: StreamLayout {
  var declaration: StreamDeclaration { StreamDeclaration(isSound: streamInfo != nil) }

  var hasFormerHash: Bool { true }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) throws(DecodingError) -> Int64? {
    let (current, former) = (hashers.current, hashers.former)
    current.begin(.flac)
    current.note(configuration)
    try bytes.forEachPiece(in: frames) { former.update($0) }
    current.note(former)
    return former.byteCount
  }

  func account(to account: inout FileAccount) throws(DecodingError) { try account.add(self) }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try FLACDecoder(
      bytes, head: head, range: head.isEmpty ? whole : frames, byteCount: frames.upperBound - frames.lowerBound,
      streamInfo: streamInfo, channelMask: channelMask, container: container, options: options)
  }
}

extension StreamHashers.Rules {
  static let flac = Self("flac")
}

extension TrackForm {
  /// FLAC in another container.
  ///
  /// - Parameter header: `fLaC` and the metadata blocks, STREAMINFO first.
  static func flac(header: [UInt8], in container: Container) throws(DecodingError) -> TrackForm {
    guard header.has("fLaC", at: 0), FLACStreamInfo(Array(header.dropFirst(8))) != nil else {
      throw .missing("STREAMINFO of FLAC", in: container)
    }
    return .joined(
      JoinedForm(head: header) { (bytes, _, _) throws(DecodingError) in
        try FLACLayout(bytes, range: TagBounds(bytes).audio)
      })
  }
}

extension FileAccount {
  /// Programs that keep the chunks of the file that they encoded (registered at xiph.org).
  private static let applicationsWithChunks: [StaticString] = ["riff", "aiff", "w64 "]
  private static let mostForeignByteCount: Int64 = 1 << 16
  /// Of other streams, before one of the right shape: chance gives one in some ten megabytes.
  private static let mostHeaderCount = 1_000

  /// The metadata blocks must be known ones, and the last frame must begin so late that it can reach to the end.
  ///
  /// What else lies between the frames, libFLAC reports when it decodes.
  fileprivate mutating func add(_ layout: FLACLayout) throws(DecodingError) {
    try leave(layout.junk)
    var offset = layout.whole.lowerBound + 4
    var greatestFrame: Int64 = 0
    var greatestBlock: Int64 = 65_535
    while offset < layout.frames.lowerBound, let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let end = min(layout.frames.lowerBound, offset + 4 + Int64(word & 0xFF_FFFF))
      guard offset + 4 <= end else { break }
      let body = offset + 4..<end
      switch word >> 24 & 0x7F {
      case 0:
        let info = try bytes.copy(at: body.lowerBound, count: 10)
        greatestBlock = Int64(info.bigEndian(UInt16.self, at: 2) ?? .max)
        greatestFrame = Int64((info.bigEndian(UInt32.self, at: 6) ?? 0) & 0xFF_FFFF)
      case 2:
        var isForeign = false
        for name in Self.applicationsWithChunks where !isForeign {
          isForeign = try bytes.matches(name, at: body.lowerBound)
        }
        if !isForeign || body.upperBound - body.lowerBound > Self.mostForeignByteCount { try leave(body) }
      case 3...6: break
      default: try leave(body)
      }
      offset = body.upperBound
    }
    guard let info = layout.streamInfo, !layout.frames.isEmpty else { return }
    let bits = greatestBlock * Int64(info.channelCount) * Int64(info.bitsPerSample + 1)
    // A block that does not get smaller is stored as it is.
    let bound = (greatestFrame > 0 ? greatestFrame : bits / 8) + Int64(FLACFrameShape.maximumByteCount)
    let tail = max(layout.frames.lowerBound, layout.frames.upperBound - bound)..<layout.frames.upperBound
    if try !hasFrame(in: tail, like: info), tail.lowerBound > layout.frames.lowerBound { try leave(tail) }
  }

  private func hasFrame(in range: Range<Int64>, like info: FLACStreamInfo) throws(DecodingError) -> Bool {
    var start = range.lowerBound
    for _ in 0..<Self.mostHeaderCount {
      let rest = start..<max(start, range.upperBound)
      guard let found = try FLACFrameShape.firstHeader(bytes, in: rest) else { return false }
      let shape = FLACFrameShape(try bytes.copy(at: found, count: FLACFrameShape.maximumByteCount))
      if let shape, shape.channelCount == info.channelCount, [0, info.sampleRateInHz].contains(shape.sampleRateInHz),
        [0, info.bitsPerSample].contains(shape.bitsPerSample)
      {
        return true
      }
      start = found + 1
    }
    return false
  }
}
