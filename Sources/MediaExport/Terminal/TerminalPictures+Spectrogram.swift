extension TerminalPictures {
  /// A spectrogram in half blocks with colours; in shades or ASCII where there are none.
  ///
  /// - Returns: `height` lines and one for the axis; the empty string when there is nothing to draw.
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
