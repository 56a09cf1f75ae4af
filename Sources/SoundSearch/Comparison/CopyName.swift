internal import Base

/// What file managers and browsers call a copy: `Air (1).flac`, `Air - Copy.flac`, `Air copy 2.flac`, `Air (3rd copy).flac`.
enum CopyName {
  /// How many such marks are at the end of a file's name, before its extension; 0 for most.
  static func markCount(_ path: BytePath) -> Int {
    let name = path.lastComponent.displayString
    var stem = name.lastIndex(of: ".").map { $0 > name.startIndex ? name[..<$0] : name[...] } ?? name[...]
    var count = 0
    while let rest = withoutMark(stem), !rest.isEmpty {
      stem = rest
      count += 1
    }
    return count
  }

  /// nil if there is no mark at the end.
  private static func withoutMark(_ stem: Substring) -> Substring? {
    if stem.last == ")", let start = stem.lastIndex(of: "("), stem[..<start].last == " " {
      let inside = stem[stem.index(after: start)...].dropLast().lowercased().split(separator: " ").map(String.init)
      guard isNumber(inside[...]) || isCopy(inside[...]) else { return nil }
      return stem[..<start].dropLast()
    }
    // Of names without parentheses only what follows the word, with its number.
    var words = stem.split(separator: " ", omittingEmptySubsequences: false)
    if words.count > 2, isNumber(words.suffix(1).map(String.init)[...]) { words.removeLast() }
    guard words.count > 1, words.removeLast().lowercased() == "copy" else { return nil }
    if words.count > 1, words.last == "-" { words.removeLast() }
    return words.last.map { stem[..<$0.endIndex] }
  }

  private static func isNumber(_ words: ArraySlice<String>) -> Bool {
    words.count == 1
      && words.allSatisfy { (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }
  }

  /// `copy`, `copy 2`, `another copy`, `3rd copy`.
  private static func isCopy(_ words: ArraySlice<String>) -> Bool {
    if words.count == 2, words.first == "copy" { return isNumber(words.dropFirst()) }
    guard words.last == "copy" else { return false }
    guard words.count == 2, let first = words.first else { return words.count == 1 }
    return first == "another"
      || ["st", "nd", "rd", "th"].contains { first.hasSuffix($0) && isNumber([String(first.dropLast(2))]) }
  }
}
