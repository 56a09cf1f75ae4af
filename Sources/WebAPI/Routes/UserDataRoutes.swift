internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryScanning
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// What users decide: ratings, lists, presets. Changes are on the disk before the answer.
struct UserDataRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(.put, "/tracks/{id}/rating", "Rates a track.", needs: .own, rate),
      Route(.get, "/lists", "All lists.", lists),
      Route(.post, "/lists", "Saves a list of tracks, or a query.", needs: .own, createList),
      Route(.patch, "/lists/{id}", "Changes a list.", needs: .own, changeList),
      Route(.delete, "/lists/{id}", "Deletes a list.", answers: [], needs: .own, deleteList),
      Route(.post, "/undo", "Undoes the caller's latest change.", needs: .own, undo),
    ]
  }

  private func rate(_ call: Call) throws -> Reply {
    let id = try call.id()
    let document = try call.document()
    guard let rating = document["rating"], rating == .null || rating.double.map({ (0...100).contains($0) }) == true
    else {
      throw HTTPProblem(422, "rating is a number from 0 to 100, or null")
    }
    let value = rating.double.map { DecimalText.number($0, places: 1) }
    try library.writing { store in
      guard try store.recordings.recording(id: id) != nil else { throw HTTPProblem(404, "there is no track \(id)") }
      _ = try store.attributes.set("rating", to: value, ofRecordings: [id])
    }
    return Reply(.object(["rating": .number(rating.double)]))
  }

  private func undo(_ call: Call) throws -> Reply {
    _ = try call.document()
    let change = try library.writing { store in
      // To take back a correction that files have by now would leave them alone with it.
      if store.personID == Person.ownerID, let latest = try store.fileChanges.latestAfterJournal() {
        throw HTTPProblem(409, "files were written after the latest change (\(latest.summary)); undo that first")
      }
      return try store.journal.undo(of: store.personID)
    }
    return Reply(.object(["summary": .string(change.summary)]))
  }

  // MARK: - Lists

  private func lists(_ call: Call) throws -> Reply {
    let (revision, lists) = try library.reading { (try $0.revision(), try $0.lists.all()) }
    return try Reply(["revision": .string(revision)], "lists", JSONRows(lists) { Self.document($0) })
  }

  static func document(_ list: SavedList) -> JSONValue {
    .object([
      "id": .integer(list.id), "name": .string(list.name), "query": .string(list.query),
      "tracks": list.query == nil ? .integer(list.entryCount) : .null,
      "changed_at": .string(Timestamp(secondsSince1970: list.changedAt).description),
      "find": .string("list:=\(GroupRoutes.quoted(list.name))"),
    ])
  }

  private let largestQueryByteCount = 10_000

  private func createList(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let name = body["name"]?.string else { throw HTTPProblem(422, "name is missing") }
    return try library.writing { store in
      if let query = body["query"]?.string {
        try requireShort(query)
        try store.lists.save(name, query: query, replaces: false)
      } else {
        try store.lists.save(name, recordingIDs: try ids(body["tracks"] ?? .array([])), replaces: false)
      }
      return Reply(status: 201, Self.document(try store.lists.list(named: name)))
    }
  }

  private func changeList(_ call: Call) throws -> Reply {
    let id = try call.id(of: "list")
    let body = try call.document()
    guard let change = body.members?.first, body.members?.count == 1 else {
      throw HTTPProblem(422, "one of name, query, add, remove and tracks is the change")
    }
    return try library.writing { store in
      let list = try list(id, in: store)
      switch change.key {
      case "name":
        guard let name = change.value.string else { throw HTTPProblem(422, "name is a text") }
        try store.lists.rename(list.name, to: name)
      case "query":
        guard let query = change.value.string else { throw HTTPProblem(422, "query is a text") }
        guard list.query != nil else { throw HTTPProblem(409, "\(list.name) is a list of tracks, which has no query") }
        try requireShort(query)
        try store.lists.save(list.name, query: query, replaces: true)
      case "add":
        let added = try ids(change.value)
        try requireRoom(for: list.entryCount + added.count)
        _ = try store.lists.add(to: list.name, recordingIDs: added)
      case "remove": _ = try store.lists.remove(from: list.name, recordingIDs: try ids(change.value))
      case "tracks": try store.lists.arrange(list.name, recordingIDs: try ids(change.value))
      default: throw HTTPProblem(422, "one of name, query, add, remove and tracks is the change, not \(change.key)")
      }
      return Reply(Self.document(try self.list(id, in: store)))
    }
  }

  private func requireShort(_ query: String) throws(HTTPProblem) {
    guard query.utf8.count <= largestQueryByteCount else {
      throw HTTPProblem(422, "query: at most \(largestQueryByteCount) bytes")
    }
  }

  private func deleteList(_ call: Call) throws -> Reply {
    let id = try call.id(of: "list")
    try library.writing { try $0.lists.delete(try list(id, in: $0).name) }
    return .noContent
  }

  private func list(_ id: Int64, in store: MediaStore) throws -> SavedList {
    guard let list = try store.lists.all().first(where: { $0.id == id }) else {
      throw HTTPProblem(404, "there is no list \(id)")
    }
    return list
  }

  private func ids(_ value: JSONValue) throws(HTTPProblem) -> [Int64] {
    let ids = value.array?.compactMap { $0.double.flatMap { Int64(exactly: $0) } }
    guard let ids, ids.count == value.array?.count else { throw HTTPProblem(422, "tracks are given as a list of ids") }
    try requireRoom(for: ids.count)
    return ids
  }

  private func requireRoom(for count: Int) throws(HTTPProblem) {
    guard count <= SongList.largestCount else {
      throw HTTPProblem(422, "a list that is made here has at most \(SongList.largestCount) tracks")
    }
  }
}
