internal import Glibc

/// A section of a spectrogram, weighted as requested, for display, drawing and export.
package struct SpectrogramSection: Hashable, Sendable {
  package let columnsPerSecond: Double
  package let startInSeconds: Double
  package let weighting: FrequencyWeighting
  /// The edges of the bands; one more than there are bands.
  package let edgesInHz: [Double]
  /// Column by column, each from the lowest band to the highest, weighted.
  private var levelsInDB: [Float] = []

  package var bandCount: Int { max(edgesInHz.count - 1, 0) }
  package var columnCount: Int { bandCount == 0 ? 0 : levelsInDB.count / bandCount }
  package var durationInSeconds: Double { Double(columnCount) / columnsPerSecond }

  /// The columns from the one that contains `start` to the last that begins before `end`, in seconds.
  ///
  /// - Parameters:
  ///   - frequencies: In Hz; bands that overlap it are kept.
  ///   - isSmoothed: Whether the seven-point smoothing is applied across the bands.
  ///   - smoothing: How much of a column is carried over into the next, `0...1`, starting at the first column that is
  ///     kept.
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

  /// Levels that were measured on request; all are kept.
  ///
  /// - Parameters:
  ///   - isSmoothed: Whether the seven-point smoothing is applied across the bands.
  ///   - smoothing: How much of a column is carried over into the next, `0...1`.
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

  package init(
    columnsPerSecond: Double, startInSeconds: Double, weighting: FrequencyWeighting, edgesInHz: [Double],
    levelsInDB: [Float]
  ) {
    self.columnsPerSecond = columnsPerSecond
    self.startInSeconds = startInSeconds
    self.weighting = weighting
    self.edgesInHz = edgesInHz
    self.levelsInDB = levelsInDB
  }

  /// The level in dB; both indices must be valid.
  package func levelInDB(column: Int, band: Int) -> Float {
    levelsInDB[column * bandCount + band]
  }

  /// The highest level; nil if there are no columns.
  package var maximumInDB: Float? {
    levelsInDB.max()
  }
}

extension SpectrogramSection {
  /// Reduces the number of columns; each is the mean power of those that it covers, in proportion.
  package func coarsened(toColumnsPerSecond rate: Double) -> SpectrogramSection {
    guard rate > 0, rate < columnsPerSecond, columnCount > 0 else { return self }
    let length = columnsPerSecond / rate
    let count = Int((Double(columnCount) / length).rounded(.up))
    var levels: [Float] = []
    levels.reserveCapacity(count * bandCount)
    for column in 0..<count {
      let start = Double(column) * length
      let end = min(start + length, Double(columnCount))
      let columns = Int(start)..<min(Int(end.rounded(.up)), columnCount)
      for band in 0..<bandCount {
        var power = 0.0
        for source in columns {
          let share = min(end, Double(source + 1)) - max(start, Double(source))
          power += share * pow(10, Double(levelInDB(column: source, band: band)) / 10)
        }
        levels.append(Float(10 * log10(power / max(end - start, .leastNormalMagnitude))))
      }
    }
    return SpectrogramSection(
      columnsPerSecond: rate, startInSeconds: startInSeconds, weighting: weighting, edgesInHz: edgesInHz,
      levelsInDB: levels)
  }

  /// The position of a frequency among the bands: 0 is the lower edge of the first, ``bandCount`` the upper edge of the
  /// last.
  package func bandPlace(ofHz frequency: Double) -> Double {
    guard let low = edgesInHz.first, let high = edgesInHz.last, frequency > low else { return 0 }
    guard frequency < high else { return Double(bandCount) }
    var below = 0
    var above = edgesInHz.count - 1
    while above - below > 1 {
      let middle = (below + above) / 2
      if edgesInHz[middle] <= frequency { below = middle } else { above = middle }
    }
    return Double(below) + log(frequency / edgesInHz[below]) / log(edgesInHz[above] / edgesInHz[below])
  }
}
