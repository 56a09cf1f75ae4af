import MediaModel

extension PCMLayout {
  /// How many bytes of silence may come before the first frame among samples.
  private static let maximumSilenceByteCount = 1 << 16

  /// Frames of DTS or AC-3 that stand in place of samples, and where; nil if there are none.
  ///
  /// The header says so, or calls them samples of 16 bits, as in copies of discs that were sold with DTS: then a frame must
  /// be what comes first, and another one must follow it.
  func bareFrames(_ bytes: BufferedBytes) throws(DecodingError) -> (syntax: any BareFrameSyntax, range: Range<Int64>)? {
    if codec == nil, rawFormat == nil {
      let head = try bytes.copy(at: data.lowerBound, count: 16)
      let syntax: (any BareFrameSyntax)? =
        codecName == "DTS" ? DTSSyntax(head) : codecName == "AC-3" ? AC3Syntax(head) : nil
      return syntax.map { ($0, data) }
    }
    guard codec == .pcmS16, channelCount == 2 else { return nil }
    let silence = try bytes.byteCountToSync(
      from: data.lowerBound, before: data.upperBound, limit: Int64(Self.maximumSilenceByteCount)
    ) { $0 != 0 }
    let start = data.lowerBound + silence
    guard let syntax = DTSSyntax(try bytes.copy(at: start, count: 16)),
      let first = syntax.frame(try bytes.copy(at: start, count: 16)),
      syntax.frame(try bytes.copy(at: start + Int64(first.byteCount), count: 16)) != nil
    else { return nil }
    return (syntax, start..<data.upperBound)
  }
}
