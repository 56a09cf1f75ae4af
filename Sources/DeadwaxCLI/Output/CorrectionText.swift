internal import Base
internal import LibraryTracks
internal import MediaModel
internal import UserData

/// Corrections of tags, as people see them.
enum CorrectionText {
  static func values(_ values: [String]) -> String { values.isEmpty ? "nothing" : values.joined(separator: "; ") }

  /// What a file says about a corrected field.
  static func fileText(_ corrected: CorrectedField) -> String {
    let text = "\(corrected.field.queryName): \(values(corrected.fileValues))"
    switch corrected.state {
    case .active: return text + ", corrected"
    case .satisfied: return text + ", as corrected"
    case .conflict: return text + ", changed since it was corrected (`deadwax tags resolve`)"
    }
  }

  /// Such as `genre=Jazz: 12 files changed (3 unchanged)`.
  static func report(_ what: String, _ report: CorrectionReport, isDryRun: Bool) -> String {
    var text = "\(what): \(NumberText.count(report.changedFileCount, "file")) \(isDryRun ? "would change" : "changed")"
    let rest = report.fileCount - report.changedFileCount - report.unknownFileCount
    var remarks: [String] = []
    if rest > 0 { remarks.append("\(rest) unchanged") }
    if report.copyCount > 0 {
      let copies = report.copyCount == 1 ? "copy" : "copies"
      remarks.append("and \(report.copyCount) \(copies) of the same recording with different values")
    }
    if report.unknownFileCount > 0 { remarks.append("\(report.unknownFileCount) without a known recording") }
    if report.movedDecisionCount > 0 {
      let count = NumberText.count(report.movedDecisionCount, "decision")
      remarks.append("\(count) about artists and albums \(isDryRun ? "would follow" : "followed") to the new name")
    }
    if !remarks.isEmpty { text += " (\(remarks.joined(separator: ", ")))" }
    return text
  }

  static func json(_ report: CorrectionReport, isDryRun: Bool) -> JSONValue {
    .object([
      "schema": .integer(1), "dry_run": .bool(isDryRun), "files": .integer(report.fileCount),
      "changed_files": .integer(report.changedFileCount), "changed_copies": .integer(report.copyCount),
      "corrections": .integer(report.correctionCount),
      "unknown_files": .integer(report.unknownFileCount), "moved_decisions": .integer(report.movedDecisionCount),
    ])
  }

  /// A word as a POSIX shell reads it: in quotes unless nothing in it has a meaning.
  static func shellWord(_ word: String) -> String {
    let isPlain =
      !word.isEmpty && word.first != "-"
      && word.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || "_-./:,+%@".utf8.contains($0)
      }
    return isPlain ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
