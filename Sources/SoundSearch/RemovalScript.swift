package import Base

/// A shell script that removes files whose sound another file has; nothing is removed until somebody runs it.
///
/// Names are single-quoted, so no name can be anything but data. A file is removed only while the file that is kept for it
/// is there with its size, is no symbolic link, and is another file: two names of one file are no copies.
package struct RemovalScript {
  private var lines: [[UInt8]] = []
  package private(set) var fileCount = 0
  package private(set) var byteCount: Int64 = 0

  package init() {}

  /// Adds a group: the file that is kept, and those that may go with the reason for each.
  package mutating func add(
    keeping kept: (path: BytePath, byteCount: Int64),
    removing others: [(path: BytePath, byteCount: Int64, reason: String)]
  ) {
    lines.append([])
    let keeping = Self.quoted(kept.path) + Array(" \(kept.byteCount)".utf8)
    for other in others {
      lines.append(Array("# ".utf8) + Array(other.reason.filter { !$0.isNewline }.utf8))
      lines.append(Array("remove ".utf8) + Self.quoted(other.path) + Array(" for ".utf8) + keeping)
      fileCount += 1
      byteCount += other.byteCount
    }
  }

  package var bytes: [UInt8] {
    let head = [
      "#!/bin/sh",
      "# Removes \(fileCount) \(fileCount == 1 ? "file" : "files") (\(byteCount) bytes) whose sound other files have, as `deadwax duplicates`",
      "# found them. Read it before you run it; nothing has been removed so far.", "set -e", "",
      "# remove FILE for KEPT SIZE: only while KEPT is still a file of that size, no link, and not FILE itself.",
      "remove() {",
      "  if [ -f \"$3\" ] && [ ! -L \"$3\" ] && [ ! \"$1\" -ef \"$3\" ] && [ \"$(wc -c < \"$3\")\" -eq \"$4\" ]; then",
      "    rm -- \"$1\"",
      "  else",
      "    printf 'left, because the other file is not what it was: %s\\n' \"$1\" >&2",
      "  fi", "}",
    ]
    return head.flatMap { Array($0.utf8) + [0x0A] } + lines.flatMap { $0 + [0x0A] }
  }

  /// In single quotes, of which those of the name itself are written between quotes of the other kind.
  static func quoted(_ path: BytePath) -> [UInt8] {
    [0x27] + path.bytes.flatMap { $0 == 0x27 ? Array("'\"'\"'".utf8) : [$0] } + [0x27]
  }
}
