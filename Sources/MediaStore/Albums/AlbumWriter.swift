internal import Base
internal import Foundation
package import LibraryDatabase
internal import MediaModel

/// Keeps the albums of a library as its files say, within a transaction that has changed files.
///
/// Triggers note in `album_due` what changed; this looks for the albums of those shelves again, by ``AlbumRule``. An album keeps its
/// row while most of its files stay together, so that what people decided about it stays with it.
package struct AlbumWriter {
  let db: Database
  /// Albums whose numbers must be counted.
  private var touched: Set<Int64> = []
  /// Which files went from which albums to which others.
  private var left: [Int64: [Int64: [Int64]]] = [:]
  private var formers: FormerAlbums
  let hasChoices: Bool
  /// Whether an album has another name for ordering than before.
  private var sortNamesChanged = false
  /// No album: what waits for the end of a scan is the order of artists.
  private static let orderIsDue: Int64 = 0
  /// Of artists in one value of a tag.
  let separators: [String]
  /// Of albums that are called alike, which of them is the first whose names may be free.
  private var nextNumbers: [AlbumNames: Int] = [:]
  /// Folders in which an album came or went.
  private var folders: Set<Int64> = []
  /// Albums of which a file itself has changed, and not only what people say about it.
  private var changed: Set<Int64> = []
  /// Groups whose albums had more files on other shelves when it was their turn, which may have left by now.
  private var postponed: [(album: Int64, group: AlbumGroup, shelf: String)] = []

  /// Larger shelves wait until a scan is done, because each of its transactions can bring files for them.
  private static let largestShelf = 2_000
  private static let chunk = 5_000

  /// Brings albums up to date.
  ///
  /// - Parameter isScanning: whether more files are to come: large shelves wait, and the names of new albums may still change.
  package static func settle(_ db: Database, isScanning: Bool = false) throws {
    let isDue = try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM album_due)")) == true
    let hasNew =
      try !isScanning
      && Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM album WHERE is_new)")) == true
    guard isDue || hasNew else { return }
    var writer = try AlbumWriter(db)
    try writer.settle(isScanning: isScanning)
  }

  /// Looks for the albums of all files again.
  package static func settleAll(_ db: Database) throws {
    try db.execute(sql: "INSERT OR IGNORE INTO album_due SELECT 'file', id FROM file")
    try db.execute(sql: "INSERT OR IGNORE INTO album_due SELECT 'album', id FROM album")
    try settle(db)
  }

  private init(_ db: Database) throws {
    self.db = db
    formers = try FormerAlbums(db)
    hasChoices = try Bool.fetchOne(db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM album_choice)")) == true
    separators = try StoredSeparators.all(db)
  }

  private mutating func settle(isScanning: Bool) throws {
    while try placeFiles() {}
    try placePictures()
    var shelves = try String.fetchAll(db, sql: "SELECT value FROM album_due WHERE kind = 'shelf' ORDER BY value")
    // Shelves with titles first: files without one may go to their albums.
    if isScanning { shelves = try shelves.filter { try !isLarge($0) } }
    for shelf in shelves where shelf.hasPrefix("=") {
      try settleTitle(shelf)
      try done("shelf", shelf)
    }
    folders.formUnion(try Int64.fetchAll(db, sql: "SELECT value FROM album_due WHERE kind = 'folder'"))
    try db.execute(sql: "DELETE FROM album_due WHERE kind = 'folder'")
    var untitled = Set(shelves.filter { $0.hasPrefix("/") })
    for folder in folders {
      untitled.formUnion(
        try String.fetchAll(
          db.cachedStatement(
            sql: "SELECT DISTINCT album_shelf FROM file WHERE album_folder = ? AND album_shelf GLOB '/*'"),
          arguments: [folder]))
    }
    for shelf in untitled.sorted() {
      if isScanning, try isLarge(shelf) {
        try run("INSERT OR IGNORE INTO album_due VALUES ('shelf', ?)", [shelf])
        continue
      }
      try settleFolder(shelf)
      try done("shelf", shelf)
    }
    for (former, albums) in left.sorted(by: { $0.key < $1.key }) {
      if let (album, files) = albums.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) {
        try absorb(former, files: files.sorted(), into: album)
      }
    }
    let groups = postponed
    postponed = []
    for (album, group, shelf) in groups { try describe(album, group, on: shelf) }
    touched.formUnion(try Int64.fetchAll(db, sql: "SELECT value FROM album_due WHERE kind = 'album'"))
    try db.execute(sql: "DELETE FROM album_due WHERE kind = 'album'")
    var isOrderDue = touched.remove(Self.orderIsDue) != nil || sortNamesChanged
    for album in touched.sorted() {
      if isScanning, !isOrderDue { isOrderDue = try isOrderedByTags(album) }
      if isScanning, try isLargeAlbum(album) {
        try run("INSERT OR IGNORE INTO album_due VALUES ('album', ?)", [album])
      } else {
        try count(album)
      }
    }
    if isScanning {
      // Others of an artist's albums may follow.
      if isOrderDue { try run("INSERT OR IGNORE INTO album_due VALUES ('album', ?)", [Self.orderIsDue]) }
    } else {
      try orderArtists()
      try numberNewAlbums()
      try db.execute(sql: "UPDATE album SET is_new = 0 WHERE is_new")
    }
  }

  /// Of new albums that are called alike, the one with the first path gets the names, and the others numbers in the order of theirs:
  /// the order in which files were read makes no difference.
  private func numberNewAlbums() throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT id, artist, title, known_artist, known_title,
               (SELECT min(printf('%020d', root_id) || path_text) FROM file WHERE album_id = album.id) AS first_path
          FROM album WHERE is_new AND title <> '' ORDER BY artist, title, first_path, id
        """)
    var albums: [AlbumNames: [(id: Int64, names: AlbumNames)]] = [:]
    for row in rows {
      let names = try AlbumNames(artist: row[1], title: row[2])
      try albums[names, default: []].append((row[0], AlbumNames(artist: row[3], title: row[4])))
    }
    for (names, alike) in albums.sorted(by: { ($0.key.title, $0.key.artist) < ($1.key.title, $1.key.artist) }) {
      guard alike.count > 1 || alike[0].names != names,
        try !alike.contains(where: { try AlbumDecisions.has($0.names, db) })
      else { continue }
      for album in alike {
        try AlbumKey.rename(album.id, to: AlbumNames(artist: "\u{1}\(album.id)", title: "\u{1}"), db)
      }
      var number = 1
      for album in alike {
        while let known = try self.album(key: AlbumKey.key(names.numbered(number))), known != album.id { number += 1 }
        try AlbumKey.rename(album.id, to: names.numbered(number), db)
      }
    }
  }

  private func done(_ kind: String, _ value: String) throws {
    try run("DELETE FROM album_due WHERE kind = ? AND value = ?", [kind, value])
  }

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  private func isLarge(_ shelf: String) throws -> Bool {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM (SELECT 1 FROM file WHERE album_shelf = ? LIMIT ?)"),
      arguments: [shelf, Self.largestShelf + 1]) ?? 0 > Self.largestShelf
  }

  private func isLargeAlbum(_ id: Int64) throws -> Bool {
    try Int.fetchOne(
      db.cachedStatement(sql: "SELECT count(*) FROM (SELECT 1 FROM file WHERE album_id = ? LIMIT ?)"),
      arguments: [id, Self.largestShelf + 1]) ?? 0 > Self.largestShelf
  }

  // MARK: - Shelves

  /// Gives changed files their shelf and folder, and notes those that are due by that.
  ///
  /// - Returns: whether there may be more.
  private mutating func placeFiles() throws -> Bool {
    let ids = try Int64.fetchAll(
      db, sql: "SELECT value FROM album_due WHERE kind = 'file' ORDER BY value LIMIT ?", arguments: [Self.chunk])
    for id in ids {
      try run("DELETE FROM album_due WHERE kind = 'file' AND value = ?", [id])
      guard
        let row = try Row.fetchOne(
          db.cachedStatement(
            sql: """
              SELECT root_id, path_text, \(ShownText.sql("album")), album_shelf, album_folder, album_id, folder, path FROM file
               WHERE id = ?
              """),
          arguments: [id])
      else { continue }
      var file = try AlbumFile(id: id, rootID: row[0], folder: AlbumEdition.folder(ofFile: row[1]))
      file.title = ShownText.cut(try row[2] ?? "")
      let shelf = file.shelf
      let folder = Self.folderHash(file)
      let own = try FolderHash.hash(rootID: row[0], folderOf: BytePath(row[7] as Data))
      let (oldShelf, oldFolder, album, oldOwn): (String?, Int64?, Int64?, Int64?) = try (row[3], row[4], row[5], row[6])
      if oldShelf != shelf || oldFolder != folder || oldOwn != own {
        try run("UPDATE file SET album_shelf = ?, album_folder = ?, folder = ? WHERE id = ?", [shelf, folder, own, id])
      }
      for due in Set([oldShelf, shelf].compactMap { $0 }) {
        try run("INSERT OR IGNORE INTO album_due VALUES ('shelf', ?)", [due])
      }
      folders.formUnion([oldFolder, folder].compactMap { $0 })
      if let album {
        touched.insert(album)
        changed.insert(album)
      }
    }
    return ids.count == Self.chunk
  }

  private static func folderHash(_ file: AlbumFile) -> Int64 { FolderHash.hash(rootID: file.rootID, file.folder.utf8) }

  private mutating func settleTitle(_ shelf: String) throws {
    let files = try files(on: shelf)
    let groups = AlbumRule.albums(of: files.map(\.file))
    let albums = Dictionary(uniqueKeysWithValues: files.map { ($0.file.id, $0.album) })
    try place(groups, albumOfFile: albums, on: shelf)
  }

  private mutating func settleFolder(_ shelf: String) throws {
    let files = try files(on: shelf)
    guard let first = files.first?.file else { return }
    let albums = Dictionary(uniqueKeysWithValues: files.map { ($0.file.id, $0.album) })
    let titled = try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT album_id FROM file
           WHERE album_folder = ? AND album_shelf GLOB '=*' AND missing_since IS NULL AND album_id IS NOT NULL
          """), arguments: [Self.folderHash(first)])
    let (ofTheAlbum, groups) = AlbumRule.untagged(files.map(\.file), besideAlbums: Set(titled))
    var placed: Set<Int64> = []
    for id in ofTheAlbum {
      try put(id, in: titled.first, before: albums[id] ?? nil)
      placed.insert(id)
    }
    for group in groups { placed.formUnion(group.fileIDs) }
    try place(groups, albumOfFile: albums, on: shelf)
    for (file, album) in files where !placed.contains(file.id) { try put(file.id, in: nil, before: album) }
  }

  // MARK: - Albums

  /// Finds the row of each group, and puts its files there.
  private mutating func place(_ groups: [AlbumGroup], albumOfFile: [Int64: Int64?], on shelf: String) throws {
    var albumOfGroup = try matches(of: groups, albumOfFile: albumOfFile, on: shelf)
    var taken = Set(albumOfGroup.compactMap { $0 })
    for (index, group) in groups.enumerated() {
      let albums = Set(group.fileIDs.compactMap { albumOfFile[$0] ?? nil })
      let id = try albumOfGroup[index] ?? part(group, of: albums) ?? self.album(for: group, besides: taken)
      albumOfGroup[index] = id
      taken.insert(id)
      try describe(id, group, on: shelf)
      for file in group.fileIDs { try put(file, in: id, before: albumOfFile[file] ?? nil) }
    }
  }

  /// For each group the row of the album that most of its files are on, if they are most of its files, too.
  private mutating func matches(of groups: [AlbumGroup], albumOfFile: [Int64: Int64?], on shelf: String) throws
    -> [Int64?]
  {
    struct Overlap {
      /// Whether the album is known by the group's names, and its files are what they were: then it was parted or joined by hand.
      let isNamed: Bool
      let group: Int
      let album: Int64
      let count: Int
      let firstPath: String
    }
    var overlaps: [Overlap] = []
    for (index, group) in groups.enumerated() {
      var counts: [Int64: Int] = [:]
      for file in group.fileIDs {
        guard let album = albumOfFile[file] ?? nil, try !formers.claims(onAlbum: album).contains(file) else { continue }
        counts[album, default: 0] += 1
      }
      guard !counts.isEmpty else { continue }
      let firstPath = try groups.count > 1 ? firstPath(of: group.fileIDs) : ""
      let names = AlbumNames(artist: group.artist, title: group.title)
      overlaps += try counts.map { album, count in
        let isNamed = try counts.count > 1 && !changed.contains(album) && AlbumKey.names(of: album, db) == names
        return Overlap(isNamed: isNamed, group: index, album: album, count: count, firstPath: firstPath)
      }
    }
    var albumOfGroup = [Int64?](repeating: nil, count: groups.count)
    var taken: Set<Int64> = []
    // By hand first, then as MusicBrainz says.
    for (index, group) in groups.enumerated() {
      guard let names = group.names else { continue }
      let id = try self.album(key: AlbumKey.key(names))
      albumOfGroup[index] = id
      if let id { taken.insert(id) }
    }
    for (index, group) in groups.enumerated() where group.names == nil {
      guard let releaseGroup = group.releaseGroup,
        let id = try Int64.fetchOne(
          db.cachedStatement(sql: "SELECT id FROM album WHERE release_group = ? ORDER BY id LIMIT 1"),
          arguments: [releaseGroup]),
        taken.insert(id).inserted
      else { continue }
      albumOfGroup[index] = id
    }
    // Of two halves the one with the first path keeps the row, as albums that are called alike were numbered.
    for overlap in overlaps.sorted(by: {
      if $0.isNamed != $1.isNamed { return $0.isNamed }
      return ($1.count, $0.album, $0.firstPath, $0.group) < ($0.count, $1.album, $1.firstPath, $1.group)
    }) {
      guard albumOfGroup[overlap.group] == nil, groups[overlap.group].names == nil, !taken.contains(overlap.album),
        try canKeep(overlap.album, with: overlap.count, on: shelf)
      else { continue }
      albumOfGroup[overlap.group] = overlap.album
      taken.insert(overlap.album)
    }
    return albumOfGroup
  }

  private func firstPath(of files: [Int64]) throws -> String {
    try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT min(printf('%020d', root_id) || path_text) FROM json_each(?) AS wanted JOIN file ON file.id = wanted.value
          """), arguments: ["[\(files.map(String.init).joined(separator: ","))]"]) ?? ""
  }

  /// Whether an album is not made of other shelves' files for the most part, and not of tracks without an album. Of two halves, the
  /// one with the title that it is known by keeps it; and if nothing but what people say has changed, files with that title do,
  /// however few.
  private mutating func canKeep(_ album: Int64, with count: Int, on shelf: String) throws -> Bool {
    guard let title = try AlbumKey.names(of: album, db)?.title, !title.isEmpty else { return false }
    let home = AlbumFile.shelf(ofTitle: title)
    if !changed.contains(album) {
      if home == shelf { return true }
      if let home, try has(album, filesOn: home) { return false }
    }
    let others = try otherFileCount(of: album, besides: shelf)
    return others < count || others == count && home == shelf
  }

  private func has(_ album: Int64, filesOn shelf: String) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM file WHERE album_id = ? AND album_shelf = ? AND missing_since IS NULL)
          """), arguments: [album, shelf]) == true
  }

  /// How many files of an album are on other shelves with titles: those without a title only follow, and those of albums that became
  /// part of it leave it.
  private mutating func otherFileCount(of album: Int64, besides shelf: String) throws -> Int {
    try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT count(*) FROM file
           WHERE album_id = ? AND album_shelf <> ? AND album_shelf GLOB '=*' AND missing_since IS NULL
             AND id NOT IN (SELECT value FROM json_each(?))
          """), arguments: [album, shelf, FormerAlbums.list(formers.claims(onAlbum: album))]) ?? 0
  }

  private func album(key: Data) throws -> Int64? {
    try Int64.fetchOne(db.cachedStatement(sql: "SELECT id FROM album WHERE key = ?"), arguments: [key])
  }

  /// The row of an album that has none among its files: one without files that was called so, or a new one.
  private mutating func album(for group: AlbumGroup, besides taken: Set<Int64>) throws -> Int64 {
    let wanted = group.names ?? AlbumNames(artist: group.artist, title: group.title)
    for number in (nextNumbers[wanted] ?? 1)... {
      nextNumbers[wanted] = number
      let names = wanted.numbered(number)
      guard let known = try self.album(key: AlbumKey.key(names)) else {
        return try insert(names, isNew: true)
      }
      if group.names != nil { return known }
      let hasFiles = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE album_id = ? AND missing_since IS NULL)"),
        arguments: [known])
      if hasFiles == false, !taken.contains(known) { return known }
    }
    throw DatabaseError(message: "an album got no name")
  }

  /// The row of an album that was part of one of some others and is there again; nil for any other group.
  private mutating func part(_ group: AlbumGroup, of albums: Set<Int64>) throws -> Int64? {
    guard group.names == nil, let names = try formers.former(of: group.fileIDs, onAlbums: albums) else { return nil }
    return try insert(names, isNew: false)
  }

  /// One that had these names, and became part of another, gets its row and decisions back.
  private func insert(_ names: AlbumNames, isNew: Bool) throws -> Int64 {
    try run(
      """
      INSERT INTO album (id, key, known_artist, known_title, title, artist, sort_key, is_compilation, is_new)
      VALUES (:id, :key, :artist, :title, :title, :artist, '', 0, :new)
      """,
      [
        "id": AlbumDecisions.formerID(of: names, db), "key": AlbumKey.key(names),
        "artist": names.artist, "title": names.title, "new": isNew,
      ])
    let id = db.lastInsertedRowID
    try AlbumDecisions.giveBack(to: names, db)
    return id
  }

  /// Writes what a group says about its album.
  private mutating func describe(_ id: Int64, _ group: AlbumGroup, on shelf: String) throws {
    touched.insert(id)
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT title, artist, is_compilation, release_group, is_new, known_artist, known_title, sort_key
              FROM album WHERE id = ?
            """), arguments: [id])
    else { return }
    // Of an album on several shelves, the one with most files says what it is called.
    guard try group.names?.title.isEmpty == true || otherFileCount(of: id, besides: shelf) < group.fileIDs.count else {
      return postponed.append((id, group, shelf))
    }
    let names = try AlbumNames(artist: row[5], title: row[6])
    let title = group.names.map { $0.title.isEmpty ? "" : group.title } ?? group.title
    let isNew: Bool = try row[4]
    let stored: (String, String, Bool, String?) = try (row[0], row[1], row[2], row[3])
    // What was joined by hand keeps the id of the album that it was joined to, and finds that album again when it is parted.
    let releaseGroup = group.names == nil ? group.releaseGroup : stored.3 ?? group.releaseGroup
    let sortKey = AlbumSortKey(artistSort: group.artistSort, titleSort: group.titleSort)
    if try AlbumSortKey(row[7]) != sortKey { sortNamesChanged = true }
    // One that was part of another has no place yet.
    if try isNew || (row[7] as String).isEmpty || stored != (title, group.artist, group.isCompilation, releaseGroup)
      || AlbumSortKey(row[7]) != sortKey
    {
      try run(
        """
        UPDATE album SET title = :title, artist = :artist, sort_key = :sort, is_compilation = :compilation, release_group = :group
         WHERE id = :id
        """,
        [
          "id": id, "title": title, "artist": group.artist,
          // Other albums of the artist may have another name for ordering, see ``orderArtists()``.
          "sort": sortKey.text(artist: group.artist, title: title, sortName: group.artistSort),
          "compilation": group.isCompilation, "group": releaseGroup,
        ])
    }
    // While it is new and nobody decided anything about it, clients know it by what it is called.
    let current = AlbumNames(artist: group.artist, title: group.title)
    guard isNew, group.names == nil, names != current, try !AlbumDecisions.has(names, db),
      try self.album(key: AlbumKey.key(current)) == nil
    else { return }
    try AlbumKey.rename(id, to: current, db)
  }

  private mutating func put(_ file: Int64, in album: Int64?, before: Int64?) throws {
    guard album != before else { return }
    try run("UPDATE file SET album_id = ? WHERE id = ?", [album, file])
    touched.formUnion([album, before].compactMap { $0 })
    if let before, let album { left[before, default: [:]][album, default: []].append(file) }
    if let folder = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT album_folder FROM file WHERE id = ? AND album_shelf GLOB '=*'"), arguments: [file]
    ) {
      folders.insert(folder)
    }
  }

  /// What was decided about an album without files goes to the one that has most of them now, and its missing files with it. Its id
  /// leads there, and is its own again if it reappears.
  private mutating func absorb(_ former: Int64, files: [Int64], into album: Int64) throws {
    let row = try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT known_artist, known_title FROM album
           WHERE id = ? AND NOT EXISTS (SELECT 1 FROM file WHERE album_id = album.id AND missing_since IS NULL)
          """), arguments: [former])
    guard let row, let target = try AlbumKey.names(of: album, db) else { return }
    let names = try AlbumNames(artist: row[0], title: row[1])
    if names.title.isEmpty || target.title.isEmpty {
      // Tracks without an album keep nothing that was decided about one.
      let isKept = try Bool.fetchOne(
        db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM file WHERE album_id = ?)"), arguments: [former])
      guard try isKept == false && !AlbumDecisions.has(names, db) else { return }
    } else {
      try run("UPDATE file SET album_id = ? WHERE album_id = ?", [album, former])
    }
    try run("UPDATE former_album SET album_id = ? WHERE album_id = ?", [album, former])
    // Its key leads to the other one once it is no longer its own.
    try run("DELETE FROM album WHERE id = ?", [former])
    touched.remove(former)
    try AlbumDecisions.move(from: names, id: former, files: files, to: album, db)
  }
}
