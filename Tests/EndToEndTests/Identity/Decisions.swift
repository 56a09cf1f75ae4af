import Foundation
import TestSupport
import Testing

/// What users decided about the recordings of files: read from the tables, of any schema since 5.
struct Decisions: Equatable, Sendable {
  struct File: Decodable, Equatable, Sendable {
    var path: String
    var state: String
    /// The hash of its recording.
    var hash: String?
    /// The preset that is assigned to the recording itself, and whether it is on.
    var preset: String?
    /// `name=value`, in order.
    var attributes: String?
    /// Entries of lists.
    var placeCount: Int

    /// Without the hash, which another version of the program computes in another way.
    var decided: [String] { [preset ?? "none", attributes ?? "", "\(placeCount) places"] }
  }

  /// By path below the root.
  private(set) var files: [String: File]

  init(_ deadwax: DeadwaxCommand) async throws {
    let rows: [File] = try await Self.rows(
      deadwax,
      """
      SELECT path_text AS path, file.state, hex(audio.hash) AS hash,
             (SELECT coalesce(preset.name, built_in, 'nothing') || iif(is_on, '', ' (off)')
                FROM preset_assignment AS a LEFT JOIN preset ON preset.id = preset_id
               WHERE scope = 'track' AND a.hash = audio.hash) AS preset,
             (SELECT group_concat(name || '=' || value, ', ')
                FROM (SELECT * FROM attribute WHERE audio_id = audio.id ORDER BY name)) AS attributes,
             (SELECT count(*) FROM list_entry WHERE audio_id = audio.id) AS placeCount
        FROM file LEFT JOIN audio ON audio.id = audio_id
      """)
    files = Dictionary(rows.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }

  subscript(path: String) -> File? { files[path] }

  /// The entries of a list in order, each as the paths of its recording's files.
  static func entries(of list: String, _ deadwax: DeadwaxCommand) async throws -> [[String]] {
    struct Entry: Decodable { var paths: String? }
    let rows: [Entry] = try await rows(
      deadwax,
      """
      SELECT (SELECT group_concat(path_text) FROM (SELECT path_text FROM file WHERE file.audio_id = list_entry.audio_id
                                                    ORDER BY path_text)) AS paths
        FROM list_entry JOIN list ON list.id = list_id WHERE name = '\(list)' ORDER BY position
      """)
    return rows.map { $0.paths?.split(separator: ",").map(String.init) ?? [] }
  }

  /// The result of a statement, whose columns are the members of `Row`.
  static func rows<Row: Decodable>(_ deadwax: DeadwaxCommand, _ sql: String) async throws -> [Row] {
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", "-json", deadwax.library.path, sql])
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return try outcome.standardOutput.isEmpty ? [] : outcome.document([Row].self)
  }
}
