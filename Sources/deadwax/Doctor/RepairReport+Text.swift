internal import MediaModel
internal import MediaStore

extension RepairReport {
  /// What `doctor --repair` says: what was saved, then each table that lost something.
  var lines: [String] {
    var lines = [
      "\(path.displayString): \(NumberText.count(rowCount, "row")) saved, "
        + "\(userRowCount) of them what you decided; \(check.isSound ? "sound" : "NOT SOUND")"
    ]
    if hadForeignLog { lines.append("the -wal beside the library belongs to another file, and was left out") }
    lines += tables.filter { !$0.isWhole }.map(\.line)
    lines += contradictions.map { "\($0) is not what was written last, and was kept as it was found" }
    if !contradictions.isEmpty { lines.append("`deadwax preset undo` takes what the journal says instead") }
    if tables.allSatisfy(\.isWhole), contradictions.isEmpty { lines.append("nothing was lost") }
    lines += check.problems.map { "  " + $0 }
    return lines
  }

  var document: JSONValue {
    JSONValue.object([
      "sound": .bool(check.isSound),
      "rows": .integer(rowCount), "user_rows": .integer(userRowCount), "foreign_log": .bool(hadForeignLog),
      "contradictions": .array(contradictions.map { .string($0) }),
      "library_schema": .integer(schemaVersion), "tables": .array(tables.map(\.document)),
    ]).preceded(by: [.init("schema", .integer(1))] + JSONValue.path(path))
  }
}

extension RepairReport.Table {
  fileprivate var line: String {
    var parts = [NumberText.count(rowCount, "row") + " saved"]
    if rebuiltCount > 0 { parts.append("\(rebuiltCount) of them made again from an index or the journal") }
    if brokenRowCount > 0 { parts.append("\(brokenRowCount) of them with text that is damaged") }
    if lostRowCount > 0 { parts.append(NumberText.count(lostRowCount, "damaged row") + " left out") }
    if lostPageCount > 0 { parts.append(NumberText.count(lostPageCount, "page") + " unreadable") }
    if !gaps.isEmpty {
      let shown = gaps.prefix(5).map(Self.text).joined(separator: ", ")
      parts.append("perhaps rows with ids \(shown)" + (gaps.count > 5 ? " and \(gaps.count - 5) more ranges" : ""))
    }
    return "  \(name): \(parts.joined(separator: "; "))"
  }

  private static func text(_ gap: ClosedRange<Int64>) -> String {
    if gap.lowerBound == gap.upperBound { return "\(gap.lowerBound)" }
    return gap.upperBound == .max ? "from \(gap.lowerBound)" : "\(gap.lowerBound) to \(gap.upperBound)"
  }

  fileprivate var document: JSONValue {
    .object([
      "name": .string(name), "user": .bool(isOfUser), "rows": .integer(rowCount), "rebuilt": .integer(rebuiltCount),
      "broken_rows": .integer(brokenRowCount), "lost_rows": .integer(lostRowCount),
      "lost_pages": .integer(lostPageCount),
      "gaps": .array(
        gaps.map { gap in
          .object([
            "first": .integer(gap.lowerBound), "last": gap.upperBound == .max ? .null : .integer(gap.upperBound),
          ])
        }),
    ])
  }
}
