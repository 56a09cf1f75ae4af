internal import Base
package import MediaModel

extension TerminalPictures {
  /// The mean spectrum as bars in steps of an eighth of a cell (half a cell in ASCII), levels at the left, frequencies
  /// below.
  ///
  /// - Returns: `height` lines and one for the axis; the empty string if there is nothing to draw.
  package static func spectrum(
    _ summary: SpectrumSummary, weighting: FrequencyWeighting = .none, width: Int, height: Int = 8,
    capabilities: TerminalCapabilities
  ) -> String {
    spectrum(SpectrumTable(summary, weighting: weighting), width: width, height: height, capabilities: capabilities)
  }

  /// - Parameter levels: What the bars cover; nil for about 60 dB up to the loudest band, a round number for each line.
  package static func spectrum(
    _ table: SpectrumTable, width: Int, height: Int = 8, scale: FrequencyAxis.Scale = .log, levels: DecibelRange? = nil,
    capabilities: TerminalCapabilities
  ) -> String {
    let (width, height) = (side(width), side(height))
    let labelWidth = width >= 30 ? 5 : 0
    let plotWidth = width - labelWidth
    let edges = table.bands.map(\.lowInHz) + table.bands.suffix(1).map(\.highInHz)
    guard plotWidth > 0, height > 0, let axis = FrequencyAxis(edgesInHz: edges, scale: scale) else { return "" }
    // On a logarithmic axis a band gets a whole number of cells, or a cell gets the loudest of several bands.
    let cellsPerBand = max(1, plotWidth / table.bands.count)
    let barWidth = scale == .log ? min(plotWidth, table.bands.count * cellsPerBand) : plotWidth
    let range = levels ?? evenRange(around: table.bands.compactMap(\.meanInDB).max(), rowCount: height)
    let heights = (0..<barWidth).map { cell in
      let bands =
        scale == .log
        ? table.bands[place(cell, of: barWidth, in: 0..<table.bands.count)]
        : bands(of: table, in: cell, of: barWidth, axis)
      return range.fraction(of: bands.compactMap(\.meanInDB).max()) * Double(height)
    }

    let labels = levelLabels(of: range, rowCount: height)
    var text = ""
    for row in 0..<height {
      if labelWidth > 0 {
        let label = labels[row]
        text += String(repeating: " ", count: max(0, labelWidth - 1 - label.count)) + label + " "
      }
      let color = ChartTheme.dark.bars[1].mixed(
        with: row * 2 < height ? ChartTheme.dark.bars[0] : ChartTheme.dark.bars[2],
        abs(1 - (2 * Double(row) + 1) / Double(height)))
      var line = TerminalLine(capabilities)
      for bar in heights {
        line.append(
          barCharacter(filled: bar - Double(height - 1 - row), capabilities: capabilities), foreground: color)
      }
      text += line.finish()
    }
    text = text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed(String($0)) }
      .joined(separator: "\n")
    let marks = axis.marks(length: barWidth, minimumDistance: 6).map {
      (cell: min(Int($0.fraction * Double(barWidth)), barWidth - 1), label: FrequencyAxis.label(hertz: $0.hertz))
    }
    return text + axisLine(marks, width: plotWidth, indent: labelWidth, capabilities: capabilities)
  }

  /// At least 60 dB, of which each row covers the same round number.
  static func evenRange(around loudest: Double?, rowCount: Int) -> DecibelRange {
    // Many rows are less than 1 dB each, which needs no round number.
    let perRow = rowCount > 60 ? nil : [1.0, 2, 5, 10, 15, 20, 30, 60].first { $0 * Double(rowCount) >= 60 }
    return DecibelRange(around: loudest, span: perRow.map { $0 * Double(rowCount) } ?? 60)
  }

  /// For every second row the level at its upper edge, and an empty text for the others and for one that would repeat.
  static func levelLabels(of range: DecibelRange, rowCount: Int) -> [String] {
    let perRow = (range.top - range.bottom) / Double(rowCount)
    var last = ""
    return (0..<rowCount).map { row in
      let label = DecibelText.label(range.top - Double(row) * perRow)
      guard row.isMultiple(of: 2), label != last else { return "" }
      last = label
      return label
    }
  }

  /// The bands that overlap a cell of an axis.
  private static func bands(
    of table: SpectrumTable, in cell: Int, of cellCount: Int, _ axis: FrequencyAxis
  ) -> ArraySlice<SpectrumTable.Band> {
    let low = axis.frequencyInHz(at: Double(cell) / Double(cellCount))
    let high = axis.frequencyInHz(at: Double(cell + 1) / Double(cellCount))
    let first = table.bands.firstIndex { $0.highInHz > low } ?? table.bands.endIndex
    let last = table.bands.lastIndex { $0.lowInHz < high } ?? -1
    return first <= last ? table.bands[first...last] : []
  }

  /// The character of a cell that is filled from below; 1 is full.
  private static func barCharacter(filled: Double, capabilities: TerminalCapabilities) -> Character {
    guard capabilities.hasUnicode else { return filled >= 0.75 ? "#" : filled >= 0.25 ? "." : " " }
    let eighths = Int((max(0, min(filled, 1)) * 8).rounded())
    return eighths == 0 ? " " : Array("▁▂▃▄▅▆▇█")[eighths - 1]
  }
}

