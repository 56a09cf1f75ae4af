/// A line of cells with colours, written with as few escape sequences as possible.
struct TerminalLine {
  private let depth: TerminalCapabilities.ColorDepth
  private var text = ""
  private var foreground: PictureColor?
  private var background: PictureColor?
  /// Blanks that are written only if something follows.
  private var pendingBlankCount = 0

  init(_ capabilities: TerminalCapabilities) { depth = capabilities.colorDepth }

  mutating func append(
    _ cell: Character, foreground newForeground: PictureColor? = nil, background newBackground: PictureColor? = nil
  ) {
    if cell == " ", newBackground == nil, background == nil {
      pendingBlankCount += 1
      return
    }
    text += String(repeating: " ", count: pendingBlankCount)
    pendingBlankCount = 0
    if depth > .none {
      if (newForeground == nil && foreground != nil) || (newBackground == nil && background != nil) {
        text += "\u{1B}[0m"
        (foreground, background) = (nil, nil)
      }
      if let newForeground, newForeground != foreground { text += Self.sequence(38, newForeground, depth) }
      if let newBackground, newBackground != background { text += Self.sequence(48, newBackground, depth) }
      (foreground, background) = (newForeground, newBackground)
    }
    text.append(cell)
  }

  /// The line without trailing blanks, with colours reset, and a newline.
  consuming func finish() -> String {
    text + (foreground == nil && background == nil ? "" : "\u{1B}[0m") + "\n"
  }

  /// - Parameter layer: 38 for the foreground, 48 for the background.
  static func sequence(_ layer: Int, _ color: PictureColor, _ depth: TerminalCapabilities.ColorDepth) -> String {
    let (red, green, blue) = color.rgb
    switch depth {
    case .trueColor: return "\u{1B}[\(layer);2;\(red);\(green);\(blue)m"
    default: return "\u{1B}[\(layer);5;\(paletteIndex(red, green, blue))m"
    }
  }

  /// The nearest colour of the 6×6×6 cube and the 24 greys in the palette of 256 colours.
  static func paletteIndex(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ part: UInt8) -> Int {
      levels.indices.min { abs(levels[$0] - Int(part)) < abs(levels[$1] - Int(part)) } ?? 0
    }
    func distance(_ r: Int, _ g: Int, _ b: Int) -> Int {
      let (r, g, b) = (r - Int(red), g - Int(green), b - Int(blue))
      return r * r + g * g + b * b
    }
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
    let mean = (Int(red) + Int(green) + Int(blue)) / 3
    let grey = max(0, min((mean - 8 + 5) / 10, 23))
    let level = 8 + 10 * grey
    return distance(level, level, level) < distance(levels[r], levels[g], levels[b])
      ? 232 + grey : 16 + 36 * r + 6 * g + b
  }
}

/// Dots that are set one by one and read as characters: braille cells of 2 × 4, or ASCII cells of 1 × 2.
struct DotGrid {
  let width: Int
  let height: Int
  private let isBraille: Bool
  /// One mask for each cell, row by row.
  private var masks: [UInt8]

  /// Width and height are in cells.
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

  /// Braille's bits of dots: left and right column, rows from top to bottom.
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
