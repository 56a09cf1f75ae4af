package import Base
internal import CChromaprint
internal import MediaModel

/// Computes the AcoustID fingerprint of the first two minutes of a stream, as `fpcalc` does by default.
///
/// Mixing and resampling are done here, the fingerprint by Chromaprint.
///
/// - Complexity: O(1) per sample of the first two minutes; later samples cost nothing.
struct FingerprintAnalyzer: ~Copyable {
  private static let sampleRateInHz = Int(DW_FINGERPRINT_SAMPLE_RATE)
  private static let longestSampleCount = 120 * sampleRateInHz
  /// Higher rates are halved first. Below 3,520 Hz, the upper end of what fingerprints use, that changes levels by less
  /// than 0.01 dB, and aliases are 60 dB weaker.
  private static let highestResampledRateInHz = 40_000
  /// Streams at lower rates contain hardly any of the notes that Chromaprint looks for.
  private static let lowestRateInHz = 1_000

  private let fingerprinter: OpaquePointer
  private let resampler: MonoResampler
  private let rounding: SixteenBitSamples
  private var remainingCount: Int
  private var hasFailed = false

  /// nil if Chromaprint is not installed.
  init?(format: AudioFormat) {
    guard Chromaprint.version != nil, let fingerprinter = dw_fingerprint_start() else { return nil }
    self.fingerprinter = fingerprinter
    resampler = MonoResampler(
      inputRateInHz: format.sampleRateInHz, outputRateInHz: Self.sampleRateInHz,
      highestResampledRateInHz: Self.highestResampledRateInHz)
    rounding = SixteenBitSamples(capacity: resampler.maximumOutputCount)
    remainingCount = format.sampleRateInHz < Self.lowestRateInHz ? 0 : Self.longestSampleCount
  }

  deinit { dw_fingerprint_free(fingerprinter) }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    guard remainingCount > 0 else { return }
    chunk.withMix { mix in
      resampler.resample(mix, frameCount: chunk.frameCount) { samples in rounding.lend(samples) { feed($0) } }
    }
  }

  /// Ends the stream; the fingerprint has no words if the stream is shorter than 2.73 s.
  ///
  /// - Returns: nil if Chromaprint failed.
  consuming func finish() -> AcoustIDFingerprint? {
    if remainingCount > 0 { resampler.finish { samples in rounding.lend(samples) { feed($0) } } }
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

/// The library that computes fingerprints.
///
/// It is loaded at run time and not linked, because it depends on FFmpeg's codecs; see decision 0010.
package enum Chromaprint {
  /// The version, for example "1.5.1"; nil if the library is not installed, and then no fingerprints are computed.
  ///
  /// The first access loads the library, which opens files: a process that restricts itself must access it before that.
  package static let version: String? = library.version

  /// As it is on this machine.
  package static var library: SharedLibrary {
    SharedLibrary(
      "Chromaprint", dw_chromaprint_load(), version: dw_chromaprint_version(), without: "scans make no fingerprints")
  }

  /// Why it cannot be loaded although it is installed, for example for lack of memory or file descriptors.
  package static var loadingProblem: String? {
    dw_chromaprint_is_missing() == 0 ? dw_chromaprint_load().map { String(cString: $0) } : nil
  }
}

/// Rounds the samples of a stream to the 16 bits that fingerprints are computed from.
private final class SixteenBitSamples {
  private let integers: UnsafeMutableBufferPointer<Int16>

  init(capacity: Int) {
    integers = .allocate(capacity: capacity)
    integers.initialize(repeating: 0)
  }

  deinit { integers.deallocate() }

  /// Rounds to the nearest integers (ties to even), clamps to 16 bits, and lends the result.
  func lend(_ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    guard let source = samples.baseAddress, let target = integers.baseAddress else { return }
    for index in 0..<samples.count {
      let scaled = source[index] * 32_768
      let clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
      // After adding 1.5 · 2²³ a float has no bits left for a fraction, and its lowest bits are the integer.
      target[index] = Int16(truncatingIfNeeded: (clamped + 12_582_912).bitPattern)
    }
    body(UnsafeBufferPointer(start: target, count: samples.count))
  }
}
