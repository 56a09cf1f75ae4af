internal import LibraryDatabase
internal import MediaModel
internal import MediaStore
internal import Synchronization
internal import UserData

/// What files call the artists by now about whom something is decided, as the scans of one open library find it.
///
/// What earlier processes have seen is not known here.
final class RenamedArtists: Sendable {
  private let state = Mutex<ArtistRenames?>(nil)

  var renames: [String: String] { state.withLock { $0?.all ?? [:] } }

  func forget(_ former: String) { state.withLock { $0?.forget(former) } }

  func add(_ renames: ArtistRenames) {
    state.withLock { state in
      if state == nil { state = renames } else { state?.formUnion(renames) }
    }
  }
}

extension ChangeWriter {
  /// Notes which artists a file names no more, before its tags are replaced. Corrected files name whom people said.
  mutating func noteArtists(_ tags: Tags, fileID: Int64) throws {
    guard artists != nil else { return }
    if renames == nil { renames = try ArtistRenames(db) }
    guard renames?.isIdle == false else { return }
    let rows = try Row.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT tag_name.name, value FROM tag_name CROSS JOIN tag ON tag.file_id = ?1 AND tag.name_id = tag_name.id
           WHERE tag_name.name IN ('ARTIST', 'ARTISTS', 'ALBUMARTIST')
             AND NOT EXISTS (SELECT 1 FROM own_tag WHERE file_id = ?1 AND field IN ('ARTIST', 'ARTISTS', 'ALBUMARTIST'))
           ORDER BY tag_name.name, position
          """), arguments: [fileID])
    var before: [String: [String]] = [:]
    for row in rows { try before[row[0], default: []].append(row[1]) }
    let kept = Set(ArtistRenames.tagNames.flatMap { tags[$0] })
    for (name, values) in before { renames?.note(values, became: tags[name], kept: kept) }
  }

  /// Hands on what ``noteArtists(_:fileID:)`` has found.
  func handOnRenames() { if let renames, !renames.isIdle { artists?.add(renames) } }
}
