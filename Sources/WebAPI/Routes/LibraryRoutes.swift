internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// The library as a whole: its state, its fields, its problems, and its scans.
struct LibraryRoutes {
  let library: LibraryAccess
  let scans: ScanControl
  let writing: FileWriting

  var routes: [Route] {
    [
      Route(.get, "/status", "Statistics of the library, and the latest scan.", status),
      Route(.get, "/fields", "The fields that queries and lists can use.", fields),
      Route(.get, "/query", "Checks a query; an error has its position.", [PageParameters.query], check),
      Route(
        .get, "/problems", "Files that are damaged, missing or have other problems.",
        [PageParameters.query, PageParameters.from, PageParameters.limit], problems),
      Route(.post, "/scan", "Starts a scan of all folders of the library.") { call in
        _ = try call.document()
        try scans.start()
        return Reply(status: 202, .object([:]))
      },
      Route(.delete, "/scan", "Stops the scan that was started by this server.", answers: []) { call in
        guard scans.stop() else { throw HTTPProblem(404, "no scan was started by this server") }
        return .noContent
      },
    ]
  }

  private func status(_ call: Call) throws -> Reply {
    let canWrite = library.canWrite && call.client == .owner
    let canWriteMusic = canWrite && writing.canWrite
    let progress = scans.progress
    return try library.reading { store in
      let status = try store.status()
      let fileCount = status.files.values.reduce(0, +)
      return Reply(
        .object([
          "name": .string(store.path.lastComponent.displayString), "revision": .string(try store.revision()),
          "can_write": .bool(canWrite), "can_write_music": .bool(canWriteMusic),
          "files": .integer(fileCount),
          "listed_files": .integer(fileCount - status.unlistedCount), "recordings": .integer(status.recordingCount),
          "audio_seconds": .number(status.audioInSeconds), "media_bytes": .integer(status.mediaByteCount),
          "library_bytes": .integer(status.libraryByteCount),
          "states": .object(
            status.files.sorted { $0.key.rawValue < $1.key.rawValue }.map {
              JSONValue.Member($0.key.rawValue, .integer($0.value))
            }),
          "roots": .array(status.roots.map(root)), "presets": .integer(status.presetCount),
          "presets_on": .bool(status.arePresetsOn), "scan": scan(status.lastScan, progress),
        ]))
    }
  }

  private func root(_ status: LibraryStatus.RootStatus) -> JSONValue {
    .object([
      "id": .integer(status.root.id), "path": .string(status.root.path.displayString),
      "files": .integer(status.fileCount), "missing": .integer(status.missingCount),
      "bytes": .integer(status.byteCount),
    ])
  }

  /// null if there was none. One that was started here is not in the library before its folders are known.
  private func scan(_ scan: LibraryStatus.Scan?, _ progress: ScanProgress?) -> JSONValue {
    guard scan != nil || progress != nil else { return .null }
    func time(_ seconds: Int64?) -> JSONValue { .string(seconds.map { Timestamp(secondsSince1970: $0).description }) }
    let summary = scan?.summary
    return .object([
      "running": .bool(progress != nil || scan?.isRunning == true), "started_at": time(scan?.startedAt),
      "ended_at": time(scan?.endedAt),
      "mine": .bool(progress != nil), "done": .integer(progress?.doneCount), "total": .integer(progress?.totalCount),
      "interrupted": summary.map { .bool($0.isInterrupted) } ?? .null,
      "found": .integer(progress?.foundCount ?? summary?.found),
      "new": .integer(progress?.newCount ?? summary?.new), "changed": .integer(summary?.changed),
      "moved": .integer(summary?.moved), "missing": .integer(summary?.missing),
      "problems": .integer(progress?.problemCount ?? summary?.problems),
      "decoded_files": .integer(progress?.decodedCount ?? summary?.decodedFiles),
      "audio_seconds": .number(progress?.decodedSeconds ?? summary?.audioInSeconds),
      "elapsed_seconds": .number(progress?.elapsedInSeconds ?? summary?.elapsedInSeconds),
      "remaining_seconds": .number(progress?.remainingSeconds), "reading": .string(ScanDocument.path(progress)),
    ])
  }

  // MARK: - Queries

  /// Of those with more recordings first.
  private let largestAttributeCount = 10_000

  private func fields(_ call: Call) throws -> Reply {
    try library.reading { store in
      let uses = try store.attributes.uses()
      let used = uses.count <= largestAttributeCount ? uses : uses.sorted { $0.recordingCount > $1.recordingCount }
      let attributes = used.prefix(largestAttributeCount).map(\.name)
      let document = JSONValue.object([
        "fields": .array(MediaStore.fields.map(field)),
        "tags": .array(TagNames.known.sorted().map { .string($0.lowercased()) }),
        "attributes": .array(attributes.map { .string($0) }),
      ])
      return call.tagged(Array(document.preceded(by: [.init("schema", .integer(1))]).text.utf8), .json)
    }
  }

  private func field(_ field: QueryField) -> JSONValue {
    var words: [String]?
    let kind: String
    switch field.kind {
    case .keyword(let known): (kind, words) = ("keyword", known)
    case .name(let none): (kind, words) = ("name", [none])
    case .text, .keyText: kind = "text"
    case .tag: kind = "tag"
    case .path: kind = "path"
    case .hexadecimal: kind = "hexadecimal"
    case .musicalKey: kind = "key"
    case .integer: kind = "integer"
    case .real, .tempo: kind = "real"
    case .size: kind = "size"
    case .duration: kind = "duration"
    case .date: kind = "date"
    case .instant: kind = "instant"
    }
    return .object([
      "name": .string(field.name), "kind": .string(kind),
      "words": words.map { .array($0.map { .string($0) }) } ?? .null,
    ])
  }

  private func check(_ call: Call) throws -> Reply {
    let text = try call[PageParameters.query]
    return try library.reading { store in
      do throws(QueryError) {
        _ = try store.query(text)
        return Reply(.object(["valid": true]))
      } catch {
        return Reply(
          .object(["valid": false, "column": .integer(error.column), "message": .string(error.message)]))
      }
    }
  }

  private func problems(_ call: Call) throws -> Reply {
    let (text, from, limit) = (
      try call[PageParameters.query], try call[PageParameters.from], try call[PageParameters.limit]
    )
    var (total, files) = (Int64(0), [FileDetail]())
    let revision = try library.reading { store in
      try store.files.forEachProblem(in: try store.query(text)) { file in
        if (from..<from + limit).contains(total) { files.append(file) }
        total += 1
      }
      return try store.revision()
    }
    return try Reply(
      ["revision": .string(revision), "total": .integer(total)], "rows", JSONRows(files) { problem($0) })
  }

  private func problem(_ file: FileDetail) -> JSONValue {
    .object([
      "file": .integer(file.id), "path": RowText.path(file.path), "state": .string(file.state.rawValue),
      "code": .string(file.problem?.code), "reason": RowText.value(file.problem?.reason),
      "position_seconds": .number(file.problem?.positionInSeconds), "attempts": .integer(file.attempts),
    ])
  }
}
