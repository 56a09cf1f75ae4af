internal import LibraryDatabase
internal import MediaModel
package import MediaStore

extension Albums {
  /// The files whose track an edition of their album before theirs has, too, each with the file in the first of these editions.
  ///
  /// Copies of a track are one recording, or have one title: also the same number where an edition has the title twice. Without a title
  /// the numbers of disc and track count. Tracks without an album have no editions.
  package func originals() throws(StoreError) -> [Int64: Int64] {
    try store.read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT file.id, album_id, album_edition, audio_id, album_disc, track, file.title
            FROM album JOIN file ON file.album_id = album.id
           WHERE edition_count > 1 AND known_title <> '' AND missing_since IS NULL AND audio_id IS NOT NULL
                 AND album_edition IS NOT NULL
           ORDER BY album_id, album_edition, file.id
          """)
      var originals: [Int64: Int64] = [:]
      var tracks: [Track] = []
      while let row = try rows.next() {
        let track = try Track(
          file: row[0], album: row[1], edition: row[2], recordingID: row[3], disc: row[4] ?? 1, number: row[5],
          title: TrackTitle.key(row[6] ?? ""))
        if tracks.last?.album != track.album {
          Self.find(in: tracks, &originals)
          tracks = []
        }
        tracks.append(track)
      }
      Self.find(in: tracks, &originals)
      return originals
    }
  }

  private struct Track {
    let file: Int64
    let album: Int64
    let edition: Int
    let recordingID: Int64
    let disc: Int
    let number: Int?
    let title: String

    struct Title: Hashable {
      let edition: Int
      let title: String
    }

    /// - Parameter isAlone: whether no other track of its edition has the title.
    func signs(isAlone: Bool) -> [Sign] {
      var signs = [Sign.recording(recordingID)]
      if let number { signs.append(.place(title: title, disc: disc, track: number)) }
      if isAlone, !title.isEmpty { signs.append(.title(title)) }
      return signs
    }
  }

  /// By which tracks of two editions are found to be the same.
  private enum Sign: Hashable {
    case recording(Int64)
    case place(title: String, disc: Int, track: Int)
    case title(String)
  }

  /// - Parameter tracks: of one album, by edition.
  private static func find(in tracks: [Track], _ originals: inout [Int64: Int64]) {
    let counts = Dictionary(
      tracks.map { (Track.Title(edition: $0.edition, title: $0.title), 1) }, uniquingKeysWith: +)
    var known: [Sign: (file: Int64, edition: Int)] = [:]
    for track in tracks {
      let signs = track.signs(isAlone: counts[Track.Title(edition: track.edition, title: track.title)] == 1)
      let original = signs.lazy.compactMap { known[$0] }.first { $0.edition < track.edition }
      if let original { originals[track.file] = original.file }
      for sign in signs where known[sign] == nil { known[sign] = (original?.file ?? track.file, track.edition) }
    }
  }
}
