import Base
import Foundation
import LibraryMerging
import LibraryScanning
import MediaModel
import MediaStore
import TestSupport
import Testing
import UserData

/// A case of `fixtures/queue/changes.json`, which the page is tested with, too.
struct QueueChangeCase: CustomTestStringConvertible, Sendable {
  let what: String
  let before: StoredQueue
  let change: QueueChange
  let ids: [Int64]
  let currentID: Int64?
  let positionInMilliseconds: Int64

  var testDescription: String { what }

  static let all: [QueueChangeCase] = {
    guard let data = try? Data(contentsOf: Corpora.fixtures.appending(path: "queue/changes.json")),
      let cases = try? JSONValue(parsing: Array(data)).array
    else { return [] }
    return cases.compactMap(QueueChangeCase.init)
  }()

  private init?(_ document: JSONValue) {
    guard let what = document["what"]?.string, let change = document["change"], let entries = document["entries"],
      let after = document["becomes"]
    else { return nil }
    self.what = what
    before = StoredQueue(
      entries: Self.entries(entries), currentID: Self.whole(document["current"]),
      positionInMilliseconds: Self.whole(document["position_ms"]) ?? 0)
    let anchor = Self.whole(change["after"]).map { QueueChange.Anchor.entry($0) } ?? .start
    let position = Self.whole(change["position_ms"]) ?? 0
    if let added = change["insert"] {
      self.change = .insert(Self.entries(added), behind: anchor)
    } else if let moved = change["move"] {
      self.change = .move(Self.ids(moved), behind: anchor)
    } else if let removed = change["remove"] {
      self.change = .remove(Self.ids(removed))
    } else if let place = Self.whole(change["place"]) {
      self.change = .place(place, positionInMilliseconds: position)
    } else {
      self.change = .replace(
        Self.entries(change["replace"] ?? .null), currentID: Self.whole(change["current"]),
        positionInMilliseconds: position, source: nil)
    }
    ids = Self.ids(after)
    currentID = Self.whole(document["then"])
    positionInMilliseconds = Self.whole(document["at_ms"]) ?? -1
  }

  private static func whole(_ value: JSONValue?) -> Int64? { value?.double.flatMap { Int64(exactly: $0) } }
  private static func ids(_ value: JSONValue) -> [Int64] { (value.array ?? []).compactMap { whole($0) } }
  private static func entries(_ value: JSONValue) -> [QueueEntry] {
    ids(value).map { QueueEntry(id: $0, recordingID: $0 + 100) }
  }
}

