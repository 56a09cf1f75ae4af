internal import Glibc

/// A spectrogram brought to a number of columns and rows: of pixels, or of half cells in a terminal.
struct SpectrogramRaster {
  let width: Int
  let height: Int
  /// In dB, row by row from the highest frequency down; empty where there is nothing to show.
  private(set) var levelsInDB: [Float] = []

  /// Several columns in one place become the mean of their power; between columns and bands it is interpolated.
  init(_ section: SpectrogramSection, scale: FrequencyAxis.Scale = .log, width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    guard section.columnCount > 0, section.bandCount > 0, self.width > 0, self.height > 0 else { return }
    guard let axis = FrequencyAxis(edgesInHz: section.edgesInHz, scale: scale) else { return }
    levelsInDB = Array(repeating: 0, count: self.width * self.height)
    let places = (0..<self.height).map { y in
      let fraction = (Double(self.height - y) - 0.5) / Double(self.height)
      return section.bandPlace(ofHz: axis.frequencyInHz(at: fraction)) - 0.5
    }
    for x in 0..<self.width {
      let column = Self.column(x, of: self.width, in: section)
      for y in 0..<self.height {
        levelsInDB[y * self.width + x] = Self.interpolated(column, at: places[y])
      }
    }
  }

  /// Levels of all bands for one place.
  private static func column(_ x: Int, of width: Int, in section: SpectrogramSection) -> [Float] {
    let bands = 0..<section.bandCount
    let columnsPerPlace = Double(section.columnCount) / Double(width)
    guard columnsPerPlace > 1 else {
      let place = (Double(x) + 0.5) * columnsPerPlace - 0.5
      let left = max(0, Int(place.rounded(.down)))
      let right = min(left + 1, section.columnCount - 1)
      let amount = Float(max(0, min(place - Double(left), 1)))
      return bands.map { band in
        let (from, to) = (section.levelInDB(column: left, band: band), section.levelInDB(column: right, band: band))
        return from + (to - from) * amount
      }
    }
    let first = Int(Double(x) * columnsPerPlace)
    let end = min(max(first + 1, Int(Double(x + 1) * columnsPerPlace)), section.columnCount)
    return bands.map { band in
      var power = 0.0
      for column in first..<end { power += pow(10, Double(section.levelInDB(column: column, band: band)) / 10) }
      return Float(10 * log10(power / Double(end - first)))
    }
  }

  private static func interpolated(_ column: [Float], at place: Double) -> Float {
    let low = max(0, min(Int(place.rounded(.down)), column.count - 1))
    let high = min(low + 1, column.count - 1)
    let amount = Float(max(0, min(place - Double(low), 1)))
    return column[low] + (column[high] - column[low]) * amount
  }
}
