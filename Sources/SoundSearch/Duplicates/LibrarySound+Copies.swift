internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
package import MediaStore
internal import QueryLanguage
package import SoundIndex

extension LibrarySound {
  /// The recordings of the library that have sound in common.
  ///
  /// - Parameter onShare: Is given the share that is done, 0 to 1.
  /// - Complexity: O(n log n) for n recordings.
  package func relations(_ onShare: (Double) throws -> Void = { _ in }) throws -> [SoundRelation] {
    try withIndex { try DuplicateSearch($0).relations(onShare) }
  }

  /// What `is:redundant` means in a query: the files of one recording but for the one to keep.
  package static func redundantFileIDs(_ relations: [SoundRelation]? = nil, in store: MediaStore) throws -> [Int64] {
    let relations = try relations ?? LibrarySound(of: store).relations()
    var identical: Set<Int64> = []
    try store.forEachRow(of: store.query("is:duplicate-file"), fields: [.id]) { row in
      if case .integer(let id) = row[0] { identical.insert(id) }
    }
    return try DuplicateGroups(in: store).groups(relations, identical: identical)
      .filter { $0.kind == .sameRecording }.flatMap { $0.members.dropFirst().map(\.file.id) }.sorted()
  }

  /// What `same:ID` means in a query, and for nil `is:duplicate`; compares all recordings.
  package static func recordingIDs(sameAs id: Int64?, in store: MediaStore) throws -> [Int64] {
    try recordingIDs(sameAs: id, LibrarySound(of: store).relations(), in: store)
  }

  /// The same with relations that are known: the recordings that are the same as one, with itself; for nil all that have a copy
  /// among the files that are present.
  package static func recordingIDs(
    sameAs id: Int64?, _ relations: [SoundRelation], in store: MediaStore
  ) throws -> [Int64] {
    let hashes = Set(relations.flatMap { [$0.first, $0.second] })
    let ids = try store.recordings.ids(of: Array(hashes))
    if let id { return SameRecordings(relations, ids: ids).same(as: id).sorted() }
    var fileCounts: [Int64: Int] = [:]
    try store.forEachRow(of: store.query("-is:missing"), fields: [.id]) { row in
      if case .integer(let id) = row[0] { fileCounts[id, default: 0] += 1 }
    }
    let sets = SameRecordings(relations, ids: ids, identical: Set(fileCounts.filter { $0.value > 1 }.keys)).all
    return sets.filter { set in set.reduce(0) { $0 + (fileCounts[$1] ?? 0) } > 1 }.flatMap { $0.sorted() }
  }
}
