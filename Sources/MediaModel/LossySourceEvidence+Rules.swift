extension LossySourceEvidence {
  /// One row of the table that decides: a cut-off that satisfies all of it is evidence of the level.
  package struct Rule: Hashable, Sendable {
    package var level: Level
    /// The cut-off in Hz, from the first to below the second.
    package var cutoffInHz: Range<Double>
    /// The cut-off over the sample rate is at most this.
    package var highestShareOfRate: Double
    package var leastConfidence: Double

    func matches(sampleRateInHz: Int, cutoffInHz cutoff: Double, confidence: Double) -> Bool {
      cutoffInHz.contains(cutoff) && cutoff <= Double(sampleRateInHz) * highestShareOfRate
        && confidence >= leastConfidence
    }
  }

  /// The first that matches decides; none is no evidence.
  ///
  /// Strong: lower edges may be those of sound recorded at 32 kHz or less, or broadcast; higher ones, and those next to
  /// half the sample rate, those of converters. A confidence of one half is an edge of 24 dB. Weak: any edge up to half
  /// of 48 kHz and a little; no lossy codec in use reaches higher.
  package static let rules: [Rule] = [
    Rule(level: .strong, cutoffInHz: 15_800..<19_800, highestShareOfRate: 0.45, leastConfidence: 0.5),
    Rule(level: .weak, cutoffInHz: 0..<24_100, highestShareOfRate: 0.5, leastConfidence: 0),
  ]

  /// What is known to leave such a cut-off: the ends of the low-passes of LAME 3.100 and others, as measured in
  /// docs/lossy-source.md.
  static func trace(ofCutoffInHz cutoff: Double) -> String {
    switch cutoff {
    case ..<4_200: "sound of 8 kHz, such as a telephone's,"
    case ..<12_100: "sound of 24 kHz or less, or a very low bit rate,"
    case ..<15_800: "an MP3 of some 80 to 112 kbit/s, or sound of 32 kHz,"
    case ..<17_200: "an MP3 of about 128 kbit/s"
    case ..<18_300: "an MP3 of about 160 kbit/s, AAC of about 128, or Vorbis of quality 3"
    case ..<19_250: "an MP3 of about 192 kbit/s"
    case ..<19_950: "an MP3 of about 256 kbit/s"
    case ..<20_700: "an MP3 of 320 kbit/s, Opus, or a low-pass at 20 kHz"
    case ..<24_100: "sound of 44.1 or 48 kHz, or a converter's filter,"
    default: "sound of a lower rate, or a filter,"
    }
  }
}
