/// One line of gitignore syntax, matched against bytes.
///
/// `*` and `?` stop at slashes, `**` does not, `[a-z]` and `[!a-z]` are classes, `\` takes the next byte literally. A
/// pattern without a slash before its end matches at any depth. A trailing slash matches directories only; a leading `!`
/// takes a path back in.
///
/// - Complexity: O(pattern · path) for each match, whatever the pattern: no backtracking.
package struct GlobPattern: Sendable {
  private enum Token: Sendable {
    case byte(UInt8)
    case anyByte
    case anyRun
    /// `**/`: any number of whole folders.
    case folders
    /// `**` at the end.
    case everything
    case oneOf([ClosedRange<UInt8>], negated: Bool)

    var isByte: Bool { if case .byte = self { true } else { false } }
  }

  private let tokens: [Token]
  /// What every path that matches ends with, backwards: most paths need not be looked at any further.
  private let ending: [UInt8]
  package let isNegated: Bool
  package let matchesDirectoriesOnly: Bool

  /// nil for blank lines and comments.
  package init?(line: some Collection<UInt8>) {
    var bytes = Array(line)
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    while bytes.last == UInt8(ascii: " "), bytes.dropLast().last != UInt8(ascii: "\\") { bytes.removeLast() }
    guard let first = bytes.first, first != UInt8(ascii: "#") else { return nil }
    isNegated = first == UInt8(ascii: "!")
    if isNegated { bytes.removeFirst() }
    matchesDirectoriesOnly = bytes.last == UInt8(ascii: "/")
    if matchesDirectoriesOnly { bytes.removeLast() }
    guard !bytes.isEmpty else { return nil }
    let isAnchored = bytes.contains(UInt8(ascii: "/"))
    if bytes.first == UInt8(ascii: "/") { bytes.removeFirst() }
    tokens = (isAnchored ? [] : [.folders]) + Self.tokens(of: bytes)
    var ending: [UInt8] = []
    for case .byte(let byte) in tokens.reversed().prefix(while: \.isByte) { ending.append(byte) }
    self.ending = ending
  }

  /// Whether the pattern matches a path relative to the folder that the pattern belongs to.
  package func matches(_ path: some BidirectionalCollection<UInt8>, isDirectory: Bool) -> Bool {
    if matchesDirectoriesOnly && !isDirectory || !path.reversed().starts(with: ending) { return false }
    // The set of token positions that some way of reading the path so far has reached.
    var reached = [Bool](repeating: false, count: tokens.count + 1)
    var next = reached
    reached[0] = true
    spread(&reached, atStartOfComponent: true)
    for byte in path {
      for position in next.indices { next[position] = false }
      for position in tokens.indices where reached[position] {
        switch tokens[position] {
        case .byte(let expected): if byte == expected { next[position + 1] = true }
        case .anyByte: if byte != UInt8(ascii: "/") { next[position + 1] = true }
        case .anyRun: if byte != UInt8(ascii: "/") { next[position] = true }
        case .folders, .everything: next[position] = true
        case .oneOf(let ranges, let negated):
          if byte != UInt8(ascii: "/"), ranges.contains(where: { $0.contains(byte) }) != negated {
            next[position + 1] = true
          }
        }
      }
      spread(&next, atStartOfComponent: byte == UInt8(ascii: "/"))
      swap(&reached, &next)
    }
    return reached[tokens.count]
  }

  /// Steps over tokens that may stand for nothing.
  private func spread(_ reached: inout [Bool], atStartOfComponent: Bool) {
    for position in tokens.indices where reached[position] {
      switch tokens[position] {
      case .anyRun, .everything: reached[position + 1] = true
      case .folders: if atStartOfComponent { reached[position + 1] = true }
      default: break
      }
    }
  }

  private static func tokens(of bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "*"):
        let isDouble = index < bytes.count && bytes[index] == UInt8(ascii: "*")
        let startsComponent = index == 1 || bytes[index - 2] == UInt8(ascii: "/")
        if isDouble && startsComponent && index + 1 == bytes.count {
          tokens.append(.everything)
          index += 1
        } else if isDouble && startsComponent && bytes[index + 1] == UInt8(ascii: "/") {
          tokens.append(.folders)
          index += 2
        } else {
          while index < bytes.count, bytes[index] == UInt8(ascii: "*") { index += 1 }
          tokens.append(.anyRun)
        }
      case UInt8(ascii: "?"): tokens.append(.anyByte)
      case UInt8(ascii: "["):
        if let (token, end) = characterClass(in: bytes, from: index) {
          tokens.append(token)
          index = end
        } else {
          tokens.append(.byte(byte))
        }
      case UInt8(ascii: "\\") where index < bytes.count:
        tokens.append(.byte(bytes[index]))
        index += 1
      default: tokens.append(.byte(byte))
      }
    }
    return tokens
  }

  /// The class whose first byte after `[` is at `start`, and the index after its `]`; nil where none closes it.
  private static func characterClass(in bytes: [UInt8], from start: Int) -> (Token, Int)? {
    var index = start
    var ranges: [ClosedRange<UInt8>] = []
    let negated = index < bytes.count && (bytes[index] == UInt8(ascii: "!") || bytes[index] == UInt8(ascii: "^"))
    if negated { index += 1 }
    let first = index
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "]") && index > first { return (.oneOf(ranges, negated: negated), index + 1) }
      let low = bytes[index]
      if index + 2 < bytes.count, bytes[index + 1] == UInt8(ascii: "-"), bytes[index + 2] != UInt8(ascii: "]") {
        if low <= bytes[index + 2] { ranges.append(low...bytes[index + 2]) }
        index += 3
      } else {
        ranges.append(low...low)
        index += 1
      }
    }
    return nil
  }
}
