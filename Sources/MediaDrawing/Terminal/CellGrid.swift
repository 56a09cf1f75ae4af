internal import Base

/// One cell of a terminal.
package struct TerminalCell: Hashable, Sendable {
  /// nil for the right half of a wide character.
  package var character: Character?
  /// nil for the terminal's own.
  package var foreground: PictureColor?
  package var background: PictureColor?
  package var isBold = false
  /// Whether foreground and background are exchanged.
  package var isReversed = false

  package init(_ character: Character? = " ", _ foreground: PictureColor? = nil) {
    self.character = character
    self.foreground = foreground
  }
}

/// What a terminal shows, cell by cell.
package struct CellGrid: Hashable, Sendable {
  package let width: Int
  package let height: Int
  private var cells: [TerminalCell]

  package init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = Array(repeating: TerminalCell(), count: self.width * self.height)
  }

  /// Cells outside of the grid are blank, and nothing is written there.
  package subscript(column: Int, row: Int) -> TerminalCell {
    get { isInside(column, row) ? cells[row * width + column] : TerminalCell() }
    set { if isInside(column, row) { cells[row * width + column] = newValue } }
  }

  private func isInside(_ column: Int, _ row: Int) -> Bool {
    (0..<width).contains(column) && (0..<height).contains(row)
  }

  /// Writes a text without control characters into a row, cut to a width with an ellipsis.
  ///
  /// - Returns: The column behind it.
  @discardableResult
  package mutating func write(
    _ text: String, column: Int, row: Int, _ foreground: PictureColor? = nil, isBold: Bool = false,
    isReversed: Bool = false, upTo limit: Int? = nil
  ) -> Int {
    var column = column
    let room = max(0, min(limit ?? width, width) - column)
    for character in DisplayWidth.truncated(TerminalText.escaped(text), toWidth: room) {
      let width = DisplayWidth.of(String(character))
      guard width > 0 else { continue }
      for part in 0..<width {
        var cell = TerminalCell(part == 0 ? character : nil, foreground)
        cell.isBold = isBold
        cell.isReversed = isReversed
        self[column + part, row] = cell
      }
      column += width
    }
    return column
  }

  /// The same, ending before a column.
  package mutating func write(_ text: String, endingAt end: Int, row: Int, _ foreground: PictureColor? = nil) {
    write(text, column: max(0, end - DisplayWidth.of(TerminalText.escaped(text))), row: row, foreground)
  }

  /// The characters of a row, for those who read it.
  package func text(ofRow row: Int) -> String {
    String((0..<width).compactMap { self[$0, row].character })
  }
}

extension CellGrid {
  /// What to send to a terminal that shows `old`, so that it shows this; only cells that differ are written.
  ///
  /// - Parameter old: nil, or of another size, for a terminal that shows something else: it is cleared.
  package func update(from old: CellGrid?, _ capabilities: TerminalCapabilities) -> String {
    let known = old.flatMap { $0.width == width && $0.height == height ? $0 : nil }
    var text = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    let before = known ?? CellGrid(width: width, height: height)
    var style = TerminalCell()
    var cursor: (column: Int, row: Int)?
    for row in 0..<height {
      for column in 0..<width {
        let cell = self[column, row]
        guard cell != before[column, row], let character = cell.character else { continue }
        if cursor?.column != column || cursor?.row != row { text += "\u{1B}[\(row + 1);\(column + 1)H" }
        text += Self.change(from: style, to: cell, capabilities.colorDepth)
        style = cell
        text.append(character)
        // Behind the last column the cursor is in different places in different terminals.
        let next = column + max(1, DisplayWidth.of(String(character)))
        cursor = next < width ? (next, row) : nil
      }
    }
    return text.isEmpty ? "" : text + (style.hasStyle ? "\u{1B}[0m" : "")
  }

  private static func change(
    from old: TerminalCell, to new: TerminalCell, _ depth: TerminalCapabilities.ColorDepth
  ) -> String {
    var old = old
    var text = ""
    let dropsColor =
      (old.foreground != nil && new.foreground == nil) || (old.background != nil && new.background == nil)
    if dropsColor || (old.isBold && !new.isBold) || (old.isReversed && !new.isReversed) {
      text = "\u{1B}[0m"
      old = TerminalCell()
    }
    if new.isBold, !old.isBold { text += "\u{1B}[1m" }
    if new.isReversed, !old.isReversed { text += "\u{1B}[7m" }
    if depth > .none {
      if let color = new.foreground, color != old.foreground { text += TerminalLine.sequence(38, color, depth) }
      if let color = new.background, color != old.background { text += TerminalLine.sequence(48, color, depth) }
    }
    return text
  }
}

extension TerminalCell {
  fileprivate var hasStyle: Bool { foreground != nil || background != nil || isBold || isReversed }
}
