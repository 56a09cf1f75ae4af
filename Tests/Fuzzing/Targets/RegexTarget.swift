internal import MediaModel

/// A regular expression in the first line, and a text behind it.
struct RegexTarget: FuzzTarget {
  let name = "regex"

  var seeds: [[UInt8]] {
    [
      "(a|b)*c\nababc", "^\\d{2,3}$\n123", "(?i)é+\\b\nÉÉ é", "[^a-z\\w]+\n--", "((a{0,30}){0,30}){0,2}\naaaa",
      "(a*)*b\naaaa",
    ]
    .map { Array($0.utf8) }
  }
  var dictionary: [String] {
    ["(?i)", "(?:", "\\d", "\\W", "\\b", "{2,3}", "{0,1000}", "[^", "]*", ")+", "|", "^", "$", "\n"]
  }

  func check(_ bytes: [UInt8]) throws {
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let pattern = String(parts[0])
    let regex: NFARegex
    do throws(QueryError) { regex = try NFARegex(pattern) } catch {
      return try require(error.column >= 1, "column \(error.column)")
    }
    let text = parts.count > 1 ? String(parts[1]) : ""
    let isFound = regex.isFound(in: text)
    // A search is not anchored: anything may stand before the text, if nothing asks for its start.
    guard isFound, !pattern.contains(where: { "^$\\(".contains($0) }) else { return }
    try require(regex.isFound(in: "x " + text), "not found behind other text")
  }
}
