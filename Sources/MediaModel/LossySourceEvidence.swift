/// What the spectrum of a lossless recording says about whether it was made from a lossy one: evidence, never certainty.
///
/// The rule is ``rules``, which the library's query field is generated from as well; docs/lossy-source.md has its reasons
/// and what it finds.
package struct LossySourceEvidence: Hashable, Sendable {
  package enum Level: String, CaseIterable, Sendable {
    case none, weak, strong
  }

  package var level: Level
  /// What the level is based on, as a part of a sentence.
  package var reason: String

  package init(level: Level, reason: String) {
    self.level = level
    self.reason = reason
  }

  /// nil for lossy codecs, which need no evidence, and where no spectrum was measured: silence, or measures of an older
  /// version.
  package init?(format: MediaFormat?, measures: Measures?) {
    guard let format, format.codec?.isLossless == true, let rate = format.sampleRateInHz, let measures,
      measures.spectralCentroidInHz != nil
    else { return nil }
    self.init(sampleRateInHz: rate, cutoffInHz: measures.cutoffInHz, confidence: measures.cutoffConfidence)
  }

  /// The same for a lossless recording whose spectrum was measured.
  package init(sampleRateInHz: Int, cutoffInHz: Double?, confidence: Double?) {
    guard let cutoffInHz else {
      self.init(level: .none, reason: "the spectrum has no edge")
      return
    }
    let confidence = confidence ?? 0
    let rule = Self.rules.first {
      $0.matches(sampleRateInHz: sampleRateInHz, cutoffInHz: cutoffInHz, confidence: confidence)
    }
    self.init(
      level: rule?.level ?? .none,
      reason: "nothing above \(Self.decimal(cutoffInHz / 1_000, tenths: 1)) kHz (confidence "
        + "\(Self.decimal(confidence, tenths: 2))): as \(Self.trace(ofCutoffInHz: cutoffInHz)) leaves it")
  }

  /// A number of a library, which may be any, with so many digits behind the point.
  private static func decimal(_ number: Double, tenths: Int) -> String {
    let scale = tenths == 1 ? 10 : 100
    let scaled = Int((min(max(number.isNaN ? 0 : number, 0), 1e6) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: tenths - fraction.count) + fraction
  }
}
