package import Base
internal import Foundation
internal import LibraryDatabase
package import LibraryQueries
package import MediaModel
package import MediaStore
package import UserData

/// Everything that the library knows of one recording, except the bytes of its products.
package struct TrackDetail: Hashable, Sendable {
  /// A picture in one of the files.
  package struct Picture: Hashable, Sendable {
    package var pictureType: Int
    package var mimeType: String
    package var caption: String
    package var byteCount: Int64
  }

  /// With container and codec of the first file, and with the products that a shard keeps.
  package var recording: RecordingSummary
  /// Why those of a shard are not there; nil if they are, or there are none.
  package var shardProblem: StoreError?
  /// Of the first file's stream.
  package var streamByteCount: Int64?
  /// Present files first, then by path.
  package var files: [FileDetail]
  /// The tags of the first file, as they count.
  package var tags: Tags
  /// Of the first file, by field.
  package var corrections: [CorrectedField]
  package var pictures: [Picture]
  /// Attributes that the user, or another program of the user, gave the recording: names in lower case, sorted.
  package var attributes: [Tags.Property]
  /// Names of the lists that contain it, sorted; without lists that are queries.
  package var lists: [String]
  package var measures: Measures?
  /// With the tags of the first file.
  package var tempoAndKey: TempoAndKey
  /// nil if the first file names no album.
  package var album: AlbumLoudness?
  /// Resolved with the tags of the first file.
  package var preset: PresetResolution
  /// Of the first file.
  package var parts: [NumberedPart]
}

extension Tracks {
  /// nil if there is no such recording.
  ///
  /// - Parameters:
  ///   - path: the file whose tags are wanted; nil for the first one that is present.
  ///   - part: the frames of the part whose preset is wanted; nil for the whole recording.
  package func detail(
    ofRecording id: Int64, preferring path: BytePath? = nil, part: Range<Int64>? = nil
  ) throws(StoreError) -> TrackDetail? {
    let files = try store.files.all(ofRecording: id)
    let tagged = files.first { $0.path == path } ?? files.first
    guard var recording = try store.recordings.recording(id: id, preferringFile: tagged?.id) else { return nil }
    let shardProblem = addShardedProducts(to: &recording)
    let measures = try store.products.measures(ofRecording: id)
    let album = try tagged.flatMap { file throws(StoreError) in try store.files.albumLoudness(ofFile: file.id) }
    let preset = try store.presets.resolution(ofRecording: id, preferring: tagged?.path, part: part)
    let parts = try tagged.map { file throws(StoreError) in try store.files.parts(ofFile: file.id) } ?? []
    return try store.read { db in
      TrackDetail(
        recording: recording, shardProblem: shardProblem,
        streamByteCount: try Int64.fetchOne(
          db,
          sql: """
            SELECT payload_bytes FROM stream
             WHERE id = coalesce((SELECT stream_id FROM file WHERE id = :file),
                                 (SELECT min(id) FROM stream WHERE audio_id = :audio))
            """, arguments: ["file": tagged?.id, "audio": id]),
        files: files, tags: try tagged.map { try Tags(ofFile: $0.id, db) } ?? Tags(),
        corrections: try tagged.map { try Corrections.fields(ofFile: $0.id, db) } ?? [],
        pictures: try tagged.map { try Self.pictures(ofFile: $0.id, db) } ?? [],
        attributes: try Attributes.all(ofRecording: id, db), lists: try Self.lists(withRecording: id, db),
        measures: measures, tempoAndKey: try TempoAndKeySQL.fetch(ofRecording: id, fileID: tagged?.id, db),
        album: album, preset: preset, parts: parts)
    }
  }

  /// - Returns: why they cannot be read.
  private func addShardedProducts(to recording: inout RecordingSummary) -> StoreError? {
    do throws(StoreError) {
      recording.products += try store.products.sharded(ofRecording: recording.id, except: recording.products)
      recording.products.sort { $0.kind.rawValue < $1.kind.rawValue }
      return nil
    } catch {
      return error
    }
  }

  private static func pictures(ofFile id: Int64, _ db: Database) throws -> [TrackDetail.Picture] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT picture_type, mime_type, caption, length(bytes)
          FROM file_artwork JOIN artwork ON artwork.id = artwork_id
         WHERE file_id = ? ORDER BY position
        """, arguments: [id]
    ).map { try TrackDetail.Picture(pictureType: $0[0], mimeType: $0[1], caption: $0[2], byteCount: $0[3]) }
  }

  private static func lists(withRecording id: Int64, _ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM list
         WHERE person_id = listener() AND id IN (SELECT list_id FROM list_entry WHERE audio_id = ?)
         ORDER BY name COLLATE NOCASE
        """, arguments: [id])
  }
}
