internal import Foundation
internal import LibraryDatabase
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import Synchronization
internal import UserData

/// What files call the artists by now about whom something is decided, as the scans of one open library find it.
///
/// A former name is followed if each file that had it has the same new one in its place. What earlier processes have seen is not known
/// here.
final class RenamedArtists: Sendable {
  /// Of each former name; nil stands for none, or for one that cannot be told.
  private let names = Mutex<[String: Set<String?>]>([:])

  private func note(_ former: String, became name: String?) {
    names.withLock { names in
      // Two are as good as many.
      if names[former]?.count ?? 0 < 2 { names[former, default: []].insert(name) }
    }
  }

  /// Of each former name the new one, unless there are several.
  var renames: [String: String] {
    names.withLock { $0.compactMapValues { $0.count == 1 ? $0.first ?? nil : nil } }
  }

  func forget(_ former: String) { names.withLock { $0[former] = nil } }

  /// Notes the names that a file with other tags has no more.
  ///
  /// - Parameter decided: The artists about whom something is decided, see ``ArtistDecisions/names(_:)``.
  func note(_ before: [String], became after: [String], decided: Set<String>) {
    guard before != after else { return }
    let whole = ArtistDecisions.name(before)
    if before.count != 1, decided.contains(whole) {
      note(whole, became: before.count == after.count ? ArtistDecisions.name(after) : nil)
    }
    for (place, former) in before.enumerated() where decided.contains(former) && !after.contains(former) {
      note(former, became: before.count == after.count ? after[place] : nil)
    }
  }
}

extension ChangeWriter {
  private static let tagNames = ["ARTIST", "ARTISTS", "ALBUMARTIST"]

  /// Notes which artists a file names no more, before its tags are replaced. Corrected files name whom people said.
  mutating func noteArtists(_ tags: Tags, fileID: Int64) throws {
    guard let artists else { return }
    let decided = try decidedArtists ?? ArtistDecisions.names(db)
    decidedArtists = decided
    guard !decided.isEmpty else { return }
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
    for name in Self.tagNames {
      guard let values = before[name] else { continue }
      artists.note(values, became: tags[name], decided: decided)
    }
  }
}