struct QueueEditTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply(
      (1...3).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0)))) })
  }

  @Test func `the cases are read`() {
    #expect(QueueChangeCase.all.count == 17)
  }

  @Test(arguments: QueueChangeCase.all)
  func `a change is what the page takes it for`(example: QueueChangeCase) {
    var queue = example.before
    queue.apply(example.change)
    #expect(queue.entries.map(\.id) == example.ids && queue.currentID == example.currentID)
    #expect(queue.positionInMilliseconds == example.positionInMilliseconds)
  }

  private func edit(_ changes: QueueChange..., id: UInt8, limit: Int = 100) throws -> Plays.EditOutcome {
    try store.plays.edit(
      .init(id: Array(repeating: id, count: 16), changes: changes, client: "page"), limit: limit, ofQueueOf: 1)
  }

  private func queue(isFormer: Bool = false) throws -> StoredQueue {
    try #require(try store.plays.queue(of: 1, isFormer: isFormer))
  }

  private func entry(_ id: Int64, _ recording: Int64, part: Int? = nil, rank: Int? = nil) -> QueueEntry {
    QueueEntry(id: id, recordingID: recording, part: part, rank: rank)
  }

  @Test func `entries keep their ids, parts, ranks and copies`() throws {
    let entries = [
      entry(QueueEntry.largestID, 2, part: 7, rank: 0), entry(5, 1), entry(6, 2, rank: 70_000),
      QueueEntry(id: 7, recordingID: 3, fileID: 3),
    ]
    let outcome = try edit(
      .replace(entries, currentID: 6, positionInMilliseconds: 1234, source: #"{"q":"x"}"#), id: 1)
    #expect(outcome == .made(version: 1))
    let stored = try queue()
    #expect(stored.entries == entries && stored.currentID == 6 && stored.place == 2)
    #expect(stored.positionInMilliseconds == 1234 && stored.source == #"{"q":"x"}"# && stored.changedBy == "page")
  }

  @Test func `a file of another recording is none of an entry`() throws {
    _ = try edit(.insert([QueueEntry(id: 7, recordingID: 3, fileID: 1)], behind: .start), id: 1)
    #expect(try queue().entries == [QueueEntry(id: 7, recordingID: 3)])
  }

  @Test func `an edit is made once, also after many others`() throws {
    #expect(try edit(.insert([entry(1, 1)], behind: .start), id: 1) == .made(version: 1))
    for other in 2...200 {
      let made = try edit(.place(1, positionInMilliseconds: Int64(other)), id: UInt8(other))
      try #require(made == .made(version: Int64(other)))
    }
    #expect(try edit(.remove([1]), id: 1) == .repeated(version: 200))
    #expect(try queue().entries.count == 1)
  }

  @Test func `a queue that would be too long is left as it is`() throws {
    _ = try edit(.insert([entry(1, 1), entry(2, 2)], behind: .start), id: 1, limit: 2)
    #expect(try edit(.insert([entry(3, 1)], behind: .start), id: 2, limit: 2) == .tooLong(count: 3))
    #expect(try queue().entries.map(\.id) == [1, 2] && queue().version == 1)
  }

  @Test func `a replacement can be taken back, and that, too`() throws {
    _ = try edit(.insert([entry(1, 1), entry(2, 2)], behind: .start), .place(2, positionInMilliseconds: 9), id: 1)
    #expect(try store.plays.queue(of: 1, isFormer: true) == nil)
    _ = try edit(.replace([entry(3, 3)], currentID: 3, positionInMilliseconds: 0, source: nil), id: 2)
    #expect(try queue(isFormer: true).entries.map(\.id) == [1, 2])
    _ = try edit(.restore, id: 3)
    let back = try queue()
    #expect(back.entries.map(\.id) == [1, 2] && back.currentID == 2 && back.positionInMilliseconds == 9)
    #expect(back.version == 3)
    _ = try edit(.restore, id: 4)
    #expect(try queue().entries.map(\.id) == [3])
  }

  @Test func `a client that saves a queue replaces it, and what it keeps keeps its ids`() throws {
    _ = try edit(.insert([entry(1, 1, part: 2), entry(2, 2), entry(3, 1)], behind: .start), id: 1)
    try store.plays.saveQueue([(2, nil), (1, nil), (3, nil)], place: 0, positionInMilliseconds: 77, by: "phone", of: 1)
    let saved = try queue()
    #expect(saved.entries.prefix(2) == [entry(2, 2), entry(1, 1, part: 2)])
    #expect(
      saved.recordingIDs == [2, 1, 3] && saved.currentID == 2 && saved.changedBy == "phone" && saved.version == 2)
    #expect(Set(saved.entries.map(\.id)).count == 3)
    #expect(try queue(isFormer: true).entries.map(\.id) == [1, 2, 3])
    // The same songs at another place are no other queue.
    try store.plays.saveQueue([(2, nil), (1, nil), (3, nil)], place: 1, positionInMilliseconds: 5, by: "phone", of: 1)
    #expect(try queue().entries == saved.entries && queue().currentID == 1)
    #expect(try queue(isFormer: true).entries.map(\.id) == [1, 2, 3])
    _ = try edit(.restore, id: 2)
    #expect(try queue().entries.map(\.id) == [1, 2, 3])
  }

  @Test func `a merge brings a queue with its former one to who has none`() throws {
    _ = try edit(.insert([entry(1, 1)], behind: .start), id: 1)
    _ = try edit(.replace([entry(2, 2)], currentID: 2, positionInMilliseconds: 0, source: nil), id: 2)
    let other = try TemporaryLibrary()
    _ = try other.store.merge([store.path], options: MergeOptions())
    #expect(try other.store.plays.queue(of: 1)?.entries.map(\.id) == [2])
    #expect(try other.store.plays.queue(of: 1, isFormer: true)?.entries.map(\.id) == [1])
  }
}
