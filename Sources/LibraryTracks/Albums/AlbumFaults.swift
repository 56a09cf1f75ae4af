internal import LibraryDatabase
package import MediaModel
package import MediaStore

/// What the numbers of an album's tracks show to be wrong, and files of it that could not be read as they should.
package struct AlbumFaults: Hashable, Sendable {
  /// A track that is not there, or is there more than once; discs count from 1.
  package struct Place: Hashable, Comparable, Sendable {
    package var disc: Int
    package var track: Int

    package init(disc: Int, track: Int) {
      self.disc = disc
      self.track = track
    }

    package static func < (left: Place, right: Place) -> Bool { (left.disc, left.track) < (right.disc, right.track) }
  }

  package var missingDiscs: [Int] = []
  /// Of discs that are there in part.
  package var missingTracks: [Place] = []
  /// Numbers that several recordings of one edition have, or several files of one folder.
  package var doubleTracks: [Place] = []
  /// Discs whose files say different totals, or have a track behind it.
  package var contradictingDiscs: [Int] = []
  /// Whether some of an edition's files have a number and others have none.
  package var isPartlyNumbered = false
  /// Files that are not `ok`, by their state.
  package var stateCounts: [FileState: Int] = [:]
  /// Whether a file of the first edition could not be decoded at all, and no other one has its number.
  package var hasUnplayable = false

  package var isIncomplete: Bool {
    hasUnplayable || !missingDiscs.isEmpty || !missingTracks.isEmpty || !doubleTracks.isEmpty
      || !contradictingDiscs.isEmpty
      || isPartlyNumbered
  }

  package init() {}
}

/// What of a file counts for ``AlbumFaults``.
struct NumberedTrack {
  var edition: Int?
  var disc: Int?
  var discTotal: Int?
  var track: Int?
  var trackTotal: Int?
  var recordingID: Int64?
  /// As `file.folder`.
  var folder: Int64?
  var state: FileState

  /// Some number the tracks of a disc from its hundred on: 101 is the first of disc 1, 201 that of disc 2.
  fileprivate var withoutHundred: NumberedTrack? {
    guard let track, trackTotal ?? 0 < 100, case let (hundred, rest) = track.quotientAndRemainder(dividingBy: 100),
      1...9 ~= hundred, rest > 0, disc == nil || disc == hundred || disc == 1
    else { return nil }
    var plain = self
    (plain.disc, plain.track) = (hundred, rest)
    return plain
  }
}

extension AlbumFaults {
  /// - Parameter tracks: all files of an album that are not missing. What is missing or double is looked for in the first edition.
  init(_ tracks: [NumberedTrack]) {
    for track in tracks where track.state != .ok { stateCounts[track.state, default: 0] += 1 }
    // A file that could not be read stands where its number says, if the edition has no other one there.
    let readable = tracks.filter { $0.edition == 1 }
    let known = Set(readable.map { [$0.disc ?? 1, $0.track ?? 0] })
    // What lies only beside files of other editions is one of these.
    let folders = Set(readable.map(\.folder))
    let otherFolders = Set(tracks.filter { $0.edition ?? 1 > 1 }.map(\.folder))
    let unreadable = tracks.filter {
      $0.edition == nil && $0.track != nil && !known.contains([$0.disc ?? 1, $0.track ?? 0])
        && (folders.contains($0.folder) || !otherFolders.contains($0.folder))
    }
    hasUnplayable = unreadable.contains { $0.recordingID == nil && $0.state != .pending }
    let first = readable + unreadable
    var numbered = first.filter { $0.track != nil }
    let withoutHundreds = numbered.compactMap(\.withoutHundred)
    let hasHundreds = withoutHundreds.count == numbered.count
    if hasHundreds { numbered = withoutHundreds }
    guard !numbered.isEmpty, tracks.count > 1 else { return }
    isPartlyNumbered = first.contains { $0.track == nil }
    let discs = Dictionary(grouping: numbered) { $0.disc ?? 1 }
    let discTotal = max(first.compactMap(\.discTotal).max() ?? 0, discs.keys.max() ?? 0)
    // Numbers are what files say: nobody has a thousand discs.
    let isHalf = hasHundreds && discs.count == 1 && first.allSatisfy { $0.disc ?? 1 == 1 }
    if discTotal <= 200, !isHalf { missingDiscs = (1...max(1, discTotal)).filter { discs[$0] == nil } }
    for (disc, tracks) in discs.sorted(by: { $0.key < $1.key }) {
      let byNumber = Dictionary(grouping: tracks) { $0.track ?? 0 }
      let totals = Set(tracks.compactMap(\.trackTotal))
      let last = max(byNumber.keys.max() ?? 0, totals.max() ?? 0)
      if totals.count > 1 || totals.contains(where: { $0 < byNumber.keys.max() ?? 0 }) {
        contradictingDiscs.append(disc)
      }
      if last <= 1_000 {
        missingTracks += (1...max(1, last)).filter { byNumber[$0] == nil }.map { Place(disc: disc, track: $0) }
      }
      doubleTracks += byNumber.filter { _, tracks in
        Set(tracks.map(\.recordingID)).count > 1 || Set(tracks.map(\.folder)).count < tracks.count
      }.keys.sorted().map { Place(disc: disc, track: $0) }
    }
  }
}

extension Albums {
  /// What is wrong with some albums, by their ids; albums without faults have an empty value.
  package func faults(of ids: [Int64]) throws(StoreError) -> [Int64: AlbumFaults] {
    try store.read { db in
      let statement = try db.cachedStatement(
        sql: """
          SELECT album_edition, album_disc, disc_total, track, track_total, audio_id, folder, last_state
            FROM file WHERE album_id = ? AND missing_since IS NULL ORDER BY id
          """)
      let isAlbum = try db.cachedStatement(sql: "SELECT title <> '' FROM album WHERE id = ?")
      var faults: [Int64: AlbumFaults] = [:]
      for id in ids {
        let tracks = try Row.fetchAll(statement, arguments: [id]).map { row in
          try NumberedTrack(
            edition: row[0], disc: row[1], discTotal: row[2], track: row[3], trackTotal: row[4], recordingID: row[5],
            folder: row[6], state: FileState(rawValue: row[7]) ?? .pending)
        }
        var found = AlbumFaults(tracks)
        // Tracks without an album have numbers of other albums.
        if try Bool.fetchOne(isAlbum, arguments: [id]) != true {
          found = AlbumFaults()
          found.stateCounts = AlbumFaults(tracks).stateCounts
        }
        faults[id] = found
      }
      return faults
    }
  }

  /// The loudness of the first edition of some albums in LUFS, by their ids; without those of which nothing is known.
  package func loudness(of ids: [Int64]) throws(StoreError) -> [Int64: Double] {
    let files: [(album: Int64, file: Int64)] = try store.read { db in
      let statement = try db.cachedStatement(
        sql:
          "SELECT id FROM file WHERE album_id = ? AND missing_since IS NULL AND album_edition = 1 ORDER BY id LIMIT 1")
      return try ids.compactMap { id in try Int64.fetchOne(statement, arguments: [id]).map { (id, $0) } }
    }
    var loudness: [Int64: Double] = [:]
    for (album, file) in files { loudness[album] = try store.files.albumLoudness(ofFile: file)?.loudnessInLUFS }
    return loudness
  }
}
