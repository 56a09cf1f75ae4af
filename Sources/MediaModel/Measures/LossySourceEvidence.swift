/// Evidence, never certainty, from its spectrum that a lossless recording was made from a lossy one.
///
/// The rule is ``rules``, from which the query field of the library is generated, too; docs/lossy-source.md has the
/// reasons and results.
package struct LossySourceEvidence: Hashable, Sendable {
  package enum Strength: String, CaseIterable, Sendable {
    case none, weak, strong
  }

  package var strength: Strength
  /// The reason for the strength, as part of a sentence.
  package var reason: String

  package init(strength: Strength, reason: String) {
    self.strength = strength
    self.reason = reason
  }

  /// nil for lossy codecs, which need no evidence, and if there is no measured spectrum: for silence, or for measures
  /// of an older version.
  package init?(format: MediaFormat?, measures: Measures?) {
    guard let format, format.codec?.isLossless == true, let rate = format.sampleRateInHz, let measures,
      measures.spectralCentroidInHz != nil
    else { return nil }
    self.init(sampleRateInHz: rate, cutoffInHz: measures.cutoffInHz, confidence: measures.cutoffConfidence)
  }

  /// The same for a lossless recording whose spectrum was measured.
  package init(sampleRateInHz: Int, cutoffInHz: Double?, confidence: Double?) {
    guard let cutoffInHz else {
      self.init(strength: .none, reason: "the spectrum has no edge")
      return
    }
    let confidence = confidence ?? 0
    let rule = Self.rules.first {
      $0.matches(sampleRateInHz: sampleRateInHz, cutoffInHz: cutoffInHz, confidence: confidence)
    }
    self.init(
      strength: rule?.strength ?? .none,
      reason: "nothing above \(Self.decimal(cutoffInHz / 1_000, tenths: 1)) kHz (confidence "
        + "\(Self.decimal(confidence, tenths: 2))), typical of \(Self.trace(ofCutoffInHz: cutoffInHz))")
  }

  /// A number from a library, which may be any value, with a number of decimals.
  private static func decimal(_ number: Double, tenths: Int) -> String {
    let scale = tenths == 1 ? 10 : 100
    let scaled = Int((min(max(number.isNaN ? 0 : number, 0), 1e6) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: tenths - fraction.count) + fraction
  }
}

extension LossySourceEvidence {
  /// A rule: a cut-off that meets all its conditions is evidence of that strength.
  package struct Rule: Hashable, Sendable {
    package var strength: Strength
    /// The range of the cut-off in Hz, without the upper bound.
    package var cutoffInHz: Range<Double>
    /// The highest ratio of cut-off and sample rate.
    package var highestShareOfRate: Double
    package var leastConfidence: Double

    func matches(sampleRateInHz: Int, cutoffInHz cutoff: Double, confidence: Double) -> Bool {
      cutoffInHz.contains(cutoff) && cutoff <= Double(sampleRateInHz) * highestShareOfRate
        && confidence >= leastConfidence
    }
  }

  /// The first matching rule decides; without one there is no evidence.
  ///
  /// Strong: a lower edge may come from a recording at 32 kHz or less, or from a broadcast; a higher one, or one close
  /// to half the sample rate, from a converter. A confidence of one half is an edge of 24 dB. Weak: any edge up to
  /// slightly above half of 48 kHz; no lossy codec in use reaches higher. Where the rate is twice as high or more, an edge up to
  /// the end of a gentle resampler's slope shows sound of 44.1 or 48 kHz.
  package static let rules: [Rule] = [
    Rule(strength: .strong, cutoffInHz: 15_800..<19_800, highestShareOfRate: 0.45, leastConfidence: 0.5),
    Rule(strength: .weak, cutoffInHz: 0..<24_100, highestShareOfRate: 0.5, leastConfidence: 0),
    Rule(strength: .weak, cutoffInHz: 24_100..<26_400, highestShareOfRate: 0.3, leastConfidence: 0),
  ]

  /// Known causes of such a cut-off: the edges of the low-passes of LAME 3.100 and others, as measured in
  /// docs/lossy-source.md.
  static func trace(ofCutoffInHz cutoff: Double) -> String {
    switch cutoff {
    case ..<4_200: "8 kHz audio, such as telephone recordings"
    case ..<12_100: "audio at 24 kHz or less, or a very low bit rate"
    case ..<15_800: "an MP3 of about 80 to 112 kbit/s, or 32 kHz audio"
    case ..<17_200: "an MP3 of about 128 kbit/s"
    case ..<18_300: "an MP3 of about 160 kbit/s, AAC of about 128, or Vorbis of quality 3"
    case ..<19_250: "an MP3 of about 192 kbit/s"
    case ..<19_950: "an MP3 of about 256 kbit/s"
    case ..<20_700: "an MP3 of 320 kbit/s, Opus, or a low-pass at 20 kHz"
    case ..<24_100: "44.1 or 48 kHz audio, or a converter's filter"
    case ..<26_400: "44.1 or 48 kHz audio from a gentle resampler, or a filter"
    default: "audio of a lower sample rate, or a filter"
    }
  }
}