extension TerminalPictures {
  /// A spectrogram in half blocks with colours; in shades or ASCII without colours.
  ///
  /// - Returns: `height` lines and one for the axis; the empty string if there is nothing to draw.
  package static func spectrogram(
    _ section: SpectrogramSection, width: Int, height: Int = 16, scale: FrequencyAxis.Scale = .log,
    levels: DecibelRange? = nil, colors: ColorMap = .ember, capabilities: TerminalCapabilities
  ) -> String {
    let (width, height) = (side(width), side(height))
    let labelWidth = width >= 30 ? 5 : 0
    let plotWidth = width - labelWidth
    guard plotWidth > 0, height > 0, section.columnCount > 0,
      let axis = FrequencyAxis(edgesInHz: section.edgesInHz, scale: scale)
    else { return "" }
    let hasColor = capabilities.hasUnicode && capabilities.colorDepth > .none
    let raster = SpectrogramRaster(section, scale: scale, width: plotWidth, height: hasColor ? 2 * height : height)
    let range = levels ?? DecibelRange(around: section.maximumInDB.map(Double.init), span: hasColor ? 80 : 60)
    let marks = axis.marks(length: height, minimumDistance: 2)
    func fraction(_ x: Int, _ y: Int) -> Double { range.fraction(of: Double(raster.levelsInDB[y * plotWidth + x])) }

    var text = ""
    for row in 0..<height {
      if labelWidth > 0 {
        let mark = marks.last { min(Int((1 - $0.fraction) * Double(height)), height - 1) == row }
        let label = mark.map { FrequencyAxis.label(hertz: $0.hertz) } ?? ""
        text += String(repeating: " ", count: max(0, labelWidth - 1 - label.count)) + label + " "
      }
      var line = TerminalLine(capabilities)
      for x in 0..<plotWidth {
        if hasColor {
          line.append(
            "▀", foreground: colors.color(at: fraction(x, 2 * row)),
            background: colors.color(at: fraction(x, 2 * row + 1)))
        } else {
          line.append(shade(fraction(x, row), capabilities: capabilities))
        }
      }
      text += line.finish()
    }
    if !hasColor {
      text = text.split(separator: "\n", omittingEmptySubsequences: false).map { trimmed(String($0)) }
        .joined(separator: "\n")
    }
    return text
      + timeAxisLine(
        startInSeconds: section.startInSeconds, durationInSeconds: section.durationInSeconds, width: plotWidth,
        indent: labelWidth, capabilities: capabilities)
  }

  private static func shade(_ fraction: Double, capabilities: TerminalCapabilities) -> Character {
    let shades: [Character] = capabilities.hasUnicode ? [" ", "░", "▒", "▓", "█"] : Array(" .:-=+*#%@")
    return shades[Int((max(0, min(fraction, 1)) * Double(shades.count - 1)).rounded())]
  }
}
