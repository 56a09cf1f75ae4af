package import Base
internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
internal import UserData

/// What is known of a recording that another one is compared with; texts are cut like those of a ``Song``.
package struct ComparedTrack: Hashable, Sendable {
  package var recordingID: Int64
  /// Of the first file that is present, or of the first one.
  package var fileID: Int64
  package var path: BytePath
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var durationInSeconds: Double?
  package var beatsPerMinute: Double?
  package var key: MusicalKey?
  package var isPresent: Bool
  /// Whether the file is damaged.
  package var isDamaged: Bool
}

extension Tracks {
  /// What is known of recordings, in their order; nil for those that are not in a file of the library.
  ///
  /// Each is found through the index of the hashes.
  package func compared(_ hashes: [ContentHash]) throws(StoreError) -> [ComparedTrack?] {
    try store.read { db in try hashes.map { try Self.compared($0, db) } }
  }

  private static let cutColumns = ["title", "artist", "album", "albumartist"].map { ShownText.sql("file.\($0)") }
    .joined(separator: ", ")

  private static func compared(_ hash: ContentHash, _ db: Database) throws -> ComparedTrack? {
    try Row.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT audio.id, file.id, root.path, file.path, \(cutColumns),
                 file.duration_s, file.bpm, file.musical_key, file.missing_since IS NULL,
                 file.last_state = 'damaged'
            FROM audio JOIN file ON file.audio_id = audio.id JOIN root ON root.id = file.root_id
           WHERE audio.hash = :hash
           ORDER BY file.missing_since IS NOT NULL, root.path, file.path, file.id
           LIMIT 1
          """), arguments: ["hash": Data(hash.bytes)]
    ).map { row in
      func cut(_ text: String?) -> String? { text.map { ShownText.cut($0) } }
      return ComparedTrack(
        recordingID: try row[0], fileID: try row[1],
        path: BytePath(try row[2] as Data).appending(BytePath(try row[3] as Data)), title: cut(try row[4]),
        artist: cut(try row[5]), album: cut(try row[6]), albumArtist: cut(try row[7]), durationInSeconds: try row[8],
        beatsPerMinute: try row[9], key: try (row[10] as Int?).flatMap(MusicalKey.init(number:)),
        isPresent: try row[11], isDamaged: try row[12])
    }
  }
}
