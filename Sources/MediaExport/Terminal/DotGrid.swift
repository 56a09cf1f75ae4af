/// Dots to be set one by one and read back as characters: braille cells of 2 × 4, or ASCII cells of 1 × 2.
struct DotGrid {
  let width: Int
  let height: Int
  private let isBraille: Bool
  /// A mask a cell, row by row.
  private var masks: [UInt8]

  /// - Parameters: size in cells.
  init(width: Int, height: Int, capabilities: TerminalCapabilities) {
    self.width = width
    self.height = height
    isBraille = capabilities.hasUnicode
    masks = Array(repeating: 0, count: width * height)
  }

  private var cellWidth: Int { isBraille ? 2 : 1 }
  private var cellHeight: Int { isBraille ? 4 : 2 }
  var dotColumnCount: Int { width * cellWidth }
  var dotRowCount: Int { height * cellHeight }

  /// Braille's numbering of dots: columns left and right, rows from top to bottom.
  private static let brailleMasks: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]

  mutating func setColumn(_ x: Int, rows: ClosedRange<Int>) {
    guard (0..<dotColumnCount).contains(x), dotRowCount > 0 else { return }
    for y in rows.clamped(to: 0...dotRowCount - 1) {
      let cell = y / cellHeight * width + x / cellWidth
      masks[cell] |= isBraille ? Self.brailleMasks[y % 4][x % 2] : 1 << UInt8(y % 2)
    }
  }

  func character(column: Int, row: Int) -> Character {
    let mask = masks[row * width + column]
    guard mask > 0 else { return " " }
    if isBraille { return Unicode.Scalar(0x2800 + UInt32(mask)).map(Character.init) ?? " " }
    return mask == 3 ? "#" : mask == 1 ? "'" : "."
  }
}
