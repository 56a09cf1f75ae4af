/// A key or a click.
enum TerminalKey: Hashable {
  case character(Character)
  case left, right, up, down, home, end, pageUp, pageDown
  case enter, escape, backspace, delete
  /// A control key by its letter: `c` for Ctrl-C.
  case control(Character)
  /// The left button was pressed; cells are counted from 0.
  case click(column: Int, row: Int)
  case wheel(up: Bool)

  /// The keys in bytes from a terminal.
  ///
  /// - Returns: Also the bytes that are not complete yet: those of a character or of an escape sequence.
  static func keys(in bytes: [UInt8]) -> (keys: [TerminalKey], rest: [UInt8]) {
    var keys: [TerminalKey] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == 0x1B {
        guard let (key, length) = sequence(rest) else { return (keys, Array(rest)) }
        if let key { keys.append(key) }
        rest = rest.dropFirst(length)
        continue
      }
      let length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1
      guard rest.count >= length else { return (keys, Array(rest)) }
      if let key = plain(rest.prefix(length)) { keys.append(key) }
      rest = rest.dropFirst(length)
    }
    return (keys, [])
  }

  private static func plain(_ bytes: ArraySlice<UInt8>) -> TerminalKey? {
    switch bytes[bytes.startIndex] {
    case 0x0D, 0x0A: return .enter
    case 0x7F, 0x08: return .backspace
    case 1...26: return .control(Character(UnicodeScalar(bytes[bytes.startIndex] + 0x60)))
    case 0..<0x20: return nil
    default: return String(validating: bytes, as: UTF8.self)?.first.map { .character($0) }
    }
  }

  /// The key of an escape sequence and its length; nil if the end is missing. An escape before anything but a bracket
  /// or an O is the key of that name.
  private static func sequence(_ bytes: ArraySlice<UInt8>) -> (TerminalKey?, Int)? {
    guard bytes.count > 1 else { return (.escape, 1) }
    let second = bytes[bytes.startIndex + 1]
    guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return (.escape, 1) }
    let body = bytes.dropFirst(2)
    guard let end = body.firstIndex(where: { (0x40...0x7E).contains($0) }) else {
      // Longer than any that is known: not a sequence.
      return body.count > 32 ? (.escape, 1) : nil
    }
    let parameters = String(decoding: body[body.startIndex..<end], as: UTF8.self)
    return (key(parameters, Character(UnicodeScalar(body[end]))), end - bytes.startIndex + 1)
  }

  private static func key(_ parameters: String, _ final: Character) -> TerminalKey? {
    switch final {
    case "A": return .up
    case "B": return .down
    case "C": return .right
    case "D": return .left
    case "H": return .home
    case "F": return .end
    case "~":
      return switch parameters {
      case "1", "7": .home
      case "3": .delete
      case "4", "8": .end
      case "5": .pageUp
      case "6": .pageDown
      default: nil
      }
    case "M" where parameters.hasPrefix("<"):
      let numbers = parameters.dropFirst().split(separator: ";").compactMap { Int($0) }
      guard numbers.count == 3 else { return nil }
      switch numbers[0] {
      case 0: return .click(column: numbers[1] - 1, row: numbers[2] - 1)
      case 64, 65: return .wheel(up: numbers[0] == 64)
      default: return nil
      }
    default: return nil
    }
  }
}
