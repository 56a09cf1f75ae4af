internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// What a person is about to hear, which clients of OpenSubsonic get and save, too.
struct QueueRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(.get, "/queue", "The queue: its entries, the current one, and the position in it.", queue),
      Route(.post, "/queue", "Edits the queue, once.", needs: .own, edit),
    ]
  }

  /// What a row of the queue has beside `entry`, `rank` and `part`.
  private static let fieldNames = [
    "title", "artist", "album", "duration", "codec", "rate", "lufs", "state", "filename",
  ]
  private static let largestSourceByteCount = 10_000
  private static let largestChangeCount = 1_000

  // MARK: - Reading

  private func queue(_ call: Call) throws -> Reply {
    let revision = try library.fileRevision()
    let (person, stored, former) = try library.reading { store in
      let person = store.personID
      return (person, try store.plays.queue(of: person), try store.plays.queue(of: person, isFormer: true))
    }
    let queue = stored ?? StoredQueue()
    return try call.tagged("queue-\(person)-\(queue.version)-\(revision)") {
      try Reply(
        [
          "version": .integer(queue.version), "current": .integer(queue.currentID),
          "position_ms": .integer(queue.positionInMilliseconds), "source": .string(queue.source),
          "changed_at": stored.map { .string(Timestamp(secondsSince1970: $0.changedAt).description) } ?? .null,
          "changed_by": .string(stored?.changedBy), "former": try former.map(summary) ?? .null,
        ], "rows", rows(queue.entries))
    }
  }

  /// The queue that the latest replacement took the place of, in a few words.
  private func summary(_ queue: StoredQueue) throws -> JSONValue {
    let current = queue.place.map { queue.entries[$0] }
    let title = try current.flatMap { entry in
      try library.reading { try members(of: [entry], in: $0)[0].first { ["title", "filename"].contains($0.key) } }?
        .value
    }
    return .object([
      "tracks": .integer(queue.entries.count), "title": title ?? .null,
      "position_ms": .integer(queue.positionInMilliseconds),
      "changed_at": .string(Timestamp(secondsSince1970: queue.changedAt).description),
      "changed_by": .string(queue.changedBy),
    ])
  }

  /// Rows that are read together.
  private let batchCount = 200

  private func rows(_ entries: [QueueEntry]) -> JSONRows {
    library.rows(entries.count) { store, range, take in
      for start in stride(from: range.lowerBound, to: range.upperBound, by: batchCount) {
        let batch = start..<min(start + batchCount, range.upperBound)
        for (place, members) in zip(batch, try members(of: Array(entries[batch]), in: store)) {
          guard take(place, .object(members)) else { return }
        }
      }
    }
  }

  /// Entries as rows of tables have them; without fields where there is no file.
  private func members(of entries: [QueueEntry], in store: MediaStore) throws -> [[JSONValue.Member]] {
    let files = try entries.map { entry in
      try entry.fileID ?? store.songs.fileIDs(ofRecordings: [entry.recordingID]).first
        ?? store.files.all(ofRecording: entry.recordingID).first?.id
    }
    let fields = Self.fieldNames.compactMap { store.vocabulary[$0] }
    var values: [Int64: [JSONValue.Member]] = [:]
    try store.forEachListRow(ofFiles: Array(Set(files.compactMap { $0 })), fields: fields) { row in
      guard case .integer(let file) = row.cell(0) else { return }
      values[file] = row.fields.indices.flatMap { RowText.cut(row.value($0)).members(key: row.fields[$0].name) }
    }
    return try zip(entries, files).map { entry, file in
      var members: [JSONValue.Member] = [
        .init("entry", .integer(entry.id)), .init("id", .integer(entry.recordingID)),
        .init("rank", .integer(entry.rank)),
      ]
      guard let file else { return members }
      members += values[file] ?? []
      if let number = entry.part, let part = try store.files.parts(ofFile: file).first(where: { $0.number == number }) {
        members.append(.init("part", document(of: part)))
      }
      return members
    }
  }

  private func document(of part: NumberedPart) -> JSONValue {
    .object([
      "number": .integer(part.number), "start": .integer(part.part.frames.lowerBound),
      "end": .integer(part.part.frames.upperBound), "title": .string(part.part.tags.title),
      "artist": .string(part.part.tags.artist),
    ])
  }

  // MARK: - Editing

  private func edit(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let text = body["edit"]?.string, let id = ContentHash(hexadecimal: text), text.utf8.count == 32 else {
      throw HTTPProblem(422, "edit is 32 random hexadecimal digits")
    }
    guard let version = Self.whole(body["version"]), version >= 0 else {
      throw HTTPProblem(422, "version is that of the queue that the edit was made on")
    }
    guard let documents = body["changes"]?.array, !documents.isEmpty, documents.count <= Self.largestChangeCount else {
      throw HTTPProblem(422, "changes is a list of at most \(Self.largestChangeCount) changes")
    }
    let edit = QueueChange.Edit(id: id.bytes, changes: try documents.map(Self.change), client: "Deadwax")
    let outcome = try library.writing { store in
      let present = try store.plays.queue(of: store.personID)?.version ?? 0
      // A library that was restored from a backup.
      guard version <= present else { throw HTTPProblem(409, "the queue is at version \(present): read it again") }
      return try store.plays.edit(edit, limit: SongList.largestCount, ofQueueOf: store.personID)
    }
    switch outcome {
    case .made(let version): return Reply(.object(["version": .integer(version), "made": true]))
    case .repeated(let version): return Reply(.object(["version": .integer(version), "made": false]))
    case .tooLong: throw HTTPProblem(422, "a queue has at most \(SongList.largestCount) entries")
    }
  }

  private static func whole(_ value: JSONValue?) -> Int64? { value?.double.flatMap { Int64(exactly: $0) } }

  /// One of the changes of docs/api.md.
  private static func change(_ document: JSONValue) throws(HTTPProblem) -> QueueChange {
    func position() throws(HTTPProblem) -> Int64 {
      guard let position = document["position_ms"] else { return 0 }
      guard let whole = whole(position), (0...1 << 40).contains(whole) else {
        throw HTTPProblem(422, "position_ms is a whole number of milliseconds")
      }
      return whole
    }
    if let added = document["insert"] { return .insert(try entries(added), behind: try anchor(document["after"])) }
    if let moved = document["move"] { return .move(try ids(moved), behind: try anchor(document["after"])) }
    if let removed = document["remove"] { return .remove(try ids(removed)) }
    if let place = document["place"] { return .place(try id(place), positionInMilliseconds: try position()) }
    if let added = document["replace"] {
      let current = document["current"].flatMap { $0 == .null ? nil : $0 }
      var currentID: Int64?
      if let current { currentID = try id(current) }
      return .replace(
        try entries(added), currentID: currentID, positionInMilliseconds: try position(),
        source: try source(document["source"] ?? .null))
    }
    if let text = document["source"] { return .source(try source(text)) }
    if document["restore"] == .bool(true) { return .restore }
    throw HTTPProblem(422, "a change has one of insert, move, remove, replace, place, source and restore")
  }

  private static func id(_ value: JSONValue) throws(HTTPProblem) -> Int64 {
    guard let id = whole(value), (1...QueueEntry.largestID).contains(id) else {
      throw HTTPProblem(422, "an entry is named by a whole number from 1 to 2^53 - 1")
    }
    return id
  }

  private static func ids(_ value: JSONValue) throws(HTTPProblem) -> [Int64] {
    guard let values = value.array else { throw HTTPProblem(422, "entries are named by a list of their numbers") }
    var ids: [Int64] = []
    for value in values { ids.append(try id(value)) }
    return ids
  }

  private static func anchor(_ value: JSONValue?) throws(HTTPProblem) -> QueueChange.Anchor {
    guard let value, value != .null else { return .start }
    return .entry(try id(value))
  }

  private static func source(_ value: JSONValue) throws(HTTPProblem) -> String? {
    if value == .null { return nil }
    guard let text = value.string, text.utf8.count <= largestSourceByteCount, !text.contains("\0") else {
      throw HTTPProblem(422, "source is a text of at most \(largestSourceByteCount) bytes, or null")
    }
    return text
  }

  private static func entries(_ value: JSONValue) throws(HTTPProblem) -> [QueueEntry] {
    guard let documents = value.array, documents.count <= SongList.largestCount else {
      throw HTTPProblem(422, "entries are a list of at most \(SongList.largestCount)")
    }
    var entries: [QueueEntry] = []
    for document in documents {
      guard let number = document["entry"], let track = whole(document["track"]) else {
        throw HTTPProblem(422, "each entry has entry, its number, and track, the id of a track")
      }
      entries.append(
        QueueEntry(
          id: try id(number), recordingID: track, part: try small(document["part"]),
          rank: try small(document["rank"]), fileID: whole(document["file"])))
    }
    return entries
  }

  private static func small(_ value: JSONValue?) throws(HTTPProblem) -> Int? {
    guard let value, value != .null else { return nil }
    guard let number = whole(value), (0..<Int64(UInt32.max)).contains(number) else {
      throw HTTPProblem(422, "part and rank are whole numbers from 0")
    }
    return Int(number)
  }
}
