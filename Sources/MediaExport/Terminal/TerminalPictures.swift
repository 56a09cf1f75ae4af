/// Waveforms and spectra drawn with characters: values, a size in cells and what the terminal can show become lines of
/// text, each ended by a newline.
package enum TerminalPictures {
  /// Widest and highest drawing in cells; what is asked for beyond is cut to it.
  static let maximumSide = 10_000

  static func side(_ asked: Int) -> Int { max(0, min(asked, maximumSide)) }

  /// A line of labels below a drawing, each a tick and a text to its right; labels that do not fit are left out.
  static func axisLine(
    _ marks: [(cell: Int, label: String)], width: Int, indent: Int = 0, capabilities: TerminalCapabilities
  ) -> String {
    let tick = capabilities.hasUnicode ? "╵" : "'"
    var line = String(repeating: " ", count: indent)
    var end = 0
    for mark in marks {
      let length = mark.label.count + 1
      guard mark.cell >= end, mark.cell + length <= width else { continue }
      line += String(repeating: " ", count: mark.cell - end) + tick + mark.label
      end = mark.cell + length
      // A blank keeps two labels apart.
      if end < width {
        line += " "
        end += 1
      }
    }
    return trimmed(line) + "\n"
  }

  static func timeAxisLine(
    startInSeconds start: Double, durationInSeconds duration: Double, width: Int, indent: Int = 0,
    capabilities: TerminalCapabilities
  ) -> String {
    let axis = TimeAxis(
      startInSeconds: start, placesPerSecond: Double(width) / duration, length: width, minimumDistance: 10)
    return axisLine(
      axis.marks.map { (Int($0.position), $0.label) }, width: width, indent: indent, capabilities: capabilities)
  }

  static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}
