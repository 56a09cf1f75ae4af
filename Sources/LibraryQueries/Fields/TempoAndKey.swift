package import LibraryDatabase
package import MediaModel

/// Tempo and key of a track: what was measured of the recording, and what the tags of a file say, which comes first.
package struct TempoAndKey: Hashable, Sendable {
  /// Where a value comes from.
  package enum Source: String, CaseIterable, Sendable {
    case tag
    case measured

    static let words = allCases.map(\.rawValue)
  }

  package var measuredTempo: Tempo?
  package var measuredKey: KeyEstimate?
  /// Against A at 440 Hz; nil if no chroma is stored.
  package var tuningInCents: Double?
  package var taggedBeatsPerMinute: Double?
  package var taggedKey: MusicalKey?

  package var beatsPerMinute: Double? { taggedBeatsPerMinute ?? measuredTempo?.beatsPerMinute }
  package var key: MusicalKey? { taggedKey ?? measuredKey?.key }

  /// nil if there is no tempo.
  package var tempoSource: Source? {
    taggedBeatsPerMinute != nil ? .tag : measuredTempo != nil ? .measured : nil
  }

  package var keySource: Source? { taggedKey != nil ? .tag : measuredKey != nil ? .measured : nil }
}

/// The table `tempo_key` and the columns of `file` that triggers fill from it.
package enum TempoAndKeySQL {
  /// Decides tempo or key from a product that was stored, and writes them; does nothing for other kinds.
  ///
  /// A product that cannot be read decides nothing: it is damaged, which `doctor` reports.
  package static func update(from product: Product, recordingID: Int64, _ db: Database) throws {
    switch product.kind {
    case .rhythm:
      guard let summary = try? RhythmSummary(blob: product.bytes) else { return }
      let tempo = summary.tempo()
      try db.cachedStatement(
        sql: """
          INSERT INTO tempo_key (audio_id, bpm, bpm_confidence, bpm_stability)
          VALUES (:audio, :bpm, :confidence, :stability)
          ON CONFLICT (audio_id) DO UPDATE
             SET bpm = excluded.bpm, bpm_confidence = excluded.bpm_confidence, bpm_stability = excluded.bpm_stability
          """
      ).execute(arguments: [
        "audio": recordingID, "bpm": tempo?.beatsPerMinute, "confidence": tempo?.confidence,
        "stability": tempo?.stability,
      ])
    case .chroma:
      guard let summary = try? ChromaSummary(blob: product.bytes) else { return }
      let key = summary.key
      try db.cachedStatement(
        sql: """
          INSERT INTO tempo_key (audio_id, musical_key, key_confidence, tuning_cents)
          VALUES (:audio, :key, :confidence, :tuning)
          ON CONFLICT (audio_id) DO UPDATE
             SET musical_key = excluded.musical_key, key_confidence = excluded.key_confidence,
                 tuning_cents = excluded.tuning_cents
          """
      ).execute(arguments: [
        "audio": recordingID, "key": key?.key.number, "confidence": key?.confidence,
        "tuning": key == nil ? nil : summary.tuningInCents,
      ])
    default: return
    }
  }

  /// - Parameter fileID: the file whose tags count; nil if there is none.
  package static func fetch(ofRecording id: Int64, fileID: Int64?, _ db: Database) throws -> TempoAndKey {
    var result = TempoAndKey()
    if let row = try Row.fetchOne(
      db,
      sql: """
        SELECT bpm, bpm_confidence, bpm_stability, musical_key, key_confidence, tuning_cents
          FROM tempo_key WHERE audio_id = ?
        """, arguments: [id])
    {
      if let bpm: Double = try row[0] {
        result.measuredTempo = Tempo(
          beatsPerMinute: bpm, confidence: try row[1] ?? 0, stability: try row[2] ?? 0)
      }
      if let key = try (row[3] as Int?).flatMap(MusicalKey.init(number:)) {
        result.measuredKey = KeyEstimate(key: key, confidence: try row[4] ?? 0)
      }
      result.tuningInCents = try row[5]
    }
    if let fileID,
      let row = try Row.fetchOne(db, sql: "SELECT tag_bpm, tag_key FROM file WHERE id = ?", arguments: [fileID])
    {
      result.taggedBeatsPerMinute = try row[0]
      result.taggedKey = try (row[1] as Int?).flatMap(MusicalKey.init(number:))
    }
    return result
  }

  // MARK: - Fields of queries

  /// A measured number of the recording of a file.
  package static func measured(_ column: String) -> String {
    "(SELECT \(column) FROM tempo_key AS measured WHERE measured.audio_id = file.audio_id)"
  }

  static let strengths = EstimateStrength.allCases.map(\.rawValue)

  /// How far the tempo or key that was measured can be trusted; NULL without one.
  static func strength(_ column: String, _ limits: EstimateStrength.Limits) -> String {
    measured(
      """
      CASE WHEN \(column) >= \(limits.strong) THEN '\(EstimateStrength.strong.rawValue)'
           WHEN \(column) >= \(limits.fair) THEN '\(EstimateStrength.fair.rawValue)'
           WHEN \(column) IS NOT NULL THEN '\(EstimateStrength.weak.rawValue)' END
      """)
  }

  static let tempoSource = source(tag: "file.tag_bpm", value: "file.bpm")
  static let keySource = source(tag: "file.tag_key", value: "file.musical_key")

  private static func source(tag: String, value: String) -> String {
    """
    CASE WHEN \(tag) IS NOT NULL THEN '\(TempoAndKey.Source.tag.rawValue)'
         WHEN \(value) IS NOT NULL THEN '\(TempoAndKey.Source.measured.rawValue)' END
    """
  }

  /// The key of a file in a notation.
  static func keyText(_ text: (MusicalKey) -> String) -> String {
    let cases = MusicalKey.all.map { "WHEN \($0.number) THEN '\(text($0))'" }
    return "CASE file.musical_key \(cases.joined(separator: " ")) END"
  }
}
