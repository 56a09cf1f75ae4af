package import Base

/// Which paths below a root are left out, by patterns of the command line, by `.deadwaxignore` files, and because their folder is
/// among ``ExcludedFolders``.
///
/// As in git, the last pattern that matches decides, patterns of deeper folders come after those above them, and
/// nothing below an excluded folder can be included again. Patterns of the command line come last: no file overrides
/// them, and their `!` overrides files. Nothing includes an excluded folder again.
package struct IgnoreRules: Sendable {
  package static let fileName = ".deadwaxignore"
  /// The rest of a larger file is ignored.
  package static let maximumByteCount = 1 << 20

  private struct Group: Sendable {
    /// Relative to the root; empty for the root itself.
    let folder: BytePath
    let patterns: [GlobPattern]
  }

  private var groups: [Group] = []
  private let excluded: [GlobPattern]
  private let folders: Set<BytePath>

  /// - Parameters:
  ///   - globs: As arguments, see ``ArgumentText``.
  ///   - folders: Relative to the root.
  package init(excluding globs: [String] = [], folders: Set<BytePath> = []) {
    self.folders = folders
    excluded = globs.compactMap { GlobPattern(line: ArgumentText.bytes(of: $0)) }
  }

  /// These rules and those of an ignore file in one folder.
  package func adding(ignoreFile bytes: [UInt8], of folder: BytePath) -> IgnoreRules {
    // Some editors write a byte order mark.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let lines = text.prefix(Self.maximumByteCount).split(separator: UInt8(ascii: "\n"))
    var result = self
    result.groups.append(Group(folder: folder, patterns: lines.compactMap { GlobPattern(line: $0) }))
    return result
  }

  /// Whether a path relative to the root is left out, given that the folders above it are not.
  package func excludes(_ path: BytePath, isDirectory: Bool) -> Bool {
    if isDirectory, folders.contains(path) { return true }
    if let last = excluded.last(where: { $0.matches(path.bytes, isDirectory: isDirectory) }) { return !last.isNegated }
    for group in groups.reversed() {
      let below = path.bytes.dropFirst(group.folder.bytes.isEmpty ? 0 : group.folder.bytes.count + 1)
      if let last = group.patterns.last(where: { $0.matches(below, isDirectory: isDirectory) }) {
        return !last.isNegated
      }
    }
    return false
  }
}

/// One line of gitignore syntax, matched against bytes.
///
/// `*` and `?` stop at slashes, `**` does not, `[a-z]` and `[!a-z]` are classes, `\` takes the next byte literally. A
/// pattern without a slash before its end matches at any depth. A trailing slash matches directories only; a leading
/// `!` includes a path again.
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
  /// What every matching path ends with, backwards: most paths are rejected by it.
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
    // The token positions that are reachable with the path so far.
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

  /// Skips tokens that may match nothing.
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

  /// The class whose first byte after `[` is at `start`, and the index after its `]`; nil if it is not closed.
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
