internal import Base
internal import LibraryDatabase
internal import MediaModel

/// What the journal says last about the presets of albums, by the names by which these are known now.
///
/// When albums become one or two, their presets are what it says, so that no change of its own is needed, and `undo` goes on behind it.
struct AlbumPresetWords {
  private struct Key: Hashable {
    var names: AlbumNames
    var personID: Int64
  }

  /// nil for a preset that was taken away.
  private var words: [Key: StoredAssignment?] = [:]

  init(_ db: Database) throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT before, after, undone_at IS NULL FROM change_row JOIN change ON id = change_id
         WHERE table_name = 'preset_assignment'
           AND json_extract(coalesce(after, before), '$.scope') = 'album'
         ORDER BY change_id, position
        """)
    while let row = try rows.next() {
      let (before, after): (JSONValue?, JSONValue?) = try (Self.json(row[0]), Self.json(row[1]))
      guard let any = after ?? before, let title = any["album"]?.string, let artist = any["artist"]?.string,
        case .integer(let person)? = any["person_id"]
      else { continue }
      let names = try AlbumDecisions.current(AlbumNames(artist: artist, title: title), db)
      let key = Key(names: names, personID: person)
      if try row[2] {
        words[key] = .some(after.flatMap(StoredAssignment.init(json:)))
      } else if words[key] == nil {
        // What was undone left nothing.
        words[key] = .some(nil)
      }
    }
  }

  private static func json(_ text: String?) -> JSONValue? {
    text.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
  }

  /// nil if the journal says nothing, `.some(nil)` if it says that there is none.
  func word(of names: AlbumNames, by person: Int64) -> StoredAssignment?? { words[Key(names: names, personID: person)] }
}
