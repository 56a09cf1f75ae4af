import MediaModel
import Testing

struct LossySourceEvidenceTests {
  private func evidence(
    _ codec: Codec = .flac, rate: Int = 44_100, cutoff: Double?, confidence: Double?, centroid: Double? = 2_000
  ) -> LossySourceEvidence? {
    LossySourceEvidence(
      format: MediaFormat(container: .flac, codec: codec, sampleRateInHz: rate),
      measures: Measures(spectralCentroidInHz: centroid, cutoffInHz: cutoff, cutoffConfidence: confidence))
  }

  @Test func `an MP3 of 128 kbit/s leaves strong evidence, in words`() {
    let evidence = evidence(cutoff: 16_034, confidence: 0.93)
    #expect(evidence?.strength == .strong)
    #expect(
      evidence?.reason == "nothing above 16.0 kHz (confidence 0.93), typical of an MP3 of about 128 kbit/s")
  }

  @Test(arguments: [
    (44_100, 16_000.0, 0.49, LossySourceEvidence.Strength.weak), (44_100, 16_000, 0.5, .strong),
    (44_100, 15_799, 1, .weak), (44_100, 15_800, 1, .strong), (44_100, 19_799, 1, .strong), (44_100, 19_800, 1, .weak),
    (44_100, 20_500, 1, .weak),
    (48_000, 20_000, 1, .weak), (96_000, 22_000, 1, .weak), (96_000, 16_000, 1, .strong), (96_000, 30_000, 1, .none),
    // A resampler may cut late, but not at half of 48 kHz.
    (96_000, 24_730, 0.27, .weak), (88_200, 25_000, 0.5, .weak), (48_000, 24_200, 1, .none), (96_000, 26_400, 1, .none),
    // Next to half of a lower rate it is the filter of a converter.
    (37_800, 17_100, 1, .weak), (37_800, 17_000, 1, .strong),
  ]) func `the level follows from frequency, rate and confidence`(
    rate: Int, cutoff: Double, confidence: Double, level: LossySourceEvidence.Strength
  ) {
    #expect(evidence(rate: rate, cutoff: cutoff, confidence: confidence)?.strength == level)
  }

  @Test func `no edge is no evidence`() {
    #expect(evidence(cutoff: nil, confidence: nil)?.strength == LossySourceEvidence.Strength.none)
    #expect(evidence(cutoff: nil, confidence: nil)?.reason == "the spectrum has no edge")
  }

  @Test(arguments: [Codec.mp3, .vorbis, .opus, .aac, .aLaw, .muLaw, .imaADPCM])
  func `a lossy codec needs no evidence`(codec: Codec) {
    #expect(evidence(codec, cutoff: 16_000, confidence: 1) == nil)
  }

  @Test(arguments: [Codec.flac, .alac, .wavpack, .pcmS16, .pcmF32, Codec(rawValue: "pcm_s20")])
  func `a lossless codec is judged`(codec: Codec) {
    #expect(evidence(codec, cutoff: 16_000, confidence: 1)?.strength == .strong)
  }

  @Test func `nothing is said without a spectrum`() {
    #expect(evidence(cutoff: 16_000, confidence: 1, centroid: nil) == nil)
    #expect(LossySourceEvidence(format: nil, measures: Measures(spectralCentroidInHz: 1)) == nil)
    #expect(LossySourceEvidence(format: MediaFormat(container: .flac, codec: .flac), measures: nil) == nil)
  }

  @Test(arguments: [-.infinity, -1, 0, 1e300, .infinity, .nan], [-.infinity, 0.5, 1e300, .infinity, .nan])
  func `nonsense in a library does not trap`(cutoff: Double, confidence: Double) {
    #expect(evidence(cutoff: cutoff, confidence: confidence)?.reason.isEmpty == false)
  }
}
