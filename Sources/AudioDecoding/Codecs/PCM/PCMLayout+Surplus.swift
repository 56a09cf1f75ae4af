import MediaModel

extension PCMLayout {
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
    guard problem == nil, bytesPerFrame > 0, let declaredFrameCount, byteCount > Padding.longestByteCount else {
      return
    }
    let frameCount = byteCount / Int64(bytesPerFrame)
    let seconds = Double(frameCount) / Double(max(1, sampleRateInHz))
    guard seconds > Padding.longestSeconds || frameCount >= declaredFrameCount,
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
    for _ in 0..<ChunkForm.maximumCount where offset < range.upperBound {
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
