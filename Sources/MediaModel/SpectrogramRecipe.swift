/// A spectrogram that is made from samples: which part, at which distance of columns, in which bands.
package struct SpectrogramRecipe: Hashable, Sendable {
  /// The shortest and the longest window; a power of two.
  package static let windowFrameCounts = 64...32_768

  /// Where the first column begins.
  package var firstFrame: Int64
  package var framesPerColumn: Int
  package var columnCount: Int
  /// Of the bands, ascending and positive; one more than there are bands.
  package var edgesInHz: [Double]
  /// One window for all bands; nil for one that follows from each band and from the distance of the columns.
  package var windowFrameCount: Int?

  /// - Precondition: `framesPerColumn` is positive, and there are at least two edges; a window is a power of two in
  ///   ``windowFrameCounts``.
  package init(
    firstFrame: Int64, framesPerColumn: Int, columnCount: Int, edgesInHz: [Double], windowFrameCount: Int? = nil
  ) {
    precondition(framesPerColumn > 0 && edgesInHz.count > 1, "columns have a length and bands")
    precondition(
      windowFrameCount.map { Self.windowFrameCounts.contains($0) && $0 & ($0 - 1) == 0 } ?? true,
      "a window is a power of two")
    self.firstFrame = max(0, firstFrame)
    self.framesPerColumn = framesPerColumn
    self.columnCount = max(0, columnCount)
    self.edgesInHz = edgesInHz
    self.windowFrameCount = windowFrameCount
  }

  package var bandCount: Int { edgesInHz.count - 1 }
}

/// Levels of bands over time, as they were measured.
package struct SpectrogramLevels: Hashable, Sendable {
  package var sampleRateInHz: Int
  package var firstFrame: Int64
  package var framesPerColumn: Int
  package var edgesInHz: [Double]
  /// In dB relative to a full-scale sine; column after column, each from the lowest band to the highest.
  package var levelsInDB: [Float]

  package init(
    sampleRateInHz: Int, firstFrame: Int64, framesPerColumn: Int, edgesInHz: [Double], levelsInDB: [Float]
  ) {
    self.sampleRateInHz = sampleRateInHz
    self.firstFrame = firstFrame
    self.framesPerColumn = framesPerColumn
    self.edgesInHz = edgesInHz
    self.levelsInDB = levelsInDB
  }
}
