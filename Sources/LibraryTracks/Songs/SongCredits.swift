internal import Base
internal import LibraryDatabase
internal import LibraryQueries
package import MediaModel
internal import MediaStore
internal import QueryLanguage

/// Who did what for a song besides being its artist, the works and movements that it is, and the names by which it is ordered.
package struct SongCredits: Hashable, Sendable {
  /// A file can name thousands; as many values of each tag are read.
  package static let largestCount = 64

  package var contributors: [Contributor] = []
  package var works: [String] = []
  /// As many as there are works, if MusicBrainz has an id for each.
  package var workIDs: [String] = []
  package var movement: Movement?
  package var titleSort: String?
  /// Each of them for itself, if the tags have several values.
  package var albumArtists: [String] = []

  package init() {}

  private static let tagNames: [String] =
    ContributorRole.allCases.map(\.tagName)
    + ["WORK", "MUSICBRAINZ_WORKID", "MOVEMENTNAME", "MOVEMENTNUMBER", "MOVEMENTCOUNT", "TITLESORT", "ALBUMARTIST"]

  /// The tags that a library has, so that the others are not looked for.
  struct Names {
    fileprivate let byID: [Int64: String]
    /// A JSON list of their ids; nil if there are none.
    let list: String?

    init(_ db: Database) throws {
      let quoted = SongCredits.tagNames.map { "'\($0)'" }.joined(separator: ", ")
      let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM tag_name WHERE name IN (\(quoted)) ORDER BY id")
      byID = try Dictionary(
        rows.map { row in try (row[0] as Int64, row[1] as String) }, uniquingKeysWith: { first, _ in first })
      list = rows.isEmpty ? nil : "[\(byID.keys.sorted().map(String.init).joined(separator: ","))]"
    }
  }

  /// SQL for the values of a file, each behind the id of its tag's name.
  static let sql = """
    (SELECT group_concat(name_id || char(31) || substr(value, 1, 500), char(30)) FROM tag
      WHERE tag.file_id = file.id AND name_id IN (SELECT value FROM json_each(:credits)) AND position < \(largestCount))
    """

  /// - Parameter text: What ``sql`` gives.
  init(_ text: String, _ names: Names) {
    var values: [String: [String]] = [:]
    // By bytes: characters take ten times as long.
    for pair in text.utf8.split(separator: 0x1E) {
      guard let mark = pair.firstIndex(of: 0x1F), let id = Int64(String(pair[..<mark]) ?? ""), let name = names.byID[id]
      else { continue }
      let value = String(Substring(pair[pair.index(after: mark)...])).withoutBlankEnds
      if !value.isEmpty { values[name, default: []].append(value) }
    }
    contributors = Contributor.all { values[$0.tagName] ?? [] }
    works = values["WORK"] ?? []
    if let ids = values["MUSICBRAINZ_WORKID"], ids.count == works.count { workIDs = ids }
    movement = Movement(
      name: values["MOVEMENTNAME"]?.first, number: values["MOVEMENTNUMBER"]?.first,
      count: values["MOVEMENTCOUNT"]?.first)
    titleSort = values["TITLESORT"]?.first
    if let artists = values["ALBUMARTIST"], artists.count > 1 { albumArtists = artists }
  }
}

extension Songs {
  /// The files whose tags name somebody as artist or in any ``ContributorRole``.
  package func fileIDs(ofContributor name: String) throws -> [Int64] {
    try store.fileIDs(of: Query(condition: .test(QueryField("contributor", .tag), .equals(name))))
  }
}
