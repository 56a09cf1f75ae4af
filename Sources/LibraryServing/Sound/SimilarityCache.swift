internal import Base
internal import Dispatch
package import HTTPServing
internal import LibraryQueries
internal import LibraryTracks
package import MediaModel
package import MediaRendering
package import MediaStore
internal import QueryLanguage
package import SoundIndex
package import SoundSearch
internal import Synchronization

/// What is found by sound in the library of a server; what is made of all recordings is kept until files change.
package final class SimilarityCache: Sendable {
  /// The groups of equal recordings, as far as they are known.
  package struct Copies: Sendable {
    /// Of the library's files, when they were compared; empty if they never were.
    package let revision: String
    let relations: [SoundRelation]
    package let groups: [DuplicateGroup]
    /// The share of a comparison that is running; nil if the groups are those of the library as it is.
    package var share: Double?
  }

  private enum Comparing {
    case nothing
    case running(DispatchGroup)
    case failed(revision: String, any Error)
  }

  private struct CopyState {
    var known: Copies?
    var comparing = Comparing.nothing
    var share = 0.0
  }

  /// So long is an answer delayed to be complete.
  private static let longestWaitInSeconds = 1.0
  /// Excerpts that are identified at once; each takes memory for its spectrum, and a worker.
  private static let excerptLimit = 2

  private let library: LibraryAccess
  private let vectors = Mutex<(revision: String, matrix: SimilarityMatrix)?>(nil)
  private let map = Mutex<(revision: String, points: [SoundMap.Point])?>(nil)
  private let copies = Mutex(CopyState())
  private let excerpts = InFlightLimiter(capacity: SimilarityCache.excerptLimit, ofClient: 1)

  package init(_ library: LibraryAccess) {
    self.library = library
    // What queries ask about sound is answered from what is kept here.
    library.compareSounds(
      by: SoundFinders { [weak self] store, id in
        try self?.similarity(in: store).recordingIDs(similarTo: id) ?? []
      } copies: { [weak self] store, id in
        guard let self else { return [] }
        let copies = try copiesNow()
        guard copies.share == nil else { throw StillComparing() }
        return try LibrarySound.recordingIDs(sameAs: id, copies.relations, in: store)
      } redundantFiles: { [weak self] store in
        guard let self else { return [] }
        let copies = try copiesNow()
        guard copies.share == nil else { throw StillComparing() }
        return try LibrarySound.redundantFileIDs(copies.relations, in: store)
      })
  }

  /// A place among the excerpts that are identified at once, until it is released.
  package func excerptPlace(for client: Client) throws(HTTPProblem) -> InFlightLimiter.Share {
    guard let place = excerpts.share(of: 1, for: client) else { throw .busy }
    return place
  }

  /// What sounds like what, through a connection of this call; one thread makes it while others wait.
  package func similarity(in store: MediaStore) throws -> LibrarySimilarity {
    let revision = try library.fileRevision()
    let matrix = try vectors.withLock { known in
      if let known, known.revision == revision { return known.matrix }
      let matrix = try LibrarySimilarity(store).matrix
      known = (revision, matrix)
      return matrix
    }
    return LibrarySimilarity(store, matrix: matrix)
  }

  /// Recordings and where they are on the map.
  package func map(in store: MediaStore) throws -> (hashes: [ContentHash], points: [SoundMap.Point]) {
    let revision = try library.fileRevision()
    let matrix = try similarity(in: store).matrix
    let points = map.withLock { known in
      if let known, known.revision == revision, known.points.count == matrix.count { return known.points }
      let points = SoundMap(matrix).points
      known = (revision, points)
      return points
    }
    return (matrix.hashes, points)
  }

  // MARK: - Copies

  /// The groups of the library as it is, or those from before with the share of the comparison that is running.
  package func copiesNow() throws -> Copies {
    let revision = try library.fileRevision()
    let waiting = try copies.withLock { state -> DispatchGroup? in
      if state.known?.revision == revision { return nil }
      switch state.comparing {
      case .running(let group): return group
      case .failed(revision, let error): throw error
      case .failed, .nothing: break
      }
      let group = DispatchGroup()
      state.comparing = .running(group)
      state.share = 0
      DispatchQueue.global(qos: .utility).async(group: group) { [self] in compare(revision) }
      return group
    }
    _ = waiting?.wait(timeout: .now() + Self.longestWaitInSeconds)
    return try copies.withLock { state in
      if case .failed(revision, let error) = state.comparing { throw error }
      var found = state.known ?? Copies(revision: "", relations: [], groups: [])
      if found.revision != revision { found.share = state.share }
      return found
    }
  }

  private func compare(_ revision: String) {
    let result = Result { () throws -> Copies in
      try library.reading { store in
        let sound = LibrarySound(of: store)
        let relations = try sound.relations { [self] share in copies.withLock { $0.share = share } }
        var identical = Set<Int64>()
        try store.forEachRow(of: store.query("is:duplicate-file"), fields: [.id]) { row in
          if case .integer(let id) = row[0] { identical.insert(id) }
        }
        let groups = try DuplicateGroups(in: store).groups(relations, identical: identical)
        return Copies(revision: revision, relations: relations, groups: groups)
      }
    }
    copies.withLock { state in
      switch result {
      case .success(let found): (state.known, state.comparing) = (found, .nothing)
      case .failure(let error): state.comparing = .failed(revision: revision, error)
      }
    }
  }
}

/// A query cannot wait for a comparison of all recordings.
private struct StillComparing: Error, CustomStringConvertible {
  let description = "the recordings are being compared; try again in a moment"
}
