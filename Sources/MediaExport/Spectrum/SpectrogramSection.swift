package import MediaModel

/// A stretch of a recording's spectrogram, weighted as asked: what is shown, drawn and exported.
package struct SpectrogramSection: Hashable, Sendable {
  package let columnsPerSecond: Double
  package let startInSeconds: Double
  package let weighting: FrequencyWeighting
  /// Of the bands; one more than there are bands.
  package let edgesInHz: [Double]
  /// Gain of the weighting for each band.
  private let gainsInDB: [Float]
  /// Column after column, each from the lowest band to the highest, in the steps of ``DecibelStep``.
  private let steps: ArraySlice<UInt8>

  package var bandCount: Int { gainsInDB.count }
  package var columnCount: Int { bandCount == 0 ? 0 : steps.count / bandCount }
  package var durationInSeconds: Double { Double(columnCount) / columnsPerSecond }

  /// The columns that begin at or after `start` and before `end`, in seconds; the column that `start` falls into is the
  /// first.
  package init(
    _ grid: SpectrumGrid, weighting: FrequencyWeighting = .none, startInSeconds start: Double = 0,
    endInSeconds end: Double? = nil
  ) {
    let rate = grid.columnsPerSecond.isFinite && grid.columnsPerSecond > 0 ? grid.columnsPerSecond : 1
    let count = grid.columnCount
    func column(_ seconds: Double, _ rounding: FloatingPointRoundingRule) -> Int {
      let place = (seconds * rate).rounded(rounding)
      return place > 0 ? Int(min(place, Double(count))) : 0
    }
    let first = column(start, .down)
    let last = max(first, end.map { column($0, .up) } ?? count)
    columnsPerSecond = rate
    startInSeconds = Double(first) / rate
    self.weighting = weighting
    steps = grid.steps[first * grid.bandCount..<last * grid.bandCount]
    if let bands = SpectrumBands.stored(count: grid.bandCount) {
      edgesInHz = bands.edgesInHz
      gainsInDB = (0..<bands.count).map { Float(weighting.gainInDB(atHz: bands.center(of: $0))) }
    } else {
      (edgesInHz, gainsInDB) = ([], [])
    }
  }

  /// Level in dB; both indices must exist.
  package func levelInDB(column: Int, band: Int) -> Float {
    DecibelStep.decode(steps[steps.startIndex + column * bandCount + band]) + gainsInDB[band]
  }

  /// The loudest level; nil where there is no column.
  package var maximumInDB: Float? {
    var maximum: Float?
    for column in 0..<columnCount {
      for band in 0..<bandCount {
        maximum = max(maximum ?? -.infinity, levelInDB(column: column, band: band))
      }
    }
    return maximum
  }
}
