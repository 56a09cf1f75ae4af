internal import Base

/// Rows in aligned columns that fit the terminal. The first rows settle the widths; later ones are written at once.
struct TextTable {
  struct Column {
    var title: String
    var isAlignedRight = false
    /// Whether the column becomes narrower if the terminal is too narrow.
    var canShrink = true
    /// What becomes of a value that is longer than its column is wide, in a terminal.
    var overflow = Overflow.isCut
    /// Of the columns that may be left out in a narrow terminal, the one with the highest number is left out first; nil
    /// for a column that is always shown.
    var dispensability: Int?
    /// The width below which other columns are left out first, and below which this one is not shrunk; nil for the usual one.
    var ownLeastWidth: Int?

    fileprivate var leastWidth: Int { ownLeastWidth ?? (overflow == .isCut ? 12 : 24) }
  }

  enum Overflow {
    case isCut
    /// The name at the end of a path is kept.
    case isCutAsPath
    /// It goes on in lines of its own.
    case wraps
  }

  /// Number of rows that settle the widths.
  private static let sampleCount = 1_000
  private static let gapCount = 2
  /// The largest width of a shrinkable column without a terminal; longer cells stick out without widening other rows.
  private static let widestInFiles = 120

  private let columns: [Column]
  private let hasHeading: Bool
  private var sample: [[String]] = []
  /// nil for a column that is left out.
  private var widths: [Int?]?

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
    if !StandardOutput.isTerminal {
      for index in columns.indices where columns[index].canShrink {
        widths[index] = min(widths[index], Self.widestInFiles)
      }
    }
    let fitting = StandardOutput.isTerminal ? Self.fitted(widths, columns, to: Terminal.width) : widths
    self.widths = fitting
    if hasHeading { try write(columns.map(\.title), fitting) }
    for cells in sample { try write(cells, fitting) }
    sample = []
  }

  /// The widths in a terminal: columns are left out as long as the others do not fit with their least widths, then the
  /// widest are shrunk. What is not lost, the folders of a path for the most part, counts half.
  private static func fitted(_ widths: [Int], _ columns: [Column], to total: Int) -> [Int?] {
    var shown = Array(columns.indices)
    func sum(_ width: (Int) -> Int) -> Int { shown.map(width).reduce(0, +) + gapCount * (shown.count - 1) }
    func least(_ index: Int) -> Int {
      columns[index].canShrink ? min(widths[index], columns[index].leastWidth) : widths[index]
    }
    while sum(least) > total,
      let next = shown.max(by: { columns[$0].dispensability ?? -1 < columns[$1].dispensability ?? -1 }),
      columns[next].dispensability != nil
    {
      shown.removeAll { $0 == next }
    }
    var fitting: [Int?] = columns.indices.map { shown.contains($0) ? widths[$0] : nil }
    var excess = sum { widths[$0] } - total
    func weight(_ index: Int) -> Int { (fitting[index] ?? 0) * (columns[index].overflow == .isCut ? 2 : 1) }
    // If even the least widths do not fit, the columns that can shrink go on to one cell.
    for isLast in [false, true] {
      while excess > 0,
        let widest = shown.filter({ columns[$0].canShrink && fitting[$0] ?? 0 > (isLast ? 1 : least($0)) })
          .max(by: { weight($0) < weight($1) })
      {
        fitting[widest] = fitting[widest].map { $0 - 1 }
        excess -= 1
      }
    }
    return fitting
  }

  private func write(_ cells: [String], _ widths: [Int?]) throws(StandardOutput.Failure) {
    guard StandardOutput.isTerminal, columns.contains(where: { $0.overflow == .wraps }) else {
      return try writeLine(cells, widths)
    }
    var rest = zip(cells, zip(columns, widths)).map { cell, place in
      guard place.0.overflow == .wraps, let width = place.1 else { return [cell] }
      return DisplayWidth.wrapped(cell, toWidth: width)
    }
    repeat {
      try writeLine(rest.map { $0.first ?? "" }, widths)
      rest = rest.map { Array($0.dropFirst()) }
    } while rest.contains { !$0.isEmpty }
  }

  private func writeLine(_ cells: [String], _ widths: [Int?]) throws(StandardOutput.Failure) {
    var line = ""
    var blankCount = 0
    var isFirst = true
    for (index, cell) in cells.enumerated() {
      guard let width = widths[index] else { continue }
      if !isFirst { blankCount += Self.gapCount }
      isFirst = false
      let text = StandardOutput.isTerminal ? truncated(cell, columns[index], toWidth: width) : cell
      let padding = max(0, width - DisplayWidth.of(text))
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

  private func truncated(_ cell: String, _ column: Column, toWidth width: Int) -> String {
    column.overflow == .isCutAsPath
      ? DisplayWidth.truncatedPath(cell, toWidth: width) : DisplayWidth.truncated(cell, toWidth: width)
  }
}
