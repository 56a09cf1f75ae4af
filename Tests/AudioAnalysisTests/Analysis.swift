import AudioAnalysis
import MediaModel
import Testing

/// Runs samples through a track analyzer.
func analyze(
  _ samples: [Float], sampleRateInHz: Int = 44_100, channelCount: Int = 1, kinds: Set<ProductKind>,
  blockSize: Int = .max, expectedFrameCount: Int64 = 0, byteLimit: Int64 = ProductCoarseness.byteLimit
) -> TrackAnalysis {
  var analyzer = TrackAnalyzer(
    format: AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: channelCount), kinds: kinds,
    expectedFrameCount: expectedFrameCount, byteLimit: byteLimit)
  samples.forEachBlock(of: blockSize, channelCount: channelCount) { analyzer.consume($0) }
  return analyzer.finish()
}

extension TrackAnalysis {
  func bytes(_ kind: ProductKind) throws -> [UInt8] { try #require(products.first { $0.kind == kind }).bytes }

  var spectrum: SpectrumSummary { get throws { try SpectrumSummary(blob: try bytes(.spectrum)) } }
  var grid: SpectrumGrid { get throws { try SpectrumGrid(blob: try bytes(.spectrogram)) } }
  var energy: WaveformEnergy { get throws { try WaveformEnergy(blob: try bytes(.waveformEnergy)) } }
}

/// The fingerprint of samples.
func fingerprint(
  _ samples: [Float], sampleRateInHz: Int, channelCount: Int = 1, blockSize: Int = .max
) throws -> AcoustIDFingerprint {
  let analysis = analyze(
    samples, sampleRateInHz: sampleRateInHz, channelCount: channelCount, kinds: [.fingerprint], blockSize: blockSize)
  return try AcoustIDFingerprint(compressed: analysis.bytes(.fingerprint))
}

/// The share of bits that differ, within the length of the shorter fingerprint.
func bitErrorRate(_ first: [UInt32], _ second: [UInt32]) -> Double {
  let count = min(first.count, second.count)
  guard count > 0 else { return first.count == second.count ? 0 : 1 }
  return Double(zip(first, second).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }) / Double(32 * count)
}

extension [Float] {
  /// Passes interleaved samples on in blocks of at most `frameCount` frames.
  func forEachBlock(of frameCount: Int, channelCount: Int, _ body: (Span<Float>) -> Void) {
    let size = frameCount.multipliedReportingOverflow(by: channelCount)
    let step = Swift.max(1, size.overflow ? count : Swift.min(size.partialValue, count))
    for start in stride(from: 0, to: count, by: step) {
      body(span.extracting(start..<Swift.min(start + step, count)))
    }
  }
}
