internal import AudioAnalysis
package import AudioDecoding
package import MediaModel

/// Spectra of a recording that must be decoded for them.
package enum SpectrumReader {
  /// Columns beyond the end of the recording are silence.
  package static func levels(from reader: SegmentReader, _ recipe: SpectrogramRecipe) throws -> SpectrogramLevels {
    let frames = SpectrogramAnalyzer.framesNeeded(for: recipe, sampleRateInHz: reader.format.sampleRateInHz)
    var analyzer = SpectrogramAnalyzer(format: reader.format, recipe)
    try reader.forEachPiece(of: frames) { analyzer.consume($0) }
    return analyzer.finish()
  }

  /// The average of a range, which may reach beyond the end.
  package static func summary(
    from reader: SegmentReader, frames: Range<Int64>, bands: SpectrumBands
  ) throws -> SpectrumSummary {
    var analyzer = SpectrumSummaryAnalyzer(format: reader.format, bands: bands)
    try reader.forEachPiece(of: frames) { analyzer.consume($0) }
    return analyzer.finish()
  }
}
