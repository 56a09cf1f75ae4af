internal import Base

/// Rows in aligned columns that fit the terminal. The first rows settle the widths; later ones are written at once.
struct TextTable {
  struct Column {
    var title: String
    var isAlignedRight = false
    /// Whether the column becomes narrower if the terminal is too narrow.
    var canShrink = true
  }

  /// Number of rows that settle the widths.
  private static let sampleCount = 1_000
  private static let gapCount = 2
  /// The largest width of a shrinkable column without a terminal; longer cells stick out without widening other rows.
  private static let widestInFiles = 120

  private let columns: [Column]
  private let hasHeading: Bool
  private var sample: [[String]] = []
  private var widths: [Int]?

  init(_ columns: [Column], hasHeading: Bool = true) {
    self.columns = columns
    self.hasHeading = hasHeading
  }

  mutating func add(_ cells: [String]) throws(StandardOutput.Failure) {
    let cells = cells.map(TerminalText.escaped)
    guard let widths else {
      sample.append(cells)
      if sample.count >= Self.sampleCount { try settle() }
      return
    }
    try write(cells, widths)
  }

  mutating func finish() throws(StandardOutput.Failure) {
    if widths == nil { try settle() }
  }

  private mutating func settle() throws(StandardOutput.Failure) {
    guard !sample.isEmpty else { return }
    var widths = columns.indices.map { column in
      max(
        hasHeading ? DisplayWidth.of(columns[column].title) : 0,
        sample.map { DisplayWidth.of($0[column]) }.max() ?? 0)
    }
    if StandardOutput.isTerminal {
      Self.shrink(&widths, columns, to: Terminal.width)
    } else {
      for index in columns.indices where columns[index].canShrink {
        widths[index] = min(widths[index], Self.widestInFiles)
      }
    }
    self.widths = widths
    if hasHeading { try write(columns.map(\.title), widths) }
    for cells in sample { try write(cells, widths) }
    sample = []
  }

  /// Takes columns of the terminal from the widest column that can shrink, one by one, but leaves each at least six.
  private static func shrink(_ widths: inout [Int], _ columns: [Column], to total: Int) {
    var excess = widths.reduce(0, +) + gapCount * (widths.count - 1) - total
    while excess > 0 {
      let widest = widths.indices.filter { columns[$0].canShrink && widths[$0] > 6 }.max { widths[$0] < widths[$1] }
      guard let widest else { return }
      widths[widest] -= 1
      excess -= 1
    }
  }

  private func write(_ cells: [String], _ widths: [Int]) throws(StandardOutput.Failure) {
    var line = ""
    var blankCount = 0
    for (index, cell) in cells.enumerated() {
      if index > 0 { blankCount += Self.gapCount }
      let text = StandardOutput.isTerminal ? DisplayWidth.truncated(cell, toWidth: widths[index]) : cell
      let padding = max(0, widths[index] - DisplayWidth.of(text))
      if columns[index].isAlignedRight { blankCount += padding }
      // Blanks are written only when something follows, so that no line ends in blanks.
      if !text.isEmpty {
        for _ in 0..<blankCount { line.append(" ") }
        blankCount = 0
        line += text
      }
      if !columns[index].isAlignedRight { blankCount += padding }
    }
    try StandardOutput.write(line + "\n")
  }
}
