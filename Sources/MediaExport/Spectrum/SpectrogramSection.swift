package import MediaModel

/// A stretch of a recording's spectrogram, weighted as asked: what is shown, drawn and exported.
package struct SpectrogramSection: Hashable, Sendable {
  package let columnsPerSecond: Double
  package let startInSeconds: Double
  package let weighting: FrequencyWeighting
  /// Of the bands; one more than there are bands.
  package let edgesInHz: [Double]
  /// Column after column, each from the lowest band to the highest, weighted.
  private var levelsInDB: [Float] = []

  package var bandCount: Int { max(edgesInHz.count - 1, 0) }
  package var columnCount: Int { bandCount == 0 ? 0 : levelsInDB.count / bandCount }
  package var durationInSeconds: Double { Double(columnCount) / columnsPerSecond }

  /// The columns that begin at or after `start` and before `end`, in seconds; the column that `start` falls into is the
  /// first.
  ///
  /// - Parameters:
  ///   - frequencies: in Hz; the bands that lie in it at least in part are kept.
  ///   - isSmoothed: whether the seven-point smoothing of the origin goes over the bands.
  ///   - smoothing: how much of a column is taken over into the next, `0...1`; from the first column that is kept.
  package init(
    _ grid: SpectrumGrid, weighting: FrequencyWeighting = .none, startInSeconds start: Double = 0,
    endInSeconds end: Double? = nil, frequencies: ClosedRange<Double> = 0...Double.infinity, isSmoothed: Bool = false,
    smoothing: Double = 0
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
    guard let bands = SpectrumBands.stored(count: grid.bandCount) else {
      edgesInHz = []
      return
    }
    let edges = bands.edgesInHz
    let kept = (0..<bands.count).filter { edges[$0 + 1] > frequencies.lowerBound && edges[$0] < frequencies.upperBound }
    guard let lowest = kept.first, let highest = kept.last else {
      edgesInHz = []
      return
    }
    edgesInHz = Array(edges[lowest...highest + 1])
    let gains = kept.map { Float(weighting.gainInDB(atHz: bands.center(of: $0))) }
    levelsInDB.reserveCapacity((last - first) * kept.count)
    for column in first..<last {
      let steps = grid.steps[column * grid.bandCount + lowest...column * grid.bandCount + highest]
      var levels = zip(steps, gains).map { DecibelStep.decode($0) + $1 }
      if isSmoothed {
        levels = BandSmoothing.acrossBands(levels.map(Double.init)).map { Float($0 ?? Double(DecibelStep.floorInDB)) }
      }
      levelsInDB += levels
    }
    BandSmoothing.overTime(&levelsInDB, bandCount: kept.count, amount: smoothing)
  }

  /// What was measured for the purpose; every level of it is kept.
  ///
  /// - Parameters:
  ///   - isSmoothed: whether the seven-point smoothing of the origin goes over the bands.
  ///   - smoothing: how much of a column is taken over into the next, `0...1`.
  package init(
    _ levels: SpectrogramLevels, weighting: FrequencyWeighting = .none, isSmoothed: Bool = false, smoothing: Double = 0
  ) {
    let rate = Double(max(levels.sampleRateInHz, 1))
    self.init(
      columnsPerSecond: rate / Double(max(levels.framesPerColumn, 1)), startInSeconds: Double(levels.firstFrame) / rate,
      weighting: weighting, edgesInHz: levels.edgesInHz, levelsInDB: levels.levelsInDB)
    let edges = edgesInHz
    let gains = zip(edges, edges.dropFirst()).map { Float(weighting.gainInDB(atHz: ($0 * $1).squareRoot())) }
    guard !gains.isEmpty else { return }
    for start in stride(from: 0, to: columnCount * gains.count, by: gains.count) {
      for band in gains.indices { levelsInDB[start + band] += gains[band] }
      guard isSmoothed else { continue }
      let smooth = BandSmoothing.acrossBands(levelsInDB[start..<start + gains.count].map(Double.init))
      for band in gains.indices { levelsInDB[start + band] = Float(smooth[band] ?? Double(DecibelStep.floorInDB)) }
    }
    BandSmoothing.overTime(&levelsInDB, bandCount: gains.count, amount: smoothing)
  }

  init(
    columnsPerSecond: Double, startInSeconds: Double, weighting: FrequencyWeighting, edgesInHz: [Double],
    levelsInDB: [Float]
  ) {
    self.columnsPerSecond = columnsPerSecond
    self.startInSeconds = startInSeconds
    self.weighting = weighting
    self.edgesInHz = edgesInHz
    self.levelsInDB = levelsInDB
  }

  /// Level in dB; both indices must exist.
  package func levelInDB(column: Int, band: Int) -> Float {
    levelsInDB[column * bandCount + band]
  }

  /// The loudest level; nil where there is no column.
  package var maximumInDB: Float? {
    levelsInDB.max()
  }
}
