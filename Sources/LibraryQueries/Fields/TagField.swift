internal import MediaModel
internal import QueryLanguage

/// A field that is one tag, or several: all roles of people together.
struct TagField {
  /// Everybody whom the tags of a file name, as artist or in a ``ContributorRole``.
  static let contributor = "contributor"
  /// Fields that are not called like their tag.
  private static let otherNames = ["movement": "MOVEMENTNAME"]

  let name: String

  /// The property names of its tags.
  var tagNames: [String] {
    guard name == Self.contributor else { return [Self.otherNames[name] ?? name.uppercased()] }
    return ["ARTIST", "ARTISTS", "ALBUMARTIST"] + ContributorRole.allCases.map(\.tagName) + [name.uppercased()]
  }

  /// SQL for the rows of its values in a file.
  var rows: String { rows(of: tagNames) }

  private func rows(of tagNames: [String]) -> String {
    let names = tagNames.map(Self.quoted)
    let ids = "SELECT id FROM tag_name WHERE name"
    let test =
      names.count == 1 ? "= (\(ids) = \(names[0]))" : "IN (\(ids) IN (\(names.joined(separator: ", "))))"
    return "FROM tag WHERE tag.file_id = file.id AND tag.name_id \(test)"
  }

  /// SQL for the name in a value that may say what somebody plays, such as `Nora Vale (violin)`; nil for other tags.
  var personName: String? {
    let stripped =
      "CASE WHEN substr(value, -1) = ')' AND instr(value, ' (') > 1 THEN substr(value, 1, instr(value, ' (') - 1) ELSE value END"
    switch name {
    case "performer": return stripped
    case Self.contributor:
      return "iif(tag.name_id = (SELECT id FROM tag_name WHERE name = 'PERFORMER'), \(stripped), value)"
    default: return nil
    }
  }

  /// SQL for all values as one text.
  func column(separators: [String]) -> String {
    guard name == Self.contributor else {
      return "(SELECT group_concat(value, '; ') FROM (SELECT value \(rows) ORDER BY position))"
    }
    return "(SELECT group_concat(person, '; ') FROM (\(people(separators)) ORDER BY person))"
  }

  /// SQL for a JSON list of the values, each once.
  func values(separators: [String]) -> String {
    guard name == Self.contributor else {
      return "(SELECT json_group_array(DISTINCT \(personName ?? "value")) \(rows))"
    }
    return "(SELECT json_group_array(person) FROM (\(people(separators))))"
  }

  /// SQL for the names of everybody with a role, and of the artists one by one.
  private func people(_ separators: [String]) -> String {
    let artists = "coalesce(\(RepeatedValues.artists(separators)), json_array(file.artist))"
    return """
      SELECT person
        FROM (SELECT \(personName ?? "value") AS person \(rows(of: tagNames.filter { !["ARTIST", "ARTISTS"].contains($0) }))
              UNION SELECT value FROM json_each(\(artists)))
       WHERE person IS NOT NULL
      """
  }

  /// A name of the vocabulary as an SQL literal.
  static func quoted(_ name: String) -> String { "'\(name.replacing("'", with: "''"))'" }
}

/// The values of a field of which a file can have several, each for itself.
enum RepeatedValues {
  /// The tags of columns that join several values by `; `.
  private static let tagNames = [
    "title": "TITLE", "album": "ALBUM", "albumartist": "ALBUMARTIST", "genre": "GENRE", "composer": "COMPOSER",
    "comment": "COMMENT",
  ]

  /// SQL for a JSON list of the values; NULL, or an empty list, for a file whose value is that of the column. nil for fields that
  /// have one value at most.
  static func json(_ name: String, isTag: Bool, separators: [String]) -> String? {
    if name == "artist" { return artists(separators) }
    if name == "genre" { return genres }
    if let tag = tagNames[name] {
      return
        "CASE WHEN instr(file.\(name), '; ') > 0 THEN \(TagField(name: tag.lowercased()).values(separators: [])) END"
    }
    return isTag ? TagField(name: name).values(separators: separators) : nil
  }

  /// The genres of a file, of which one value can name several, as players and programs without repeated tags write them: `Rock; Pop`.
  private static let genres = """
    CASE WHEN instr(file.genre, ';') > 0
         THEN artist_names(NULL, (SELECT group_concat(value, char(31)) \(TagField(name: "genre").rows)), 0, '[";"]') END
    """

  /// SQL for a column with `; ` between all of its values.
  static func joined(_ field: LibraryField) -> String {
    guard field.field.name == "genre" else { return field.sql }
    return "replace(replace(\(field.sql), '; ', ';'), ';', '; ')"
  }

  /// The artists of a file, see ``ArtistCredit``; NULL for most files, which have one.
  static func artists(_ separators: [String]) -> String {
    func rows(_ name: String) -> String { TagField(name: name).rows }
    func joined(_ name: String) -> String { "(SELECT group_concat(value, char(31)) \(rows(name)))" }
    let reasons =
      ["instr(file.artist, '; ') > 0", "EXISTS (SELECT 1 \(rows("artists")))"]
      + ["EXISTS (SELECT 1 \(rows("musicbrainz_artistid")) AND position = 1)"]
      + separators.map { "instr(fold(file.artist), fold(\(TagField.quoted($0)))) > 0" }
    let list = TagField.quoted(ArtistSeparators.text(separators))
    return """
      CASE WHEN \(reasons.joined(separator: " OR "))
           THEN artist_names(\(joined("artists")), \(joined("artist")), (SELECT count(*) \(rows("musicbrainz_artistid"))), \(list)) END
      """
  }
}
