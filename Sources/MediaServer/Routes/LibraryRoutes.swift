internal import Base
internal import MediaImport
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// The library as a whole: its state, its fields, its problems, and what happens to it.
enum LibraryRoutes {
  static let all = [
    Route(.get, "/openapi.json", "This description.", needs: AccessPolicy.Right.none) { call in
      call.tagged(Array(OpenAPI.document(of: APIRoutes.all).text.utf8), .json)
    },
    Route(.get, "/status", "The library in numbers, and the latest scan.", status),
    Route(.get, "/fields", "The fields that queries and lists can use.", fields),
    Route(.get, "/query", "Whether a query is valid, and where it is not.", [APIRoutes.query.description], check),
    Route(
      .get, "/problems", "Files that are damaged, missing or otherwise not as they should be.",
      [APIRoutes.query.description, APIRoutes.from.description, APIRoutes.limit.description], problems),
    Route(.post, "/scan", "Starts a scan of all folders of the library.") { call in
      _ = try call.document()
      try call.service.scans.start()
      return Reply(status: 202, .object([:]))
    },
    Route(.delete, "/scan", "Stops the scan that was started here.", answers: []) { call in
      guard call.service.scans.stop() else { throw Problem(404, "no scan was started here") }
      return .noContent
    },
    Route(.get, "/events", "Changes of the library as server-sent events.", answers: [.events], events),
    Route(
      .post, "/login", "Changes the token of the printed address for a cookie.", answers: [],
      needs: AccessPolicy.Right.none,
      login),
    Route(.delete, "/login", "Forgets the cookie.", answers: [], needs: AccessPolicy.Right.none) { _ in
      Reply(status: 204, headers: [("Set-Cookie", AccessToken.expiredCookie)])
    },
  ]

  private static func status(_ call: Call) throws -> Reply {
    let canWrite = call.service.library.canWrite && call.request.client == .owner
    let progress = call.service.scans.progress
    return try call.service.library.reading { store in
      let status = try store.status()
      let fileCount = status.files.values.reduce(0, +)
      return Reply(
        .object([
          "name": .string(store.path.lastComponent.displayString), "revision": .string(try store.revision()),
          "can_write": .bool(canWrite), "files": .integer(fileCount),
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

  private static func root(_ status: LibraryStatus.RootStatus) -> JSONValue {
    .object([
      "id": .integer(status.root.id), "path": .string(status.root.path.displayString),
      "files": .integer(status.fileCount), "missing": .integer(status.missingCount),
      "bytes": .integer(status.byteCount),
    ])
  }

  /// null if there was none.
  private static func scan(_ scan: LibraryStatus.Scan?, _ progress: ScanProgress?) -> JSONValue {
    guard let scan else { return .null }
    func time(_ seconds: Int64?) -> JSONValue { .string(seconds.map { Timestamp(secondsSince1970: $0).description }) }
    let summary = scan.summary
    return .object([
      "running": .bool(scan.isRunning), "started_at": time(scan.startedAt), "ended_at": time(scan.endedAt),
      "mine": .bool(progress != nil), "done": .integer(progress?.doneCount), "total": .integer(progress?.totalCount),
      "interrupted": summary.map { .bool($0.isInterrupted) } ?? .null,
      "found": .integer(progress?.foundCount ?? summary?.found),
      "new": .integer(summary?.new), "changed": .integer(summary?.changed), "moved": .integer(summary?.moved),
      "missing": .integer(summary?.missing), "problems": .integer(summary?.problems),
      "decoded_files": .integer(summary?.decodedFiles), "audio_seconds": .number(summary?.audioInSeconds),
      "elapsed_seconds": .number(summary?.elapsedInSeconds),
    ])
  }

  // MARK: - Queries

  /// Of those with more recordings first.
  private static let largestAttributeCount = 10_000

  private static func fields(_ call: Call) throws -> Reply {
    try call.service.library.reading { store in
      let uses = try store.attributeUses()
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

  private static func field(_ field: QueryField) -> JSONValue {
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

  private static func check(_ call: Call) throws -> Reply {
    let text = try call[APIRoutes.query]
    return try call.service.library.reading { store in
      do throws(QueryError) {
        _ = try store.query(text)
        return Reply(.object(["valid": true]))
      } catch {
        return Reply(
          .object(["valid": false, "column": .integer(error.column), "message": .string(error.message)]))
      }
    }
  }

  private static func problems(_ call: Call) throws -> Reply {
    let (text, from, limit) = (try call[APIRoutes.query], try call[APIRoutes.from], try call[APIRoutes.limit])
    var (total, files) = (Int64(0), [FileDetail]())
    let revision = try call.service.library.reading { store in
      try store.forEachProblem(in: try store.query(text)) { file in
        if (from..<from + limit).contains(total) { files.append(file) }
        total += 1
      }
      return try store.revision()
    }
    return try Reply(
      ["revision": .string(revision), "total": .integer(total)], "rows", JSONRows(files) { problem($0) })
  }

  private static func problem(_ file: FileDetail) -> JSONValue {
    .object([
      "file": .integer(file.id), "path": RowText.path(file.path), "state": .string(file.state.rawValue),
      "code": .string(file.problem?.code), "reason": RowText.value(file.problem?.reason),
      "position_seconds": .number(file.problem?.positionInSeconds), "attempts": .integer(file.attempts),
    ])
  }

  // MARK: - Events and login

  private static func events(_ call: Call) throws -> Reply {
    guard let subscription = call.service.events.subscribe(for: call.request.client) else { throw Problem.busy }
    var reply = Reply(
      status: 200, headers: [("Content-Type", MediaType.events.rawValue), ("Cache-Control", "no-store")])
    reply.body = .events(subscription)
    return reply
  }

  private static func login(_ call: Call) throws -> Reply {
    let token = call.service.access.token
    guard let text = try call.document()["token"]?.string, token.isEqual(text) else {
      throw Problem(401, "this is not the token of the printed address")
    }
    return Reply(status: 204, headers: [("Set-Cookie", token.cookie)])
  }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}
