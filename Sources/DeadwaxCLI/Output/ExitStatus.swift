/// The exit statuses of the command besides 0 and 1.
enum ExitStatus {
  static let problemsUnderStrict: Int32 = 3
  static let safetyStop: Int32 = 4
  static let libraryUnusable: Int32 = 5
  static let wrongUsage: Int32 = 64
  static let scanRunning: Int32 = 75

  /// What each means, for `help`, the manual page, and schedulers that start the command (docs/scale.md).
  static let meanings: [(statuses: String, meaning: String)] = [
    ("0", "done; damaged files are results"),
    ("1", "a file, device or service failed; identify, lookup: no match"),
    ("\(problemsUnderStrict)", "done, but there were problems and --strict was given"),
    ("\(safetyStop)", "safety stop: a folder is missing, or too much would be lost"),
    ("\(libraryUnusable)", "the library cannot be used: damaged, read-only, full, locked"),
    ("\(wrongUsage)", "wrong usage; no such track, list, preset, file or folder"),
    ("\(scanRunning)", "another scan, or a command that excludes scans, is running"),
    ("129, 130, 143", "interrupted; the library is consistent"),
  ]

  /// A line for each, in two columns.
  static var table: String {
    let width = meanings.map(\.statuses.count).max() ?? 0
    return meanings.map { statuses, meaning in
      "  \(statuses)\(String(repeating: " ", count: width - statuses.count))  \(meaning)"
    }.joined(separator: "\n")
  }
}
