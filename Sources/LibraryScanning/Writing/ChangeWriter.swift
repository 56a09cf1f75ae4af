package import Base
internal import Foundation
package import LibraryDatabase
internal import LibraryQueries
internal import LibraryTracks
package import MediaModel
internal import MediaStore
internal import UserData

/// One change that a scan found.
package enum FileChange: Sendable {
  /// New or changed content, which replaces the row at that root and path.
  case extracted(FileRecord)
  /// The status changed, but not the content; or a missing file is back.
  case restated(fileID: Int64, FileStatus)
  /// Found at another path, without reading it. A row at that path is deleted unless the same batch moves it, too.
  case moved(fileID: Int64, rootID: Int64, path: BytePath, FileStatus)
  case missing(fileID: Int64)
  /// There, but left out by this scan; or found again by one.
  case excluded(fileID: Int64, Bool)
  /// A folder that could not be read before, and can now.
  case folderReadable(fileID: Int64)
}

/// A file that was read.
package struct FileRecord: Sendable {
  package var rootID: Int64
  /// Relative to the root.
  package var path: BytePath
  package var status: FileStatus
  package var extraction: Extraction
  package var attempts: Int
  package var extractorVersion: Int
  /// The id of the row to use: of a file that vanished and was found again with other tags.
  package var movedFrom: Int64?
  /// When its bytes were compared with what was read before, and agreed; nil if they were not compared.
  package var verifiedAt: Int64?
  /// Whether only the state is stored, and everything that is known of the file stays.
  package var keepsContent = false

  package init(
    rootID: Int64, path: BytePath, status: FileStatus, extraction: Extraction, attempts: Int = 1,
    extractorVersion: Int, movedFrom: Int64? = nil, verifiedAt: Int64? = nil
  ) {
    self.rootID = rootID
    self.path = path
    self.status = status
    self.extraction = extraction
    self.attempts = attempts
    self.extractorVersion = extractorVersion
    self.movedFrom = movedFrom
    self.verifiedAt = verifiedAt
  }
}

/// Writes one batch of a scan's changes, within a transaction.
struct ChangeWriter {
  let db: Database
  let now: Int64
  /// Ids in `tag_name` that this batch has looked up.
  var tagNameIDs: [String: Int64] = [:]
  /// Pictures that lost a file in this batch.
  var looseArtworkIDs: Set<Int64> = []
  var identities: IdentityWriter
  /// Where new names of artists are noted; nil if nobody asks.
  let artists: RenamedArtists?
  /// Artists about whom something is decided; nil as long as no file has had other tags.
  var renames: ArtistRenames?

  init(_ db: Database, now: Int64, artists: RenamedArtists? = nil) {
    self.db = db
    self.now = now
    self.artists = artists
    identities = IdentityWriter(db, now: now)
  }

  mutating func apply(_ changes: [FileChange]) throws {
    // Rows that will move leave their paths first, so that two of them can swap.
    for change in changes {
      switch change {
      case .moved(let id, _, _, _): try park(id)
      case .extracted(let record): if let id = record.movedFrom { try park(id) }
      case .restated, .missing, .excluded, .folderReadable: break
      }
    }
    for change in changes {
      switch change {
      case .extracted(let record): try write(record)
      case .restated(let id, let status): try restate(id, status)
      case .moved(let id, let rootID, let path, let status): try move(id, to: rootID, path, status)
      case .missing(let id):
        try run(
          "UPDATE file SET missing_since = :now WHERE id = :id AND missing_since IS NULL", ["id": id, "now": now])
      case .excluded(let id, true): try run(Self.exclude, ["id": id])
      case .excluded(let id, false): try run(Self.include, ["id": id])
      case .folderReadable(let id):
        try run("DELETE FROM file WHERE id = :id AND \(FileRowSQL.isUnreadableFolder)", ["id": id])
      }
    }
    try dropLooseArtwork()
  }

  private static let exclude = """
    UPDATE file SET notes = json_insert(coalesce(notes, '[]'), '$[#]', '\(FileRowSQL.excludedNote)')
     WHERE id = :id AND NOT \(FileRowSQL.isExcluded)
    """
  private static let include = """
    UPDATE file
       SET notes = (SELECT nullif(json_group_array(value), '[]') FROM json_each(file.notes)
                     WHERE value <> '\(FileRowSQL.excludedNote)')
     WHERE id = :id AND \(FileRowSQL.isExcluded)
    """

  func run(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }

  /// Gives a row a path that no file can have: NUL and its id.
  private func park(_ id: Int64) throws {
    let path = Data([0] + Array(String(id).utf8))
    try run("UPDATE file SET path = :path WHERE id = :id", ["id": id, "path": path])
  }

  private func restate(_ id: Int64, _ status: FileStatus) throws {
    try run(
      """
      UPDATE file SET size_bytes = :size, mtime_ns = :mtime, ctime_ns = :ctime, inode = :inode, device = :device,
             missing_since = NULL
       WHERE id = :id
      """, status.arguments + ["id": id])
  }

  private mutating func move(_ id: Int64, to rootID: Int64, _ path: BytePath, _ status: FileStatus) throws {
    guard
      let row = try Row.fetchOne(
        db, sql: "SELECT title, artist, album, albumartist, genre, search_more FROM file WHERE id = ?",
        arguments: [id])
    else { return }
    try dropRow(at: path, inRoot: rootID, except: id)
    var tags = CommonTags(Tags())
    (tags.title, tags.artist, tags.album, tags.albumArtist, tags.genre) = try (row[0], row[1], row[2], row[3], row[4])
    try run(
      """
      UPDATE file SET root_id = :root, path = :path, path_text = :text, name_text = :name, extension = :extension,
             search_text = :search, search_more = :more
       WHERE id = :id
      """,
      path.arguments + [
        "id": id, "root": rootID, "search": tags.searchText(fileName: path.name),
        "more": SearchText.more(row[5], movedTo: path),
      ])
    try restate(id, status)
  }

  /// Deletes files, and pictures that only they had. One statement deletes all files, because the search index writes
  /// its pending changes before each statement.
  mutating func deleteFiles(_ ids: [Int64]) throws {
    for id in ids { try collectArtwork(ofFile: id) }
    try db.execute(sql: "DELETE FROM file WHERE id IN (\(ids.map(String.init).joined(separator: ", ")))")
    try dropLooseArtwork()
  }

  /// Deletes the row at a path that another row takes.
  mutating func dropRow(at path: BytePath, inRoot rootID: Int64, except id: Int64?) throws {
    let found = try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT id FROM file WHERE root_id = :root AND path = :path"),
      arguments: ["root": rootID, "path": path.data])
    guard let found, found != id else { return }
    try collectArtwork(ofFile: found)
    try run("DELETE FROM file WHERE id = :id", ["id": found])
  }
}

extension BytePath {
  /// The last component as text.
  package var name: String { lastComponent.displayString }

  /// The columns of `file` that a path fills.
  package var arguments: StatementArguments {
    ["path": data, "text": displayString, "name": name, "extension": pathExtension]
  }
}

extension FileStatus {
  package var arguments: StatementArguments {
    [
      "size": byteCount, "mtime": modificationTimeInNanoseconds, "ctime": changeTimeInNanoseconds,
      "inode": Int64(bitPattern: inode), "device": Int64(bitPattern: device),
    ]
  }
}
