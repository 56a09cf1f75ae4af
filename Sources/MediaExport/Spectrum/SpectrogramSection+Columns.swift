internal import Glibc
internal import MediaModel

extension SpectrogramSection {
  /// Fewer columns: each the mean power of those that it covers, of some in part.
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

  /// Where among the bands a frequency lies: 0 at the lower edge of the first, ``bandCount`` at the upper one of the last.
  func bandPlace(ofHz frequency: Double) -> Double {
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
