extension TerminalPictures {
  /// The sum as a line of dots, the bands as single points behind it, levels at the left, frequencies below.
  ///
  /// - Returns: `height` lines and one for the axis; the empty string if there is no room.
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

  /// The level of a curve at a place, `0...1` from the left; nil beyond half the sample rate and below the chart.
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
      // Steep parts are connected.
      let from = previous.map { $0 < y ? $0 + 1 : $0 > y ? $0 - 1 : y } ?? y
      grid.setColumn(x, rows: min(from, y)...max(from, y))
      previous = y
    }
    return grid
  }

  /// The cells that the curve of a band goes through, where it has an effect.
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

extension TerminalPictures {
  /// The spectrum of a recording after an equalizer as bars, and before it as points, over the same frequencies as
  /// ``equalizer(_:width:height:capabilities:)``.
  ///
  /// - Returns: `height` lines, a line for the axis and a legend; the empty string if no spectrum is known or there is no
  ///   room.
  package static func equalizedSpectrum(
    _ chart: EqualizerChart, width: Int, height: Int = 6, capabilities: TerminalCapabilities
  ) -> String {
    let (width, height) = (side(width), side(height))
    let labelWidth = width >= 30 ? 5 : 0
    let plotWidth = width - labelWidth
    let frequencies = EqualizerChart.frequencies
    guard let spectrum = chart.spectrum, !spectrum.bands.isEmpty, plotWidth > 1, height > 1,
      let axis = FrequencyAxis(edgesInHz: [frequencies.lowerBound, frequencies.upperBound])
    else { return "" }
    let range = evenRange(around: spectrum.loudest, rowCount: height)
    let columns = (0..<plotWidth).map { column -> EqualizedSpectrum.Band? in
      let place = (Double(column) + 0.5) / Double(plotWidth)
      return spectrum.bands.last {
        axis.fraction(ofHz: $0.lowInHz) <= place && place < axis.fraction(ofHz: $0.highInHz)
      }
    }
    let labels = levelLabels(of: range, rowCount: height)

    var text = ""
    for row in 0..<height {
      if labelWidth > 0 {
        let label = labels[row]
        text += String(repeating: " ", count: max(0, labelWidth - 1 - label.count)) + label + " "
      }
      var line = TerminalLine(capabilities)
      for band in columns {
        let filled = range.fraction(of: band?.after) * Double(height) - Double(height - 1 - row)
        let bar = bar(filled: filled, capabilities: capabilities)
        if bar == " ", let band, self.row(of: range.fraction(of: band.before), height: height) == row {
          line.append(capabilities.hasUnicode ? "·" : ":", foreground: EqualizerColors.beforeText)
        } else {
          line.append(bar, foreground: EqualizerColors.after)
        }
      }
      text += line.finish()
    }
    text = text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed(String($0)) }
      .joined(separator: "\n")
    let marks = axis.marks(length: plotWidth, minimumDistance: 6).map {
      (cell: min(Int($0.fraction * Double(plotWidth)), plotWidth - 1), label: FrequencyAxis.label(hertz: $0.hertz))
    }
    text += axisLine(marks, width: plotWidth, indent: labelWidth, capabilities: capabilities)
    let legend = capabilities.hasUnicode ? "█ after  · before" : "# after  : before"
    return text + String(repeating: " ", count: labelWidth) + legend + "\n"
  }

  private static func row(of fraction: Double, height: Int) -> Int {
    min(height - 1, Int((1 - fraction) * Double(height)))
  }

  /// The character of a cell that is filled from below; 1 is full.
  private static func bar(filled: Double, capabilities: TerminalCapabilities) -> Character {
    guard capabilities.hasUnicode else { return filled >= 0.5 ? "#" : " " }
    let eighths = Int((max(0, min(filled, 1)) * 8).rounded())
    return eighths == 0 ? " " : Array("▁▂▃▄▅▆▇█")[eighths - 1]
  }
}
