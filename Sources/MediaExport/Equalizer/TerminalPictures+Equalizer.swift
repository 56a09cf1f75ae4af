internal import MediaModel

extension TerminalPictures {
  /// The sum as a line of dots, the bands as single points behind it, levels at the left, frequencies below.
  ///
  /// - Returns: `height` lines and one for the axis; the empty string where there is no room.
  package static func equalizer(
    _ chart: EqualizerChart, width: Int, height: Int = 12, capabilities: TerminalCapabilities
  ) -> String {
    let (width, height) = (side(width), side(height))
    let labelWidth = width >= 30 ? 5 : 0
    let plotWidth = width - labelWidth
    let frequencies = EqualizerChart.frequencies
    guard plotWidth > 1, height > 1,
      let axis = FrequencyAxis(edgesInHz: [frequencies.lowerBound, frequencies.upperBound])
    else { return "" }
    let sums = chart.sums.map { grid($0, chart, axis, plotWidth, height, capabilities) }
    let points = Set(chart.bands.flatMap { cells($0, chart, axis, plotWidth, height) })
    let zeroRow = row(0, chart, height)
    let levels = chart.marks(length: height, minimumDistance: 2)

    var text = ""
    for row in 0..<height {
      if labelWidth > 0 {
        let mark = levels.last { self.row($0.level, chart, height) == row }
        let label = mark.map { DecibelText.signed($0.level) } ?? ""
        text += String(repeating: " ", count: max(0, labelWidth - 1 - label.count)) + label + " "
      }
      var line = TerminalLine(capabilities)
      for column in 0..<plotWidth {
        let characters = sums.map { $0.character(column: column, row: row) }
        if let index = characters.firstIndex(where: { $0 != " " }) {
          line.append(characters[index], foreground: EqualizerColors.sums(.dark)[index])
        } else if points.contains(Cell(column: column, row: row)) {
          line.append(capabilities.hasUnicode ? "·" : ":", foreground: EqualizerColors.after)
        } else if row == zeroRow {
          line.append(capabilities.hasUnicode ? "─" : "-", foreground: EqualizerColors.beforeText)
        } else {
          line.append(" ")
        }
      }
      text += line.finish()
    }
    text = text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed(String($0)) }
      .joined(separator: "\n")
    let marks = axis.marks(length: plotWidth, minimumDistance: 6).map {
      (cell: min(Int($0.fraction * Double(plotWidth)), plotWidth - 1), label: FrequencyAxis.label(hertz: $0.hertz))
    }
    return text + axisLine(marks, width: plotWidth, indent: labelWidth, capabilities: capabilities)
  }

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  private static func row(_ level: Double, _ chart: EqualizerChart, _ height: Int) -> Int {
    min(height - 1, Int((1 - chart.range.fraction(of: level)) * Double(height)))
  }

  /// A curve at a place, `0...1` from the left; nil beyond half the sample rate and below the chart.
  private static func level(_ curve: [Double], _ chart: EqualizerChart, _ axis: FrequencyAxis, _ place: Double)
    -> Double?
  {
    let last = axis.fraction(ofHz: chart.points[chart.points.count - 1])
    guard place <= last + 1e-9, last > 0 else { return nil }
    let index = min(curve.count - 1, Int((place / last * Double(curve.count - 1)).rounded()))
    return curve[index] < chart.range.bottom ? nil : curve[index]
  }

  private static func grid(
    _ curve: [Double], _ chart: EqualizerChart, _ axis: FrequencyAxis, _ width: Int, _ height: Int,
    _ capabilities: TerminalCapabilities
  ) -> DotGrid {
    var grid = DotGrid(width: width, height: height, capabilities: capabilities)
    var previous: Int?
    for x in 0..<grid.dotColumnCount {
      let place = (Double(x) + 0.5) / Double(grid.dotColumnCount)
      guard let level = level(curve, chart, axis, place) else {
        previous = nil
        continue
      }
      let y = min(grid.dotRowCount - 1, Int((1 - chart.range.fraction(of: level)) * Double(grid.dotRowCount)))
      // Steep parts are joined.
      let from = previous.map { $0 < y ? $0 + 1 : $0 > y ? $0 - 1 : y } ?? y
      grid.setColumn(x, rows: min(from, y)...max(from, y))
      previous = y
    }
    return grid
  }

  /// The cells that a band goes through, where it does anything.
  private static func cells(
    _ curve: [Double], _ chart: EqualizerChart, _ axis: FrequencyAxis, _ width: Int, _ height: Int
  ) -> [Cell] {
    (0..<width).compactMap { column in
      guard let level = level(curve, chart, axis, (Double(column) + 0.5) / Double(width)), abs(level) > 0.2 else {
        return nil
      }
      return Cell(column: column, row: row(level, chart, height))
    }
  }
}
