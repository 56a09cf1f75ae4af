internal import Foundation
internal import LibraryDatabase
package import MediaModel
package import MediaStore
package import UserData

/// A recording that sounds like another one.
package struct LikelyRecording: Hashable, Sendable {
  package var recordingID: Int64
  package var hash: ContentHash
  package var label: String
  /// The share of equal bits of both fingerprints, 0 to 1.
  package var likeness: Double
  /// Roughly the second of it at which the other one begins.
  package var offsetInSeconds: Double

  package init(recordingID: Int64, hash: ContentHash, label: String, likeness: Double, offsetInSeconds: Double = 0) {
    self.recordingID = recordingID
    self.hash = hash
    self.label = label
    self.likeness = likeness
    self.offsetInSeconds = offsetInSeconds
  }
}

extension Decisions {
  /// Recordings in files that are there, whose first two minutes surely sound like those of a recording without one: the most
  /// alike first, then by id.
  ///
  /// Their fingerprints are compared, so this is empty if the analyses of the recording were forgotten, or if it is too
  /// short or too uniform for a fingerprint that says anything. What comes later is not compared here.
  /// - Complexity: O(n) for the n files of about the same length.
  package func likely(for orphan: OrphanedRecording) throws(StoreError) -> [LikelyRecording] {
    guard let id = orphan.recordingID, let seconds = orphan.durationInSeconds,
      let wanted = try fingerprint(ofRecording: id)
    else { return [] }
    let tolerance = FingerprintLikeness.durationToleranceInSeconds
    let candidates = try store.read { db in
      try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT file.audio_id
            FROM file INDEXED BY file_by_duration JOIN audio ON audio.id = file.audio_id
           WHERE file.duration_s BETWEEN :least AND :most AND file.missing_since IS NULL AND audio.id <> :id
             AND audio.duration_s BETWEEN :least AND :most
           ORDER BY file.audio_id
          """, arguments: ["least": seconds - tolerance, "most": seconds + tolerance, "id": id])
    }
    var likely: [(id: Int64, likeness: FingerprintLikeness)] = []
    for candidate in candidates {
      guard let found = try fingerprint(ofRecording: candidate),
        let likeness = FingerprintLikeness(wanted, found), likeness.isSure
      else { continue }
      likely.append((candidate, likeness))
    }
    return try described(likely.sorted { ($1.likeness.share, $0.id) < ($0.likeness.share, $1.id) })
  }

  /// nil if there is none, or its bytes are damaged.
  private func fingerprint(ofRecording id: Int64) throws(StoreError) -> AcoustIDFingerprint? {
    do throws(StoreError) {
      return try store.products.product(.fingerprint, ofRecording: id).flatMap {
        try? AcoustIDFingerprint(compressed: $0.bytes)
      }
    } catch .damagedProduct {
      return nil
    }
  }

  private func described(_ likely: [(id: Int64, likeness: FingerprintLikeness)]) throws(StoreError) -> [LikelyRecording]
  {
    try store.read { db in
      try likely.compactMap { id, likeness in
        let file = try Row.fetchOne(
          db.cachedStatement(
            sql: """
              SELECT audio.hash, file.title, file.artist, file.name_text
                FROM file JOIN audio ON audio.id = file.audio_id
               WHERE file.audio_id = ? ORDER BY file.missing_since IS NOT NULL, file.root_id, file.path LIMIT 1
              """), arguments: [id])
        guard let file, let hash = ContentHash(bytes: try file["hash"] as Data) else { return nil }
        return LikelyRecording(
          recordingID: id, hash: hash, label: try Decisions.label(ofFile: file), likeness: likeness.share,
          offsetInSeconds: -likeness.offsetInSeconds)
      }
    }
  }
}
