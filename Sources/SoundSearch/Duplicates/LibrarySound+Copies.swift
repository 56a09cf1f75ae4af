internal import Base
package import LibraryQueries
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

  /// Lets queries of a store use `same:ID` and `is:duplicate`; each of them then compares all recordings.
  package static func allowQueries(of store: MediaStore) {
    store.findCopies { store, question in
      let relations = try LibrarySound(of: store).relations()
      return try recordings(question, relations, in: store)
    }
  }

  /// The answer to a question about copies: of ``SoundQuestion/copies``, those among the files that are present.
  package static func recordings(
    _ question: SoundQuestion, _ relations: [SoundRelation], in store: MediaStore
  ) throws -> [Int64] {
    let hashes = Set(relations.flatMap { [$0.first, $0.second] })
    let ids = try store.recordingIDs(of: Array(hashes))
    if case .same(let id) = question { return SameRecordings(relations, ids: ids).same(as: id).sorted() }
    var fileCounts: [Int64: Int] = [:]
    try store.forEachRow(of: store.query("-is:missing"), fields: [.id]) { row in
      if case .integer(let id) = row[0] { fileCounts[id, default: 0] += 1 }
    }
    let sets = SameRecordings(relations, ids: ids, identical: Set(fileCounts.filter { $0.value > 1 }.keys)).all
    return sets.filter { set in set.reduce(0) { $0 + (fileCounts[$1] ?? 0) } > 1 }.flatMap { $0.sorted() }
  }
}
