/// The lengths of data that programs write to a pipe, where they cannot fill them in later: then the data reaches to the
/// end of the file.
enum OpenLength {
  /// No file is that long.
  static let leastImpossible: Int64 = 1 << 62
  /// What SoX writes: 0x7FFFF000 and 0x7F000000, cut to whole blocks.
  static let sizesOfWAVBySoX: ClosedRange<Int64> = 0x7FFF_E001...0x7FFF_F000
  static let sizesOfAIFFBySoX: ClosedRange<Int64> = 0x7EFF_F001...0x7F00_0000

  /// Whether the length of the data was never filled in.
  ///
  /// - Parameters:
  ///   - byteCount: of the data by the header; less than 0 is none.
  ///   - start: of the data.
  ///   - pipes: lengths that mean it if the file ends before.
  ///   - form: of the chunks of the file: if one follows at once, the data is really empty.
  static func isOpen(
    _ bytes: BufferedBytes, byteCount: Int64, at start: Int64, pipes: ClosedRange<Int64>? = nil, _ form: ChunkForm
  ) throws(DecodingError) -> Bool {
    // All bits of a length are set, of which AIFF counts 8 bytes before the samples.
    let highest = form == .riff ? Int64(UInt32.max) : form == .iff ? Int64(UInt32.max) - 8 : leastImpossible
    if byteCount >= highest { return true }
    if let pipes, pipes.contains(byteCount) { return start + byteCount > bytes.byteCount }
    guard byteCount <= 0 else { return false }
    return try !hasChunk(bytes, at: start, form)
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
