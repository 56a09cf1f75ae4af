internal import Base
internal import Foundation
internal import LibraryDatabase
internal import LibraryQueries
internal import MediaModel
package import MediaStore
internal import Synchronization

/// The loudness of one edition of an album.
package struct AlbumLoudness: Hashable, Sendable {
  /// The recordings of the album in the library.
  package var trackCount: Int
  /// The recordings whose blocks are known and count for the loudness.
  package var measuredTrackCount: Int
  /// Integrated loudness of all their blocks in LUFS; nil if there are none, or all are gated.
  package var loudnessInLUFS: Double?
  /// The largest true peak of the tracks.
  package var truePeakInDBTP: Double?

  /// ReplayGain 2.0 of the album in dB.
  package var replayGainInDB: Double? { loudnessInLUFS.map(LoudnessScale.replayGain) }
}

extension Files {
  /// The loudness of the edition of an album that a file belongs to; nil if its tags name no album.
  ///
  /// The files of an edition are of one album, codec and folder, see ``AlbumRule`` and ``AlbumEdition``. Each recording counts once, whatever the number of its files. Missing recordings do not count, except that of the file itself. A
  /// recording whose blocks are unknown, damaged or of another version counts as a track, but not for the loudness.
  package func albumLoudness(ofFile id: Int64) throws(StoreError) -> AlbumLoudness? {
    try store.read { try AlbumLoudness.fetch(ofFile: id, $0) }
  }
}

extension AlbumLoudness {
  static func fetch(ofFile id: Int64, _ db: Database) throws -> AlbumLoudness? {
    let rows = try Row.fetchCursor(
      db.cachedStatement(sql: albumTracks), arguments: ["file": id, "kind": ProductKind.loudness.rawValue])
    let recipe = ProductRecipe.current(.loudness)
    var album = AlbumLoudness(trackCount: 0, measuredTrackCount: 0)
    var blocks = GatingHistogram()
    while let row = try rows.next() {
      album.trackCount += 1
      if let peak: Double = try row["true_peak_dbtp"] {
        album.truePeakInDBTP = max(album.truePeakInDBTP ?? peak, peak)
      }
      guard try recipe.accepts(version: row["version"], parameters: row["parameters"]),
        let track = try Self.blocks(row)
      else { continue }
      album.measuredTrackCount += 1
      blocks.formUnion(track)
    }
    album.loudnessInLUFS = blocks.integratedLoudness
    return album.trackCount > 0 ? album : nil
  }

  /// One row for each recording, found through `file_by_album_id`.
  static let albumTracks = """
    WITH track AS MATERIALIZED (
      SELECT DISTINCT other.audio_id
        FROM file AS this
             CROSS JOIN root AS own_root ON own_root.id = this.root_id
             LEFT JOIN stream AS own ON own.id = this.stream_id
             CROSS JOIN file AS other
             CROSS JOIN root ON root.id = other.root_id
             LEFT JOIN stream ON stream.id = other.stream_id
       WHERE this.id = :file AND \(AlbumSQL.column("TRUE", of: "this")) AND other.album_id = this.album_id
         AND \(AlbumSQL.edition("other")) = \(AlbumSQL.edition("this", "own_root", "own"))
         AND other.audio_id IS NOT NULL
         AND (other.missing_since IS NULL OR other.audio_id = this.audio_id))
    SELECT measures.true_peak_dbtp, product.version, product.parameters, product_blob.checksum, product_blob.bytes
      FROM track
           LEFT JOIN measures ON measures.audio_id = track.audio_id
           LEFT JOIN product ON product.audio_id = track.audio_id AND product.kind = :kind
           LEFT JOIN product_blob ON product_blob.product_id = product.id
     ORDER BY track.audio_id
    """

  /// nil if the bytes are not those that were written.
  private static func blocks(_ row: Row) throws -> GatingHistogram? {
    guard let checksum: Int64 = try row["checksum"], let bytes: Data = try row["bytes"],
      case let bytes = [UInt8](bytes), Int64(CRC32.checksum(bytes)) == checksum
    else { return nil }
    return try? GatingHistogram(blob: bytes)
  }
}

/// The loudness of editions of albums that were asked for, for as long as a library is unchanged.
package final class AlbumLoudnessCache: Sendable {
  /// An edition: an album's files in one folder with one codec.
  struct Edition: Hashable, Sendable {
    var albumID: Int64
    /// As `file.album_folder` has it.
    var folder: Int64?
    var codec: String?
  }

  /// More are not kept.
  private static let largestCount = 20_000

  private let known = Mutex<[Edition: AlbumLoudness?]>([:])

  package init() {}

  func loudness(of edition: Edition, ofFile id: Int64, _ db: Database) throws -> AlbumLoudness? {
    if let known = known.withLock({ $0[edition] }) { return known }
    let loudness = try AlbumLoudness.fetch(ofFile: id, db)
    known.withLock { known in
      if known.count >= Self.largestCount { known.removeAll() }
      known[edition] = .some(loudness)
    }
    return loudness
  }
}
