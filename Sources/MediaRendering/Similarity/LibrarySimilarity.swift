package import Base
internal import Foundation
internal import LibraryQueries
package import LibraryTracks
internal import MediaModel
package import MediaStore
package import SoundIndex

/// What sounds like what in a library.
///
/// The vectors of all recordings are kept in a file beside the library, named after it with `.similar` behind. It is made
/// when it is first needed and again when the library has other statistics; if it cannot be written, everything works
/// without it, more slowly.
package struct LibrarySimilarity {
  package let matrix: SimilarityMatrix
  private let store: MediaStore

  /// A recording that sounds like another one.
  package struct Match: Hashable, Sendable {
    package var track: ComparedTrack
    /// 0 like a random recording, 1 the same.
    package var likeness: Double
  }

  /// What is not to be found.
  package struct Filter: Sendable {
    package var leavesOutArtist: Bool
    package var leavesOutAlbum: Bool

    package init(leavesOutArtist: Bool = false, leavesOutAlbum: Bool = false) {
      self.leavesOutArtist = leavesOutArtist
      self.leavesOutAlbum = leavesOutAlbum
    }

    func accepts(_ track: ComparedTrack, besides other: ComparedTrack?) -> Bool {
      guard track.isPresent, !track.isDamaged else { return false }
      guard let other else { return true }
      func isSame(_ one: String?, _ two: String?) -> Bool { one != nil && one == two }
      if leavesOutArtist, isSame(track.artist ?? track.albumArtist, other.artist ?? other.albumArtist) { return false }
      return !(leavesOutAlbum && isSame(track.album, other.album))
    }
  }

  package init(_ store: MediaStore) throws {
    self.store = store
    matrix = try Self.matrix(of: store)
  }

  /// With the vectors of an earlier one; the library has the same statistics as then.
  package init(_ store: MediaStore, matrix: SimilarityMatrix) {
    self.store = store
    self.matrix = matrix
  }

  /// What `similar:ID` means in a query: the recording, then those that sound like it, most alike first.
  package static func recordingIDs(similarTo id: Int64, in store: MediaStore) throws -> [Int64] {
    try LibrarySimilarity(store).recordingIDs(similarTo: id)
  }

  /// The recording, then those that sound like it, most alike first.
  package func recordingIDs(similarTo id: Int64) throws -> [Int64] {
    [id] + (try matches(toRecording: id, withCopies: true).map(\.track.recordingID))
  }

  /// The recordings that sound most like one of the library, most alike first; none that is damaged.
  ///
  /// - Parameter withCopies: whether copies, cuts and other masters come, too, of the recording and of others that were found.
  /// - Throws: ``RenderingError/notStored(_:_:)`` if it has no statistics.
  package func matches(
    toRecording id: Int64, count: Int = .max, filter: Filter = Filter(), withCopies: Bool = false
  ) throws -> [Match] {
    let index = try place(ofRecording: id)
    let own = try store.tracks.compared([matrix.hashes[index]])[0]
    let found = SimilarTracks(matrix).matches(to: matrix.vector(index), except: index)
    var matches: [Match] = []
    var sounds = DistinctSounds(matrix, in: store)
    if !withCopies { _ = try sounds.add(index) }
    for match in found where matches.count < count {
      guard let track = try store.tracks.compared([matrix.hashes[match.index]])[0], filter.accepts(track, besides: own)
      else { continue }
      guard try withCopies || sounds.add(match.index) else { continue }
      matches.append(Match(track: track, likeness: match.likeness))
    }
    return matches
  }

  /// The recordings that sound most like some others together, most alike first, without copies and what is damaged.
  ///
  /// Recordings without statistics do not count.
  ///
  /// - Parameter withThem: whether those others, and their copies, come, too.
  package func matches(toMeanOf ids: [Int64], count: Int, withThem: Bool) throws -> [Match] {
    let indexes = try ids.compactMap { id in try store.recordings.hash(of: id).flatMap(matrix.index(of:)) }
    guard let mean = SoundVector(meanOf: indexes.map(matrix.vector)) else { return [] }
    var sounds = DistinctSounds(matrix, in: store)
    if !withThem { for index in indexes { _ = try sounds.add(index) } }
    let own = withThem ? [] : Set(indexes)
    var matches: [Match] = []
    for match in SimilarTracks(matrix).matches(to: mean) where matches.count < count && !own.contains(match.index) {
      guard let track = try store.tracks.compared([matrix.hashes[match.index]])[0], track.isPresent, !track.isDamaged,
        try sounds.add(match.index)
      else { continue }
      matches.append(Match(track: track, likeness: match.likeness))
    }
    return matches
  }

  /// How alike some recordings are to another one; nil for those without statistics.
  ///
  /// - Throws: ``RenderingError/notStored(_:_:)`` if the other one has none.
  package func likenesses(of ids: [Int64], to other: Int64) throws -> [Double?] {
    let vector = matrix.vector(try place(ofRecording: other))
    let similar = SimilarTracks(matrix)
    return try ids.map { id in
      id == other
        ? 1 : try store.recordings.hash(of: id).flatMap(matrix.index(of:)).map { similar.likeness(of: $0, to: vector) }
    }
  }

  /// Tracks that lead from one recording to another, see ``FlowingPlaylist``.
  ///
  /// - Parameter allowed: the only recordings between the two; nil for all.
  package func playlist(
    from first: Int64, to last: Int64?, count: Int, among allowed: Set<Int64>? = nil
  ) throws -> [ComparedTrack] {
    let start = try place(ofRecording: first)
    let end = try last.map { try place(ofRecording: $0) }
    var known: [Int: ComparedTrack?] = [:]
    func track(_ index: Int) throws -> ComparedTrack? {
      if let track = known[index] { return track }
      let track = try store.tracks.compared([matrix.hashes[index]])[0]
      known[index] = track
      return track
    }
    var sounds = DistinctSounds(matrix, in: store)
    for named in [start, end].compactMap({ $0 }) { _ = try sounds.add(named) }
    let places = try FlowingPlaylist(matrix).places(from: start, to: end, count: count) { index in
      guard let track = try track(index), track.isPresent, !track.isDamaged else { return false }
      return allowed?.contains(track.recordingID) ?? true
    } takes: { index in
      try sounds.add(index)
    } track: { index in
      let track = try track(index)
      let artist = track?.artist ?? track?.albumArtist
      let song = track?.title.map { TextFolding.fold("\(artist ?? "")\n\($0)") }
      return FlowingPlaylist.Track(beatsPerMinute: track?.beatsPerMinute, key: track?.key, artist: artist, song: song)
    }
    return try places.compactMap { try track($0) }
  }

  private func place(ofRecording id: Int64) throws -> Int {
    guard let hash = try store.recordings.hash(of: id) else { throw TrackError.noTrack(id: id) }
    guard let index = matrix.index(of: hash) else { throw RenderingError.notStored(.similarity, nil) }
    return index
  }

  // MARK: - The file beside the library

  package static func filePath(of store: MediaStore) -> BytePath { BytePath(store.path.bytes + Array(".similar".utf8)) }

  private static func matrix(of store: MediaStore) throws -> SimilarityMatrix {
    let projection = SoundProjection.current
    // Before the statistics are read: what is written meanwhile makes the file one of an earlier state.
    let mark = try store.stateMark()
    let path = filePath(of: store)
    if !store.isTemporary, let data = try? Data(contentsOf: URL(filePath: path.displayString)) {
      let bytes = [UInt8](data)
      let found = try SimilarityFile.matrix(
        in: bytes, version: projection.version, mark: mark, state: store.products.similarityState)
      if let found {
        if !found.isMarked { try? OutputFile(path).write(SimilarityFile.bytes(bytes, markedWith: mark)) }
        return found.matrix
      }
    }
    let state = try store.products.similarityState()
    var matrix = SimilarityMatrix()
    try store.products.forEachSimilarity { hash, statistics in matrix.append(hash, projection.vector(of: statistics)) }
    // Small libraries are read faster than a file is written.
    if !store.isTemporary, matrix.count >= leastCountForFile {
      try? OutputFile(path).write(
        SimilarityFile.bytes(of: matrix, version: projection.version, mark: mark, state: state))
    }
    return matrix
  }

  private static let leastCountForFile = 5_000
}

extension ComparedTrack {
  /// The track as `similar --json` and the API give it.
  package func json(likeness: Double? = nil) -> JSONValue {
    let object: JSONValue = .object([
      "id": .integer(recordingID), "likeness": .number(likeness), "artist": .string(artist),
      "title": .string(title), "album": .string(album), "bpm": .number(beatsPerMinute),
      "key": .string(key?.name), "camelot": .string(key?.camelot),
      "duration_seconds": .number(durationInSeconds),
    ])
    return object.preceded(by: JSONValue.path(path))
  }
}
