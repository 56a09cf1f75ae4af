import Base
import Foundation
import GRDB

/// All rows of a library as text, known by hashes, paths and names: what two libraries must share to be the same but for
/// ids, times and the numbers of disks.
struct LibraryContents: Equatable {
  var lines: [String]

  init(_ path: BytePath) throws {
    lines = try DatabaseQueue(path: path.displayString).read { db in
      try Self.statements.flatMap { name, sql in
        try Row.fetchAll(db, sql: Self.expanded(sql, db)).map { row in
          name + ": " + row.databaseValues.map(Self.text).joined(separator: " | ")
        }
      }.sorted()
    }
  }

  private static func text(_ value: DatabaseValue) -> String {
    guard case .blob(let bytes) = value.storage else { return value.description }
    return bytes.map { String($0, radix: 16) }.joined(separator: ",")
  }

  func lines(of table: String) -> [String] { lines.filter { $0.hasPrefix(table + ": ") } }

  /// Puts all columns of a table in the place of `table.*`, except for ids, keys, times and the numbers of disks.
  private static func expanded(_ sql: String, _ db: Database) throws -> String {
    var sql = sql
    for table in ["file", "audio", "measures", "product", "preset", "file_tally"] where sql.contains("\(table).*") {
      let names = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_xinfo(?)", arguments: [table])
        .filter {
          $0 != "id" && $0 != "key" && $0 != "device" && !$0.hasSuffix("_id") && !$0.hasSuffix("_at")
            // These have the numbers of roots.
            && $0 != "album_shelf" && $0 != "album_folder" && $0 != "folder"
        }
      sql = sql.replacing("\(table).*", with: names.map { "\(table).\($0)" }.joined(separator: ", "))
    }
    return sql
  }

  private static let statements = [
    ("root", "SELECT path, is_protected FROM root"),
    (
      "file",
      """
      SELECT root.path_text || '/' || file.path_text, audio.hash, file.*
        FROM file JOIN root ON root.id = root_id LEFT JOIN audio ON audio.id = audio_id
      """
    ),
    ("tag", "SELECT path_text, name, position, value FROM file_tag JOIN file ON file.id = file_id"),
    (
      "picture",
      """
      SELECT path_text, position, picture_type, caption, artwork.hash, mime_type, bytes
        FROM file_artwork JOIN artwork ON artwork.id = artwork_id JOIN file ON file.id = file_id
      """
    ),
    (
      "picture beside files",
      """
      SELECT root.path_text, folder_picture.path_text, rank, size_bytes, mtime_ns, ctime_ns, hash, mime_type, problem
        FROM folder_picture JOIN root ON root.id = root_id
      """
    ),
    ("cover", "SELECT artist, title, cover, cover_source FROM album WHERE cover IS NOT NULL"),
    (
      "part",
      """
      SELECT file.path_text, cue_sheet.path_text, source, position, start_frame, end_frame, part.title, part.artist, isrc
        FROM part JOIN file ON file.id = file_id LEFT JOIN cue_sheet ON cue_sheet.id = sheet_id
      """
    ),
    ("audio", "SELECT audio.* FROM audio"),
    ("measures", "SELECT audio.hash, measures.* FROM measures JOIN audio ON audio.id = audio_id"),
    (
      "product",
      """
      SELECT audio.hash, product.*, checksum, bytes
        FROM product JOIN audio ON audio.id = audio_id LEFT JOIN product_blob ON product_id = product.id
      """
    ),
    (
      "own tag",
      "SELECT path_text, field, tags, own_tag.state FROM own_tag JOIN file ON file.id = file_id"
    ),
    (
      "correction",
      "SELECT scope, iif(scope = 'file', (SELECT path_text FROM file WHERE key = subject), subject), field, value, base FROM correction"
    ),
    ("attribute", "SELECT hash, name, value FROM attribute JOIN audio ON audio.id = audio_id"),
    (
      "list",
      """
      SELECT name, query, (SELECT group_concat(hex(hash)) FROM (
               SELECT hash FROM list_entry JOIN audio ON audio.id = audio_id WHERE list_id = list.id ORDER BY position))
        FROM list
      """
    ),
    ("preset", "SELECT preset.* FROM preset"),
    (
      "assignment",
      """
      SELECT scope, hash, artist, album, start_frame, end_frame, coalesce((SELECT name FROM preset WHERE id = preset_id), built_in), is_on, label,
             (SELECT name FROM person WHERE id = person_id)
        FROM preset_assignment
      """
    ),
    (
      "file change",
      """
      SELECT summary, hex(file_key), path, state, hex(old_hash), hex(new_hash), hex(undo),
             (SELECT group_concat(hex(hash)) FROM file_change_picture WHERE part_id = file_change_part.id)
        FROM file_change_part JOIN file_change ON file_change.id = change_id
      """
    ),
    ("tally", "SELECT root.path, file_tally.* FROM file_tally JOIN root ON root.id = root_id"),
    ("tally", "SELECT * FROM audio_tally"),
    ("tally", "SELECT * FROM product_tally"),
  ]
}
