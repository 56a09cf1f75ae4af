internal import MediaModel

extension TerminalPictures {
  /// The spectrum of a recording after an equalizer as bars, and points where it was before, below the same frequencies as
  /// ``equalizer(_:width:height:capabilities:)`` has.
  ///
  /// - Returns: `height` lines, a line for the axis and one that says what is what; the empty string where no spectrum is
  ///   known or there is no room.
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
    let range = DecibelRange(around: spectrum.loudest, span: 80)
    let columns = (0..<plotWidth).map { column -> EqualizedSpectrum.Band? in
      let place = (Double(column) + 0.5) / Double(plotWidth)
      return spectrum.bands.last {
        axis.fraction(ofHz: $0.lowInHz) <= place && place < axis.fraction(ofHz: $0.highInHz)
      }
    }
    let levels = range.marks(length: height, minimumDistance: 2)

    var text = ""
    for row in 0..<height {
      if labelWidth > 0 {
        let mark = levels.last { self.row(of: $0.fraction, height: height) == row }
        let label = mark.map { DecibelText.label($0.level) } ?? ""
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

  /// The character of a cell that is filled from below to a height, 1 being full.
  private static func bar(filled: Double, capabilities: TerminalCapabilities) -> Character {
    guard capabilities.hasUnicode else { return filled >= 0.5 ? "#" : " " }
    let eighths = Int((max(0, min(filled, 1)) * 8).rounded())
    return eighths == 0 ? " " : Array("▁▂▃▄▅▆▇█")[eighths - 1]
  }
}
