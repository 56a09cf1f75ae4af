package import Base

/// A shell script that removes files whose sound another file has; nothing is removed until somebody runs it.
///
/// Names are single-quoted, so no name can be anything but data. A file is removed only while it has the size and time of the
/// scan, and while the file that is kept for it is another file, no symbolic link, with the content that it had when the script
/// was written.
package struct RemovalScript {
  private var lines: [[UInt8]] = []
  package private(set) var fileCount = 0
  package private(set) var byteCount: Int64 = 0

  package init() {}

  /// Adds a file that may go, for the one that is kept.
  ///
  /// - Parameter stamp: What the scan saw of the file that may go.
  package mutating func add(
    keeping kept: KeptFile, removing path: BytePath, stamp: FileStatus.Stamp, reason: String
  ) {
    let seconds = stamp.modificationTimeInNanoseconds.dividedDown(by: 1_000_000_000)
    lines.append([])
    lines.append(Array("# ".utf8) + Array(reason.filter { !$0.isNewline }.utf8))
    lines.append(
      Array("remove ".utf8) + Self.quoted(path) + Array(" for ".utf8) + Self.quoted(kept.path)
        + Array(" \(stamp.byteCount) \(seconds) \(kept.byteCount) \(kept.checksum)".utf8))
    fileCount += 1
    byteCount += stamp.byteCount
  }

  package var bytes: [UInt8] {
    let head = [
      "#!/bin/sh",
      "# Removes \(fileCount) \(fileCount == 1 ? "file" : "files") (\(byteCount) bytes) whose sound other files have, as `deadwax duplicates`",
      "# found them. Read it before you run it; nothing has been removed so far.",
      "# Each kept file is read to compare its checksum, so this takes a while.", "",
      "LC_ALL=C", "export LC_ALL", "for tool in stat sha256sum; do",
      "  if ! command -v \"$tool\" > /dev/null; then",
      "    printf 'nothing was removed: %s is not installed\\n' \"$tool\" >&2", "    exit 1", "  fi", "done", "",
      "# remove FILE for KEPT SIZE TIME KEPT-SIZE KEPT-SHA256: only while FILE has that size and time, and while KEPT is",
      "# another file, no link, with that size and content.", "sure=", "remove() {",
      "  if [ ! -f \"$1\" ] || [ -L \"$1\" ] || [ \"$(stat -c '%s %Y' \"$1\")\" != \"$4 $5\" ]; then",
      "    printf 'left, because it is not what it was: %s\\n' \"$1\" >&2", "    return", "  fi",
      "  if [ ! -f \"$3\" ] || [ -L \"$3\" ] || [ \"$1\" -ef \"$3\" ] || [ \"$(stat -c %s \"$3\")\" != \"$6\" ]; then",
      "    sure=", "  elif [ \"$sure\" != \"$7 $3\" ]; then", "    sure=",
      "    if [ \"$(sha256sum < \"$3\")\" = \"$7  -\" ]; then sure=\"$7 $3\"; fi", "  fi",
      "  if [ \"$sure\" = \"$7 $3\" ]; then", "    rm -- \"$1\"", "  else",
      "    printf 'left, because the other file is not what it was: %s\\n' \"$1\" >&2", "  fi", "}",
    ]
    return head.flatMap { Array($0.utf8) + [0x0A] } + lines.flatMap { $0 + [0x0A] }
  }

  /// In single quotes, of which those of the name itself are written between quotes of the other kind.
  static func quoted(_ path: BytePath) -> [UInt8] {
    [0x27] + path.bytes.flatMap { $0 == 0x27 ? Array("'\"'\"'".utf8) : [$0] } + [0x27]
  }
}

extension Int64 {
  /// As `stat` gives the seconds of times before 1970.
  fileprivate func dividedDown(by divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
