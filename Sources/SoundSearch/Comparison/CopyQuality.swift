package import LibraryTracks
package import MediaModel

/// What a file is judged by among files of one recording: only what was measured, in a fixed order of importance.
package struct CopyQuality: Hashable, Sendable {
  /// Edges of the spectrum that differ by less are equal.
  private static let cutoffToleranceInHz = 700.0
  /// Of a lossless file and one of a lossy codec, which fills what is above the edge with noise of its own.
  private static let cutoffToleranceOfCodecsInHz = 2_000.0
  private static let audibleInHz = 24_000.0
  private static let durationToleranceInSeconds = 1.0
  /// AAC with fewer bits a second may have made up its heights from what is below (spectral band replication).
  private static let leastBitrateOfPlainAAC = 96_000
  /// Bits a second of one lossy codec that differ by less are equal.
  private static let bitrateTolerance = 1.15
  /// Of two lossy codecs: a better codec needs fewer bits, but hardly less than half.
  private static let bitrateToleranceOfCodecs = 2.0
  /// The noise of fewer bits reaches all heights.
  private static let leastQuietBits = 16
  /// Masters differ in dynamics or tone by more than copies do.
  private static let crestToleranceInDB = 3.0
  private static let centroidTolerance = 1.4

  package let isDamaged: Bool
  package let durationInSeconds: Double
  /// From the first sound to the last, above -60 dBFS.
  package let soundInSeconds: Double
  package let channelCount: Int
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
  package let crestInDB: Double?
  package let centroidInHz: Double?

  package init(_ file: FileDetail, _ recording: RecordingSummary, _ measures: Measures?) {
    let format = file.format ?? recording.format
    let evidence = LossySourceEvidence(format: format, measures: measures)
    isDamaged = file.state != .ok || recording.state == .damaged
    let duration = format?.durationInSeconds ?? 0
    durationInSeconds = duration
    let silence = (measures?.leadingSilenceInSeconds ?? 0) + (measures?.trailingSilenceInSeconds ?? 0)
    soundInSeconds = max(0, duration - silence)
    channelCount = format?.channelCount ?? 0
    lossyEvidence = evidence?.strength
    isLossless = format?.codec?.isLossless == true && evidence?.strength != .strong
    cutoffInHz = measures?.cutoffInHz
    codec = format?.codec
    sampleRateInHz = format?.sampleRateInHz ?? 0
    bits = format?.bitsPerSample ?? 0
    bitrateInBitsPerSecond = format?.bitRateInBitsPerSecond ?? 0
    clippedSampleCount = measures?.clippedSampleCount ?? 0
    loudnessInLUFS = measures?.integratedLoudnessInLUFS
    crestInDB = measures?.crestInDB
    centroidInHz = measures?.spectralCentroidInHz
  }

  /// In what one file is better than another; the raw value is its code in JSON.
  package enum Advantage: String, Sendable {
    case undamaged, longer, lossless
    case moreChannels = "more-channels"
    case moreBits = "more-bits"
    case reachesHigher = "reaches-higher"
    case higherSampleRate = "higher-sample-rate"
    case higherBitRate = "higher-bit-rate"
    case notClipped = "not-clipped"
    /// It has music where the other one has silence; found by decoding, not by what was measured.
    case moreOfTheSound = "more-of-the-sound"

    /// As part of a sentence, for example `higher bit rate`.
    package var phrase: String { rawValue.replacing("-", with: " ") }
  }

  /// The first thing in which it is better than another file; nil if it is not better. The order is that of the help of
  /// `deadwax duplicates`.
  package func advantage(over other: CopyQuality) -> Advantage? {
    for (isBetter, isWorse, advantage) in comparisons(with: other) {
      if isBetter { return advantage }
      if isWorse { return nil }
    }
    return nil
  }

  /// Whether this file may take the place of another one: what was measured says that it is not worse, and both sound like
  /// one master with as many channels; a downmix is another sound, whichever of the two was made first.
  ///
  /// Of two lossy codecs, only the edges of their spectra may tell which file was not made from the other.
  package func canReplace(_ other: CopyQuality) -> Bool {
    if channelCount != other.channelCount { return false }
    if let crestInDB, let others = other.crestInDB, abs(crestInDB - others) > Self.crestToleranceInDB { return false }
    if let centroidInHz, let others = other.centroidInHz,
      max(centroidInHz, others) > min(centroidInHz, others) * Self.centroidTolerance
    {
      return false
    }
    // Whatever else is better: heights that cannot be in this file are not given up for it.
    if !other.inventsHeights, other.edgeInHz > greatestEdgeInHz + Self.cutoffToleranceOfCodecsInHz { return false }
    return isComparable(with: other) || advantage(over: other) != nil
  }

  /// Up to where it has sound. No edge in the spectrum means that nothing is cut off but by the sample rate.
  private var edgeInHz: Double { min(cutoffInHz ?? .infinity, greatestEdgeInHz) }

  /// By its sample rate, and by what anybody hears.
  private var greatestEdgeInHz: Double {
    sampleRateInHz > 0 ? min(Double(sampleRateInHz) / 2, Self.audibleInHz) : Self.audibleInHz
  }

  /// Whether rates mean the same in both.
  private func isComparable(with other: CopyQuality) -> Bool { isLossless || other.isLossless || codec == other.codec }

  /// Whether the file that reaches higher cannot have been made from the other one.
  private func hasComparableEdge(with other: CopyQuality) -> Bool {
    codec == other.codec || !inventsHeights && !other.inventsHeights
  }

  /// Whether the codec reaches 20 kHz whatever it is given: Opus at any bit rate, AAC at low ones, WMA and others by noise.
  private var inventsHeights: Bool {
    switch codec {
    case .mp1, .mp2, .mp3, .vorbis: false
    case .aac: bitrateInBitsPerSecond < Self.leastBitrateOfPlainAAC
    case let codec: codec?.isLossless != true
    }
  }

  /// Silence at the ends makes no file longer; a fade that ends above -60 dBFS in one of two levels only, neither.
  private func isLonger(than other: CopyQuality) -> Bool {
    durationInSeconds > other.durationInSeconds + Self.durationToleranceInSeconds
      && soundInSeconds > other.soundInSeconds + Self.durationToleranceInSeconds
  }

  private func comparisons(with other: CopyQuality) -> [(Bool, Bool, Advantage)] {
    func order(_ own: Double, _ others: Double, tolerance: Double, _ advantage: Advantage) -> (Bool, Bool, Advantage) {
      (own > others + tolerance, others > own + tolerance, advantage)
    }
    func flag(_ own: Bool, _ others: Bool, _ advantage: Advantage) -> (Bool, Bool, Advantage) {
      (own && !others, others && !own, advantage)
    }
    let areLossy = !isLossless && !other.isLossless
    let isComparable = isComparable(with: other)
    let areLossless = isLossless && other.isLossless
    // One bit is that of DSD, whose noise is elsewhere.
    let isOneNoisy = areLossless && (2..<Self.leastQuietBits).contains(min(bits, other.bits))
    let hasComparableEdge = hasComparableEdge(with: other)
    let ratio =
      !areLossy ? .infinity : codec == other.codec ? Self.bitrateTolerance : Self.bitrateToleranceOfCodecs
    return [
      flag(!isDamaged, !other.isDamaged, .undamaged),
      (isLonger(than: other), other.isLonger(than: self), .longer),
      order(Double(channelCount), Double(other.channelCount), tolerance: 0, .moreChannels),
      flag(isLossless, other.isLossless, .lossless),
      order(isOneNoisy ? Double(bits) : 0, isOneNoisy ? Double(other.bits) : 0, tolerance: 0, .moreBits),
      order(
        hasComparableEdge ? edgeInHz : 0, hasComparableEdge ? other.edgeInHz : 0,
        tolerance: codec?.isLossless == other.codec?.isLossless
          ? Self.cutoffToleranceInHz : Self.cutoffToleranceOfCodecsInHz, .reachesHigher),
      order(
        isComparable ? Double(sampleRateInHz) : 0, isComparable ? Double(other.sampleRateInHz) : 0, tolerance: 0,
        .higherSampleRate),
      order(areLossless ? Double(bits) : 0, areLossless ? Double(other.bits) : 0, tolerance: 0, .moreBits),
      (
        Double(bitrateInBitsPerSecond) > Double(other.bitrateInBitsPerSecond) * ratio,
        Double(other.bitrateInBitsPerSecond) > Double(bitrateInBitsPerSecond) * ratio, .higherBitRate
      ),
      flag(clippedSampleCount == 0, other.clippedSampleCount == 0, .notClipped),
    ]
  }
}
