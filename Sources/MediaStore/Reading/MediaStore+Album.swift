internal import Foundation
internal import GRDB
internal import MediaModel

extension MediaStore {
  /// The loudness of the album that a file belongs to; nil where its tags name none.
  ///
  /// An album is what has the same album and album artist; without an album artist the artist serves, and all files that
  /// are marked as parts of a compilation have the same. Each recording counts once, however many files hold it; one that is
  /// missing does not count, but for that of the file itself. One whose blocks are not known, of another version or damaged,
  /// is counted only as a track.
  func albumLoudness(ofFile id: Int64) throws(StoreError) -> AlbumLoudness? {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: Self.albumTracks, arguments: ["file": id, "kind": ProductKind.loudness.rawValue])
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
  }

  /// A row a recording, through `file_by_album`.
  static let albumTracks = """
    WITH track AS MATERIALIZED (
      SELECT DISTINCT other.audio_id
        FROM file AS this CROSS JOIN file AS other
       WHERE this.id = :file AND this.album <> '' AND other.album = this.album
         AND \(albumArtist("other")) IS \(albumArtist("this"))
         AND other.audio_id IS NOT NULL
         AND (other.missing_since IS NULL OR other.audio_id = this.audio_id))
    SELECT measures.true_peak_dbtp, product.version, product.parameters, product_blob.checksum, product_blob.bytes
      FROM track
           LEFT JOIN measures ON measures.audio_id = track.audio_id
           LEFT JOIN product ON product.audio_id = track.audio_id AND product.kind = :kind
           LEFT JOIN product_blob ON product_blob.product_id = product.id
     ORDER BY track.audio_id
    """

  /// Of whom the album of a file is: for compilations without an album artist of nobody.
  private static func albumArtist(_ file: String) -> String {
    """
    coalesce(nullif(\(file).albumartist, ''), CASE WHEN EXISTS (
      SELECT 1 FROM tag WHERE file_id = \(file).id AND value = '1'
         AND name_id = (SELECT id FROM tag_name WHERE name = 'COMPILATION')) THEN '' ELSE \(file).artist END)
    """
  }

  /// nil where the bytes are not what was written.
  private static func blocks(_ row: Row) throws -> GatingHistogram? {
    guard let checksum: Int64 = try row["checksum"], let bytes: Data = try row["bytes"],
      case let bytes = [UInt8](bytes), Int64(CRC32.checksum(bytes)) == checksum
    else { return nil }
    return try? GatingHistogram(blob: bytes)
  }
}
