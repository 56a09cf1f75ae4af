import MediaModel

/// How the chunks of a container begin.
enum ChunkForm {
  /// WAV, and AIFF with its big-endian lengths.
  case riff, iff
  case wave64, caf
  /// Chunks of DSDIFF, with lengths of 8 bytes.
  case dsdiff
  /// There are none behind the data, as in AU.
  case none

  static let headByteCount = 24

  /// Where the next chunk begins is a multiple of it.
  var alignment: Int64 {
    switch self {
    case .riff, .iff, .dsdiff: 2
    case .wave64: 8
    case .caf, .none: 1
    }
  }

  /// Of the name and the length.
  var headByteCountOfChunk: Int64 {
    switch self {
    case .riff, .iff: 8
    case .wave64: 24
    case .caf, .dsdiff: 12
    case .none: 0
    }
  }

  /// The bytes of the chunk that begins with `head`, with its header and without padding; nil if none can begin so.
  func byteCount(_ head: [UInt8]) -> Int64? {
    guard head.count >= 8, head[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    switch self {
    case .riff: return head.littleEndian(UInt32.self, at: 4).map { 8 + Int64($0) }
    case .iff: return head.bigEndian(UInt32.self, at: 4).map { 8 + Int64($0) }
    case .wave64:
      return head.littleEndian(UInt64.self, at: 16).flatMap { $0 < Self.headByteCount ? nil : Int64(clamping: $0) }
    case .caf, .dsdiff:
      return head.bigEndian(Int64.self, at: 4).flatMap { $0 < 0 ? nil : min($0, .max - 12) + 12 }
    case .none: return nil
    }
  }
}

extension PCMLayout {
  /// Half a second, or as much again as the header gives, is more than padding.
  private static let longestPaddingInSeconds = 0.5
  private static let longestPaddingByteCount: Int64 = 4096

  /// Judges what is behind the data that the header gives and belongs to no chunk and no tag.
  ///
  /// It is not decoded: the header counts, as it always did, so that the recording stays the same. But nobody would
  /// hear that sound is missing. So it is a note, and damage if it is long and not one value throughout, as padding is.
  ///
  /// - Parameters:
  ///   - end: of the data by the header, within the file.
  ///   - origin: of the container, from which chunks are aligned.
  mutating func judgeSurplus(
    _ bytes: BufferedBytes, behind end: Int64, _ form: ChunkForm, from origin: Int64
  ) throws(DecodingError) {
    guard end < bytes.byteCount, !isMPEG else { return }
    let last = try TagBounds.end(of: bytes, from: end, before: bytes.byteCount)
    let first = try Self.endOfChunks(bytes, in: end..<last, form, from: origin)
    try judgeSurplus(bytes, first..<last)
  }

  /// The same for bytes that are known to be in no chunk of their own.
  mutating func judgeSurplus(_ bytes: BufferedBytes, _ surplus: Range<Int64>) throws(DecodingError) {
    let byteCount = surplus.upperBound - surplus.lowerBound
    // One byte fills up to an even length; less than a frame is no sound.
    guard byteCount > 1, byteCount >= bytesPerFrame else { return }
    if !notes.contains("header-lies") { notes.append("header-lies") }
    guard problem == nil, bytesPerFrame > 0, let declaredFrameCount, byteCount > Self.longestPaddingByteCount else {
      return
    }
    let frameCount = byteCount / Int64(bytesPerFrame)
    let seconds = Double(frameCount) / Double(max(1, sampleRateInHz))
    guard seconds > Self.longestPaddingInSeconds || frameCount >= declaredFrameCount,
      try !Self.isOneValue(bytes, surplus)
    else { return }
    problem = .longerThanHeader(
      frameCount: declaredFrameCount + frameCount, declaredFrameCount: declaredFrameCount,
      sampleRateInHz: sampleRateInHz)
  }

  /// Where the row of chunks and tags ends that begins where `range` does.
  private static func endOfChunks(
    _ bytes: BufferedBytes, in range: Range<Int64>, _ form: ChunkForm, from origin: Int64
  ) throws(DecodingError) -> Int64 {
    var offset = range.lowerBound
    for _ in 0..<maximumChunkCount where offset < range.upperBound {
      let padding = (form.alignment - (offset - origin) % form.alignment) % form.alignment
      // Some programs do not fill up to an even length.
      if let end = try endOfChunk(bytes, at: offset + padding, before: range.upperBound, form) {
        offset = end
      } else if padding > 0, let end = try endOfChunk(bytes, at: offset, before: range.upperBound, form) {
        offset = end
      } else {
        return offset
      }
    }
    return min(offset, range.upperBound)
  }

  /// - Returns: nil if no chunk and no tag begins at `offset`.
  private static func endOfChunk(
    _ bytes: BufferedBytes, at offset: Int64, before limit: Int64, _ form: ChunkForm
  ) throws(DecodingError) -> Int64? {
    if offset >= limit { return limit }
    if let length = try TagBounds.leadingTagLength(bytes, at: offset) { return min(limit, offset + length) }
    let head = try bytes.copy(at: offset, count: ChunkForm.headByteCount)
    if let byteCount = form.byteCount(head), byteCount <= limit - offset { return offset + byteCount }
    // The last chunk of a file that was cut off.
    return isAppendedChunk(head) ? limit : nil
  }

  private static func isOneValue(_ bytes: BufferedBytes, _ range: Range<Int64>) throws(DecodingError) -> Bool {
    guard let value = try bytes.bigEndian(UInt8.self, at: range.lowerBound) else { return true }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let count = Int(min(Int64(BufferedBytes.bufferSize), range.upperBound - offset))
      guard try bytes.withBytes(at: offset, count: count, { $0.allSatisfy { $0 == value } }) else { return false }
      offset += Int64(count)
    }
    return true
  }
}
