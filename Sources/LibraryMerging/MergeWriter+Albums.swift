internal import Foundation
internal import LibraryDatabase
internal import MediaModel
internal import MediaStore
internal import UserData

// MARK: - Albums

extension MergeWriter {
  /// Adds to which albums recordings were said to belong, and looks for the albums of all files that came; what this library has
  /// stays. Files without an album's title are on other shelves here, so what was said of them is left out.
  func mergeAlbumChoices(_ editor: inout JournalEditor) throws {
    try AlbumWriter.settle(db)
    // Of several albums there that are one here, that with most of its recordings: the others were told apart from it.
    var names: [AlbumNames: AlbumNames] = [:]
    for pairs in Dictionary(grouping: try pairedAlbums(), by: \.own).values {
      let most = pairs.max { ($0.recordingCount, $1.other) < ($1.recordingCount, $0.other) }
      if let most { names[most.names] = most.ownNames }
    }
    try rows.forEach("SELECT hash, shelf, artist, title FROM album_choice WHERE shelf GLOB '=*' ORDER BY hash, shelf") {
      row in
      guard let hash = try ContentHash(bytes: row[0] as Data) else { return }
      let album = try AlbumNames(artist: row[2], title: row[3])
      let choice = try AlbumChoiceRow(recording: hash, shelf: row[1], album: names[album] ?? album)
      guard try AlbumChoiceRow.fetchAll(hash, shelf: choice.shelf, db).isEmpty else { return }
      try editor.put(choice, insteadOf: nil)
    }
    try AlbumWriter.settle(db)
  }

  /// By what names the albums of the other library are known here: those of the album on which most of their recordings are.
  func albumNames() throws -> [AlbumNames: AlbumNames] {
    var names: [AlbumNames: AlbumNames] = [:]
    var ownAlbums: [Int64: Int64] = [:]
    for pair in try pairedAlbums() {
      ownAlbums[pair.other] = pair.own
      guard pair.names != pair.ownNames else { continue }
      names[pair.names] = pair.ownNames
      try lead(key: AlbumKey.key(pair.names), to: pair.own)
    }
    try rows.forEach("SELECT key, album_id FROM former_album ORDER BY key") { row in
      if let own = ownAlbums[try row[1]] { try lead(key: row[0], to: own) }
    }
    return names
  }

  /// An album of the other library, and the one here on which most of its recordings are.
  private struct PairedAlbums {
    let other: Int64
    let names: AlbumNames
    let own: Int64
    let ownNames: AlbumNames
    /// Of the other album on this one.
    let recordingCount: Int
  }

  private func pairedAlbums() throws -> [PairedAlbums] {
    var pairs: [PairedAlbums] = []
    try rows.forEach("SELECT id, known_artist, known_title FROM album WHERE known_title <> '' ORDER BY id") { row in
      guard let (own, count) = try ownAlbum(ofOther: row[0]), let known = try AlbumKey.names(of: own, db),
        !known.title.isEmpty
      else { return }
      let names = try AlbumNames(artist: row[1], title: row[2])
      pairs.append(PairedAlbums(other: try row[0], names: names, own: own, ownNames: known, recordingCount: count))
    }
    return pairs
  }

  /// Lets players of the other library find what came from there by the key that they know.
  private func lead(key: Data, to album: Int64) throws {
    guard progress.report.files.added > 0 else { return }
    try run(
      """
      INSERT OR IGNORE INTO former_album (key, album_id)
        SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM album WHERE key = ?1)
      """, [key, album])
  }

  /// The album on which most recordings of an album of the other library are here, and how many.
  private func ownAlbum(ofOther id: Int64) throws -> (album: Int64, recordingCount: Int)? {
    var counts: [Int64: Int] = [:]
    try rows.forEach("SELECT DISTINCT audio_id FROM file WHERE album_id = ? AND audio_id IS NOT NULL", [id]) { row in
      guard let recording = try progress.recordingIDs[row[0]] else { return }
      let albums = try Int64.fetchAll(
        db.cachedStatement(sql: "SELECT DISTINCT album_id FROM file WHERE audio_id = ? AND album_id IS NOT NULL"),
        arguments: [recording])
      for album in albums { counts[album, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.map { ($0.key, $0.value) }
  }

  /// Lets what was copied as it is name the albums of this library.
  func renameCopiedAlbums(_ names: [AlbumNames: AlbumNames]) throws {
    // By way of names that no album has, because one may have those that another one had.
    for (number, pair) in names.sorted(by: { ($0.key.title, $0.key.artist) < ($1.key.title, $1.key.artist) })
      .enumerated()
    {
      try run(
        Self.renameAssignments, Self.arguments(from: pair.key, to: AlbumNames(artist: "\u{1}\(number)", title: "\u{1}"))
      )
    }
    for (number, pair) in names.sorted(by: { ($0.key.title, $0.key.artist) < ($1.key.title, $1.key.artist) })
      .enumerated()
    {
      let passing = AlbumNames(artist: "\u{1}\(number)", title: "\u{1}")
      try run(Self.renameAssignments, Self.arguments(from: passing, to: pair.value))
      // Two albums there are one here: the one that came first has its preset.
      try run(
        "DELETE FROM preset_assignment WHERE scope = 'album' AND artist = ? AND album = ?",
        [passing.artist, passing.title])
    }
  }

  private static let renameAssignments = """
    UPDATE OR IGNORE preset_assignment SET artist = :artist, album = :title
     WHERE scope = 'album' AND hash = x'' AND artist = :other_artist AND album = :other_title
    """

  private static func arguments(from other: AlbumNames, to names: AlbumNames) -> StatementArguments {
    ["artist": names.artist, "title": names.title, "other_artist": other.artist, "other_title": other.title]
  }
}
