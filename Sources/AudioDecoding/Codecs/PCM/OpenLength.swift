/// The lengths of data that programs write to a pipe, where they cannot fill them in later: then the data reaches to the
/// end of the file.
enum OpenLength {
  /// No file is that long.
  static let leastImpossible: Int64 = 1 << 62
  /// The most that a signed or unsigned field of 32 bits holds, and what SoX writes, cut to whole blocks or less their headers.
  private static let greatest: [ClosedRange<Int64>] = [
    0x7EFF_0000...0x7F00_0000, 0x7FFF_0000...0x8000_0000, 0xFFFF_0000...0xFFFF_FFFF,
  ]

  /// Whether the length of the data was never filled in.
  ///
  /// - Parameters:
  ///   - byteCount: of the data by the header; less than 0 is none.
  ///   - start: of the data.
  ///   - form: of the chunks of the file: if one follows at once, the data is really empty.
  static func isOpen(
    _ bytes: BufferedBytes, byteCount: Int64, at start: Int64, _ form: ChunkForm
  ) throws(DecodingError) -> Bool {
    // All bits of a length are set, of which AIFF counts 8 bytes before the samples.
    let highest = form == .riff ? Int64(UInt32.max) : form == .iff ? Int64(UInt32.max) - 8 : leastImpossible
    if byteCount >= highest { return true }
    if form == .riff || form == .iff, isGreatest(byteCount, in: bytes, at: start) { return true }
    guard byteCount <= 0 else { return false }
    return try !hasChunk(bytes, at: start, form)
  }

  /// Whether a length of 32 bits stands for the greatest one: no half of such data is there.
  static func isGreatest(_ byteCount: Int64, in bytes: BufferedBytes, at start: Int64) -> Bool {
    greatest.contains { $0.contains(byteCount) } && byteCount / 2 > bytes.byteCount - start
  }

  /// Whether a chunk seems to begin at `offset`, or the file ends.
  private static func hasChunk(
    _ bytes: BufferedBytes, at offset: Int64, _ form: ChunkForm
  ) throws(DecodingError) -> Bool {
    if offset >= bytes.byteCount { return true }
    return try form.byteCount(bytes.copy(at: offset, count: ChunkForm.headByteCount)).map {
      $0 <= bytes.byteCount - offset
    } ?? false
  }
}
