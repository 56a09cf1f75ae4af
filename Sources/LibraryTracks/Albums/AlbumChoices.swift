internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// Why albums were not joined or split.
package enum AlbumChoiceError: Error, Hashable {
  /// Fewer than two albums were found.
  case nothingToJoin(albumCount: Int)
  /// All files of an album were found, or none that has a recording.
  case nothingToSplit
}

/// Which recordings are on which album, as somebody says by hand: it comes before all that tags say, and can be undone.
extension Albums {
  /// Makes the albums of some files one: the one with most files, whose decisions stay; it gets those of the others that it has
  /// none for, until it is parted again. Of tracks without an album only those that are named join.
  ///
  /// - Returns: The album.
  /// - Throws: ``AlbumChoiceError``, ``StoreError``.
  package func join(albumsOfFiles ids: [Int64]) throws -> Album {
    let found = try albumIDs(ofFiles: ids).compactMap { try album(id: $0) }
    let target = found.filter { !$0.title.isEmpty }.max { ($0.fileCount, $1.id) < ($1.fileCount, $0.id) }
    guard found.count > 1, let target else {
      throw AlbumChoiceError.nothingToJoin(albumCount: min(1, found.count))
    }
    let wanted = Set(ids)
    try store.edit("join \(found.count) albums as \(Self.text(target))") { editor in
      for album in found {
        for place in try Self.places(ofAlbum: album.id, editor.db)
        where !album.title.isEmpty || wanted.contains(place.fileID) {
          try Self.choose(target.knownNames, for: place, &editor)
        }
      }
    }
    return try album(id: target.id) ?? target
  }

  /// Makes some recordings of albums albums of their own.
  ///
  /// - Returns: How many albums were split.
  /// - Throws: ``AlbumChoiceError/nothingToSplit``, ``StoreError``.
  package func split(files ids: [Int64]) throws -> Int {
    let wanted = Set(ids)
    let albums = try albumIDs(ofFiles: ids).compactMap { try album(id: $0) }
    let what = albums.count == 1 ? albums.map(Self.text).joined() : "\(albums.count) albums"
    let count = try store.edit("split \(what)") { editor in
      var count = 0
      for album in albums where !album.title.isEmpty {
        let places = try Self.places(ofAlbum: album.id, editor.db)
        let own = Set(places.filter { wanted.contains($0.fileID) }.map(\.recording))
        guard !own.isEmpty, places.contains(where: { !own.contains($0.recording) }) else { continue }
        let names = try Self.freeNames(like: album.knownNames, editor.db)
        for place in places {
          try Self.choose(own.contains(place.recording) ? names : album.knownNames, for: place, &editor)
        }
        count += 1
      }
      return count
    }
    guard count > 0 else { throw AlbumChoiceError.nothingToSplit }
    return count
  }

  /// What ``forgetChoices(ofFiles:)`` has taken back.
  package struct Forgotten: Hashable, Sendable {
    /// Choices of recordings that were removed.
    package var choiceCount = 0
    /// Files that are on another album now.
    package var movedFileCount = 0
    /// Stars, ratings, covers and presets that went back to the albums they came from.
    package var returnedDecisionCount = 0
  }

  /// Lets tags say again to which albums the recordings of some files belong.
  ///
  /// - Parameter isDryRun: Whether nothing is written.
  package func forgetChoices(ofFiles ids: [Int64], isDryRun: Bool = false) throws -> Forgotten {
    func forget(_ editor: inout JournalEditor) throws -> Forgotten {
      let db = editor.db
      var forgotten = Forgotten()
      let decisions = try GroupDecisions.all(db)
      let albums = try Self.albumsOfNeighbours(ofFiles: ids, db)
      for place in try Self.places(ofFiles: ids, db) {
        for row in try AlbumChoiceRow.fetchAll(place.recording, shelf: place.shelf, db) {
          try editor.remove(row)
          forgotten.choiceCount += 1
        }
      }
      guard forgotten.choiceCount > 0 else { return forgotten }
      try store.settleAlbums(db)
      forgotten.returnedDecisionCount = try GroupDecisions.movedCount(since: decisions, db)
      let present = try db.cachedStatement(sql: "SELECT album_id FROM file WHERE id = ?")
      forgotten.movedFileCount = try albums.count { try Int64.fetchOne(present, arguments: [$0.key]) != $0.value }
      return forgotten
    }
    let summary = "forget the album overrides of \(ids.count) file\(ids.count == 1 ? "" : "s")"
    guard isDryRun else { return try store.edit(summary, forget) }
    return try store.rehearse { db in
      var editor = JournalEditor(db, now: store.now, summary: summary)
      return try forget(&editor)
    }
  }

