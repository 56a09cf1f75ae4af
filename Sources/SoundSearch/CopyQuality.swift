package import MediaModel
package import MediaStore

/// What a file is judged by among files of one recording: only what was measured, in a fixed order of importance.
package struct CopyQuality: Hashable, Sendable {
  /// Edges of the spectrum that differ by less are equal.
  private static let cutoffToleranceInHz = 700.0
  private static let durationToleranceInSeconds = 1.0
  /// Bits a second of lossy codecs that differ by less are equal.
  private static let bitrateTolerance = 1.15

  package let isDamaged: Bool
  package let durationInSeconds: Double
  /// Lossless, and without strong evidence that it was made from a lossy file.
  package let isLossless: Bool
  package let lossyEvidence: LossySourceEvidence.Strength?
  package let cutoffInHz: Double?
  package let codec: Codec?
  package let sampleRateInHz: Int
  package let bits: Int
  package let bitrateInBitsPerSecond: Int
  package let clippedSampleCount: Int
  package let loudnessInLUFS: Double?

  package init(_ file: FileDetail, _ recording: RecordingSummary, _ measures: Measures?) {
    let format = file.format ?? recording.format
    let evidence = LossySourceEvidence(format: format, measures: measures)
    isDamaged = file.state != .ok || recording.state == .damaged
    durationInSeconds = format?.durationInSeconds ?? 0
    lossyEvidence = evidence?.strength
    isLossless = format?.codec?.isLossless == true && evidence?.strength != .strong
    cutoffInHz = measures?.cutoffInHz
    codec = format?.codec
    sampleRateInHz = format?.sampleRateInHz ?? 0
    bits = format?.bitsPerSample ?? 0
    bitrateInBitsPerSecond = format?.bitRateInBitsPerSecond ?? 0
    clippedSampleCount = measures?.clippedSampleCount ?? 0
    loudnessInLUFS = measures?.integratedLoudnessInLUFS
  }

  /// The first thing in which it is better than another file, as part of a sentence; nil if it is not better.
  ///
  /// - Returns: For example `lossless`. The order is that of the help of `deadwax duplicates`.
  package func advantage(over other: CopyQuality) -> String? {
    for (isBetter, isWorse, reason) in comparisons(with: other) {
      if isBetter { return reason }
      if isWorse { return nil }
    }
    return nil
  }

  private func comparisons(with other: CopyQuality) -> [(Bool, Bool, String)] {
    func order(_ own: Double, _ others: Double, tolerance: Double, _ reason: String) -> (Bool, Bool, String) {
      (own > others + tolerance, others > own + tolerance, reason)
    }
    func flag(_ own: Bool, _ others: Bool, _ reason: String) -> (Bool, Bool, String) {
      (own && !others, others && !own, reason)
    }
    let areLossy = !isLossless && !other.isLossless
    let ratio = areLossy && codec == other.codec ? Self.bitrateTolerance : .infinity
    return [
      flag(!isDamaged, !other.isDamaged, "undamaged"),
      order(durationInSeconds, other.durationInSeconds, tolerance: Self.durationToleranceInSeconds, "longer"),
      flag(isLossless, other.isLossless, "lossless"),
      // No edge means that nothing is cut off.
      order(
        cutoffInHz ?? 24_000, other.cutoffInHz ?? 24_000, tolerance: Self.cutoffToleranceInHz, "reaches higher"),
      order(Double(sampleRateInHz), Double(other.sampleRateInHz), tolerance: 0, "higher sample rate"),
      order(
        isLossless && other.isLossless ? Double(bits) : 0, isLossless && other.isLossless ? Double(other.bits) : 0,
        tolerance: 0, "more bits"),
      (
        Double(bitrateInBitsPerSecond) > Double(other.bitrateInBitsPerSecond) * ratio,
        Double(other.bitrateInBitsPerSecond) > Double(bitrateInBitsPerSecond) * ratio, "higher bit rate"
      ),
      flag(clippedSampleCount == 0, other.clippedSampleCount == 0, "not clipped"),
    ]
  }
}
