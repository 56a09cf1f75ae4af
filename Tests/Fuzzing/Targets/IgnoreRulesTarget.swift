internal import MediaImport
internal import MediaModel

/// An ignore file, and behind a NUL a path that it is asked about.
struct IgnoreRulesTarget: FuzzTarget {
  let name = "ignore-rules"

  var seeds: [[UInt8]] {
    [
      "*.tmp\n!keep.tmp\0a/keep.tmp", "/a/**/b\n**/x/\0a/c/d/b", "[!a-c]?\\*\n\0d.*", "# no\n  \r\n\\ \0 ",
      "**\n!**/\0a/b",
    ]
    .map { Array($0.utf8) }
  }
  var dictionary: [String] { ["**/", "/**", "**", "[!", "[^", "a-z]", "\\", "!", "/", "\r\n", "\0"] }

  func check(_ bytes: [UInt8]) throws {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    let path = BytePath(parts.count > 1 ? Array(parts[1]) : Array("a/b.mp3".utf8))
    let own = IgnoreRules().adding(ignoreFile: Array(parts[0]), of: BytePath(""))
    let isExcluded = own.excludes(path, isDirectory: false)
    // A rule for folders only can make a difference, all others do not know what a path is.
    let isExcludedFolder = own.excludes(path, isDirectory: true)
    if !parts[0].contains(0x2F) {
      try require(isExcluded == isExcludedFolder, "a file and a folder of one name differ without a rule for folders")
    }
    // The same rules one folder further down say the same of what lies below it.
    let deeper = IgnoreRules().adding(ignoreFile: Array(parts[0]), of: BytePath("deep"))
    let same = deeper.excludes(BytePath("deep").appending(path), isDirectory: false)
    if !path.bytes.isEmpty { try require(same == isExcluded, "rules depend on the folder that they are in") }
  }
}
