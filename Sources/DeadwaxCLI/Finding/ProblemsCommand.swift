internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

struct ProblemsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "problems",
    abstract: "List files that are damaged, unreadable, unsupported or missing, or that made a worker crash or stall.",
    discussion: """
      \(QueryHelp.short)

      Examples: deadwax problems 'state:damaged'
                deadwax problems --retry 'state:timeout'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var query: QueryArgument

  @Flag(help: "Make the next scan try these files again.")
  var retry = false

  func run() throws {
    if retry { return try retryAll() }
    let count = try library.reading { store in
      let query = try query.query(in: store, remarkingTo: output)
      return document.isWanted
        ? try writeJSON(store, query) : try writeTable(store, query)
    }
    if count == 0, !document.isWanted, !output.quiet, StandardError.isTerminal { StandardError.line("no problems") }
  }

  private func retryAll() throws {
    let ids = try library.writing { store in
      var ids: [Int64] = []
      try store.files.forEachProblem(in: try query.query(in: store, remarkingTo: output)) { file in
        if file.missingSince == nil { ids.append(file.id) }
      }
      try store.files.retry(ids)
      return ids
    }
    if document.isWanted {
      return try document.write(.object(["schema": .integer(1), "retried": .integer(ids.count)]))
    }
    try output.tell("\(NumberText.count(ids.count, "file")) will be tried again by the next scan")
  }

  private func writeJSON(_ store: MediaStore, _ query: Query) throws -> Int {
    var list = ListWriter(isLines: document.jsonl)
    var count = 0
    try store.files.forEachProblem(in: query) { file in
      count += 1
      let item: JSONValue = .object([
        "state": .string(file.state.rawValue),
        "reason": .string(Self.reason(file)),
        "code": .string(file.problem?.code),
        "position_seconds": .number(file.problem?.positionInSeconds),
        "attempts": .integer(file.attempts),
      ])
      try list.add(item.preceded(by: JSONValue.path(file.path)))
    }
    try list.finish()
    return count
  }

  private func writeTable(_ store: MediaStore, _ query: Query) throws -> Int {
    var table = TextTable(
      [
        .init(title: "STATE", canShrink: false, dispensability: 1),
        .init(title: "AT", isAlignedRight: true, canShrink: false, dispensability: 2),
        .init(title: "REASON"), .init(title: "PATH", overflow: .isCutAsPath),
      ])
    var count = 0
    try store.files.forEachProblem(in: query) { file in
      count += 1
      try table.add([
        file.state.rawValue, file.problem?.positionInSeconds.map(DurationText.clock) ?? "", Self.reason(file) ?? "",
        file.path.displayString,
      ])
    }
    try table.finish()
    return count
  }

  private static func reason(_ file: FileDetail) -> String? {
    guard let since = file.missingSince else { return file.problem?.reason }
    return "not found since \(Timestamp(secondsSince1970: since))"
  }
}
