import Base
import Foundation
import LibraryMerging
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

struct ListenersTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply(
      (1...3).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0)))) })
  }

  private static let ana = Listener.person(key: Array(1...16), name: "ana")

  private func songs(of personID: Int64? = nil) throws -> [Song] { try store.songs.all(in: [1, 2, 3], of: personID) }

  // MARK: - Keys

  @Test func `each file has a key of its own, which stays when it is read again or moved`() throws {
    let keys = try songs().map(\.key)
    #expect(Set(keys).count == 3 && keys.allSatisfy { $0.count == 32 })
    try store.scans.apply([
      .extracted(Sample.record("1.flac", Sample.extraction(1, title: "Other"))),
      .moved(fileID: 2, rootID: 1, path: BytePath("elsewhere/2.flac"), Sample.status(9)),
    ])
    #expect(try songs().map(\.key) == keys)
    #expect(try store.songs.fileID(key: try #require(ContentHash(hexadecimal: keys[1]))) == 2)
  }

  @Test func `a merge brings the keys along, and never two of one`() throws {
    let other = try TemporaryLibrary()
    let keys = try songs().map(\.key)
    _ = try other.store.merge([store.path], options: MergeOptions())
    #expect(Set(try other.store.songs.all(in: [1, 2, 3], of: nil).map(\.key)) == Set(keys))
    // Moved in one of them, so that the same key comes with another path.
    try store.scans.apply([.moved(fileID: 1, rootID: 1, path: BytePath("moved.flac"), Sample.status(5))])
    _ = try other.store.merge([store.path], options: MergeOptions())
    let merged = try other.store.songs.all(in: [1, 2, 3, 4], of: nil)
    #expect(merged.count == 4 && Set(merged.map(\.key)).count == 4)
  }

  // MARK: - People

  @Test func `a person is known by key, and by name when the key is another one`() throws {
    #expect(try store.people.id(of: Self.ana) == nil)
    let id = try store.people.addedID(of: Self.ana)
    #expect(try store.people.addedID(of: Self.ana) == id && id != 1)
    #expect(try store.people.id(of: .person(key: Array(1...16), name: "renamed")) == id)
    #expect(try store.people.id(of: .person(key: Array(2...17), name: "Ana")) == id)
    #expect(try store.people.id(of: .person(key: Array(2...17), name: "bo")) == nil)
    #expect(try store.people.id(of: .owner) == 1)
  }

  @Test func `nobody becomes the owner by name`() throws {
    let id = try store.people.addedID(of: .person(key: Array(3...18), name: "owner"))
    #expect(id != 1)
  }

  @Test func `what a person says is theirs alone, and can be undone`() throws {
    let ana = try store.people.addedID(of: Self.ana)
    let group = TrackGroup.album("Tides", artist: "Nora Vale")
    try store.attributes.setOpinion(.starred, to: "2026-01-02T03:04:05Z", ofRecordings: [1], groups: [group], by: ana)
    try store.attributes.setOpinion(.rating, to: "80", ofRecordings: [2], groups: [], by: ana)
    #expect(try songs(of: ana).map(\.starredAt) == ["2026-01-02T03:04:05Z", nil, nil])
    #expect(try songs(of: ana).map(\.rating) == [nil, 80, nil])
    #expect(try songs(of: 1).allSatisfy { $0.starredAt == nil && $0.rating == nil })
    #expect(try store.attributes.ofGroups(by: ana).map(\.group) == [group])
    _ = try store.journal.undo()
    _ = try store.journal.undo()
    #expect(try songs(of: ana).allSatisfy { $0.starredAt == nil && $0.rating == nil })
    #expect(try store.attributes.ofGroups(by: ana).isEmpty)
  }

  @Test func `a star that is given again keeps its time`() throws {
    let group = TrackGroup.artist("Nora Vale")
    for time in ["2026-01-01T00:00:00Z", "2026-02-02T00:00:00Z"] {
      try store.attributes.setOpinion(.starred, to: time, ofRecordings: [1], groups: [group], by: 1, keepsOlder: true)
    }
    #expect(try songs(of: 1)[0].starredAt == "2026-01-01T00:00:00Z")
    #expect(try store.attributes.ofGroups(by: 1).map(\.value) == ["2026-01-01T00:00:00Z"])
  }

  @Test func `plays count for who heard them`() throws {
    let ana = try store.people.addedID(of: Self.ana)
    for time in [1000, 2000] as [Int64] {
      _ = try store.plays.note(ofRecording: 3, startedAt: time, seconds: 10, isFinished: true, by: ana)
    }
    #expect(try songs(of: ana).map(\.playCount) == [0, 0, 2])
    #expect(try songs(of: ana)[2].lastPlayedAt == 2000)
    #expect(try songs(of: 1).map(\.playCount) == [0, 0, 0])
    #expect(try store.songs.heard(by: ana).map(\.fileID) == [3])
  }

  @Test func `what is remembered for a client is no change that could be undone`() throws {
    try store.attributes.remember(Song.bookmarkName, "{}", ofRecording: 1, by: 1)
    #expect(try songs(of: 1)[0].bookmark == "{}")
    #expect(throws: StoreError.nothingToUndo) { try store.journal.undo() }
    try store.attributes.remember(Song.bookmarkName, nil, ofRecording: 1, by: 1)
    #expect(try songs(of: 1)[0].bookmark == nil)
  }

  // MARK: - Queue

  @Test func `a queue keeps its order, its place and repeated songs`() throws {
    let songs: [(Int64, Int64?)] = [(2, nil), (1, nil), (2, nil)]
    try store.plays.saveQueue(songs, place: 2, positionInMilliseconds: 1234, by: "phone", of: 1)
    let stored = try #require(try store.plays.queue(of: 1))
    #expect(stored.recordingIDs == [2, 1, 2] && stored.place == 2)
    #expect(stored.positionInMilliseconds == 1234 && stored.changedBy == "phone")
    try store.plays.saveQueue([], place: nil, positionInMilliseconds: 0, by: "", of: 1)
    #expect(try store.plays.queue(of: 1)?.recordingIDs == [])
  }

  @Test func `a merge adds queues and opinions, and replaces none`() throws {
    let other = try TemporaryLibrary()
    try store.plays.saveQueue([(1, nil)], place: 0, positionInMilliseconds: 5, by: "here", of: 1)
    let ana = try store.people.addedID(of: Self.ana)
    let group = TrackGroup.artist("Nora Vale")
    try store.attributes.setOpinion(.rating, to: "60", ofRecordings: [], groups: [group], by: ana)
    _ = try other.store.merge([store.path], options: MergeOptions())
    #expect(try other.store.plays.queue(of: 1)?.changedBy == "here")
    let there = try #require(try other.store.people.id(of: Self.ana))
    #expect(try other.store.attributes.ofGroups(by: there).map(\.value) == ["60"])
    try other.store.attributes.setOpinion(.rating, to: "20", ofRecordings: [], groups: [group], by: there)
    let report = try other.store.merge([store.path], options: MergeOptions())
    #expect(report.libraries[0].attributes.different == 1)
    #expect(try other.store.attributes.ofGroups(by: there).map(\.value) == ["20"])
  }

  // MARK: - Playlists

  @Test func `lists belong to persons, and public ones can be heard by others`() throws {
    let ana = try store.people.addedID(of: Self.ana)
    let id = try store.lists.add("evening", recordingIDs: [3, 1], of: ana)
    #expect(try store.lists.visible(to: 1).isEmpty && store.lists.all().isEmpty)
    #expect(throws: StoreError.noSuchList("\(id)")) { try store.lists.list(id, visibleTo: 1) }
    var change = PlaylistChange()
    change.isPublic = true
    change.comment = "calm"
    try store.lists.change(id, change, of: ana)
    let seen = try store.lists.list(id, visibleTo: 1)
    #expect(seen.owner == "ana" && seen.comment == "calm" && seen.isPublic)
    #expect(try store.lists.fileIDs(of: seen) == [3, 1])
    #expect(throws: StoreError.noSuchList("\(id)")) { try store.lists.delete(id, of: 1) }
    try store.lists.delete(id, of: ana)
    #expect(try store.lists.visible(to: ana).isEmpty)
  }

  @Test func `entries are removed by their places, and added at the end`() throws {
    let id = try store.lists.add("all", recordingIDs: [1, 2, 3, 1], of: 1)
    var change = PlaylistChange()
    change.removedPlaces = [0, 2, 17, -1]
    change.added = [3]
    try store.lists.change(id, change, of: 1)
    let list = try store.lists.list(id, visibleTo: 1)
    #expect(try store.lists.fileIDs(of: list) == [2, 1, 3])
    #expect(try store.lists.all().map(\.name) == ["all"])
    _ = try store.journal.undo()
    #expect(try store.lists.fileIDs(of: list) == [1, 2, 3, 1])
  }

  @Test func `a name that is taken gets a number`() throws {
    _ = try store.lists.add("all", recordingIDs: [], of: 1)
    _ = try store.lists.add("All", recordingIDs: [], of: 1)
    #expect(try store.lists.all().map(\.name).sorted() == ["All (2)", "all"])
  }

  // MARK: - Searches

  @Test func `every word must occur, whatever its length`() throws {
    try store.scans.apply([.extracted(Sample.record("4.flac", Sample.extraction(4, title: "Tide of Ö")))])
    func found(_ words: String...) throws -> [Int64] { try store.songs.fileIDs(containing: words, from: 0, limit: 10) }
    #expect(try found("tide") == [1, 2, 3, 4])
    #expect(try found("TIDE", "o") == [1, 2, 3, 4])
    #expect(try found("tide", "of") == [4])
    #expect(try found("ö", "of") == [4])
    #expect(try found("nora", "absent") == [])
    #expect(try store.songs.fileIDs(containing: ["tide"], from: 1, limit: 2) == [2, 3])
    try store.scans.apply([.missing(fileID: 2)])
    #expect(try found("tide") == [1, 3, 4])
  }
}