  /// Of all files of the albums of some files, the album of each.
  private static func albumsOfNeighbours(ofFiles ids: [Int64], _ db: Database) throws -> [Int64: Int64] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT id, album_id FROM file
         WHERE album_id IN (SELECT album_id FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value)
        """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"]
    ).reduce(into: [:]) { albums, row in albums[try row[0]] = try row[1] as Int64 }
  }

  static func text(_ album: Album) -> String {
    album.artist.isEmpty ? album.title : "\(album.title) by \(album.artist)"
  }

  /// The albums of some files, by id, each with how many of its files are among them.
  package func shares(ofFiles ids: [Int64]) throws(StoreError) -> [(album: Album, fileCount: Int)] {
    try store.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT \(Self.columns), share.count
            FROM (SELECT file.album_id, count(*) AS count
                    FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value
                   WHERE missing_since IS NULL GROUP BY 1) AS share
                 JOIN album ON album.id = share.album_id
           WHERE file_count > 0 ORDER BY album.id
          """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"]
      ).map { row in try (Album(row: row), row["count"]) }
    }
  }

  private func albumIDs(ofFiles ids: [Int64]) throws(StoreError) -> [Int64] {
    try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT album_id FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value
           WHERE album_id IS NOT NULL ORDER BY album_id
          """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"])
    }
  }

  private struct Place {
    var fileID: Int64
    var recording: ContentHash
    var shelf: String
  }

  private static func places(ofAlbum id: Int64, _ db: Database) throws -> [Place] {
    try places(
      Row.fetchAll(
        db,
        sql: """
          SELECT file.id, audio.hash, album_shelf FROM file JOIN audio ON audio.id = file.audio_id
           WHERE album_id = ? AND album_shelf IS NOT NULL ORDER BY file.id
          """, arguments: [id]))
  }

  private static func places(ofFiles ids: [Int64], _ db: Database) throws -> [Place] {
    try places(
      Row.fetchAll(
        db,
        sql: """
          SELECT file.id, audio.hash, album_shelf
            FROM json_each(?) AS wanted CROSS JOIN file ON file.id = wanted.value JOIN audio ON audio.id = file.audio_id
           WHERE album_shelf IS NOT NULL ORDER BY file.id
          """, arguments: ["[\(ids.map(String.init).joined(separator: ","))]"]))
  }

  private static func places(_ rows: [Row]) throws -> [Place] {
    try rows.compactMap { row in
      try ContentHash(bytes: row[1] as Data).map { try Place(fileID: row[0], recording: $0, shelf: row[2]) }
    }
  }

  private static func choose(_ names: AlbumNames, for place: Place, _ editor: inout JournalEditor) throws {
    let row = AlbumChoiceRow(recording: place.recording, shelf: place.shelf, album: names)
    let before = try AlbumChoiceRow.fetch(place.recording, shelf: place.shelf, editor.db)
    if before != row { try editor.put(row, insteadOf: before) }
  }

  private static func freeNames(like names: AlbumNames, _ db: Database) throws -> AlbumNames {
    for number in 2... {
      let next = names.numbered(number)
      let isTaken = try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM album WHERE key = ?)", arguments: [AlbumKey.key(next)])
      if isTaken == false { return next }
    }
    return names
  }
}
