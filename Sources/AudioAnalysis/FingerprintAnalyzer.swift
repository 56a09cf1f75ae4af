internal import CChromaprint
internal import MediaModel

/// Makes the AcoustID fingerprint of the first two minutes of a stream, as `fpcalc` does by default.
///
/// Mixing and resampling are ours, the fingerprint is Chromaprint's.
///
/// - Complexity: O(1) per sample of the first two minutes; what comes after them costs nothing.
struct FingerprintAnalyzer: ~Copyable {
  private static let sampleRateInHz = Int(DW_FINGERPRINT_SAMPLE_RATE)
  private static let longestSampleCount = 120 * sampleRateInHz
  /// What is slower has hardly any of the notes that are looked for.
  private static let lowestRateInHz = 1_000

  private let fingerprinter: OpaquePointer
  private let resampler: FingerprintResampler
  private var remainingCount: Int
  private var hasFailed = false

  /// nil where Chromaprint is not installed.
  init?(format: AudioFormat) {
    guard Chromaprint.version != nil, let fingerprinter = dw_fingerprint_start() else { return nil }
    self.fingerprinter = fingerprinter
    resampler = FingerprintResampler(sampleRateInHz: format.sampleRateInHz, outputRateInHz: Self.sampleRateInHz)
    remainingCount = format.sampleRateInHz < Self.lowestRateInHz ? 0 : Self.longestSampleCount
  }

  deinit { dw_fingerprint_free(fingerprinter) }

  mutating func consume(_ chunk: PlanarChunk) {
    guard remainingCount > 0 else { return }
    resampler.resample(chunk) { feed($0) }
  }

  /// Ends the stream; the fingerprint has no words where the sound is shorter than 2.73 s. nil where Chromaprint failed.
  consuming func finish() -> AcoustIDFingerprint? {
    if remainingCount > 0 { resampler.finish { feed($0) } }
    var words: UnsafePointer<UInt32>?
    let count = hasFailed ? -1 : Int(dw_fingerprint_finish(fingerprinter, &words))
    guard count >= 0 else { return nil }
    return AcoustIDFingerprint(
      algorithm: UInt8(DW_FINGERPRINT_ALGORITHM), words: Array(UnsafeBufferPointer(start: words, count: count)))
  }

  private mutating func feed(_ samples: UnsafeBufferPointer<Int16>) {
    let count = min(samples.count, remainingCount)
    remainingCount -= count
    if count > 0, dw_fingerprint_feed(fingerprinter, samples.baseAddress, Int32(count)) != 0 { hasFailed = true }
  }
}
