internal import LibraryDatabase
internal import MediaModel
package import MediaStore

extension Albums {
  /// The files whose track an edition of their album before theirs has, too, each with the file there.
  ///
  /// Copies of a track are one recording, have one title, or the numbers of one disc and track if none has a title. Tracks without an album
  /// have no editions.
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
      var album: Int64?
      // Of the editions of this album that were read: each file with its edition.
      var known: [TrackSign: (file: Int64, edition: Int)] = [:]
      while let row = try rows.next() {
        let (file, edition): (Int64, Int) = try (row[0], row[2])
        if try row[1] != album {
          album = try row[1]
          known = [:]
        }
        let signs = try TrackSign.all(recordingID: row[3], disc: row[4], track: row[5], title: row[6])
        if let original = signs.lazy.compactMap({ known[$0] }).first(where: { $0.edition < edition }) {
          originals[file] = original.file
        }
        for sign in signs where known[sign] == nil { known[sign] = (originals[file] ?? file, edition) }
      }
      return originals
    }
  }
}

/// By which tracks of two editions are found to be the same.
private enum TrackSign: Hashable {
  case recording(Int64)
  case place(disc: Int, track: Int)
  case title(String)

  static func all(recordingID: Int64, disc: Int?, track: Int?, title: String?) -> [TrackSign] {
    var signs = [TrackSign.recording(recordingID)]
    let key = TrackTitle.key(title ?? "")
    if !key.isEmpty {
      signs.append(.title(key))
    } else if let track {
      signs.append(.place(disc: disc ?? 1, track: track))
    }
    return signs
  }
}
