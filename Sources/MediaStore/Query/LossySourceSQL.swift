internal import MediaModel

/// ``LossySourceEvidence`` as an expression over ``QueryCompiler/source``, made of the same table.
enum LossySourceSQL {
  /// The level as text; NULL for lossy codecs and where no spectrum was measured.
  static let level: String = {
    let cases = LossySourceEvidence.rules.map { rule in
      """
      WHEN measures.cutoff_hz >= \(rule.cutoffInHz.lowerBound) AND measures.cutoff_hz < \(rule.cutoffInHz.upperBound)
           AND measures.cutoff_hz <= audio.sample_rate_hz * \(rule.highestShareOfRate)
           AND coalesce(measures.cutoff_confidence, 0) >= \(rule.leastConfidence) THEN '\(rule.level.rawValue)'
      """
    }
    return """
      CASE WHEN \(isLossless) AND audio.sample_rate_hz IS NOT NULL AND measures.centroid_hz IS NOT NULL
           THEN CASE \(cases.joined(separator: "\n")) ELSE '\(LossySourceEvidence.Level.none.rawValue)' END END
      """
  }()

  static let isLossless: String = {
    let prefix = Codec.samplesPrefix
    return """
      (audio.codec IN (\(list(Codec.losslessCompression))) OR (substr(audio.codec, 1, \(prefix.count)) = '\(prefix)'
           AND audio.codec NOT IN (\(list(Codec.companded)))))
      """
  }()

  private static func list(_ codecs: [Codec]) -> String {
    codecs.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}
