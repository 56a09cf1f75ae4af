import AudioAnalysis
import MediaModel
import Testing

/// Runs samples through a track analyzer.
func analyze(
  _ samples: [Float], sampleRateInHz: Int = 44_100, channelCount: Int = 1, kinds: Set<ProductKind>,
  blockSize: Int = .max, expectedFrameCount: Int64 = 0
) -> TrackAnalysis {
  var analyzer = TrackAnalyzer(
    format: AudioFormat(sampleRateInHz: sampleRateInHz, channelCount: channelCount), kinds: kinds,
    expectedFrameCount: expectedFrameCount)
  samples.forEachBlock(of: blockSize, channelCount: channelCount) { analyzer.consume($0) }
  return analyzer.finish()
}

extension TrackAnalysis {
  func bytes(_ kind: ProductKind) throws -> [UInt8] { try #require(products.first { $0.kind == kind }).bytes }

  var spectrum: SpectrumSummary { get throws { try SpectrumSummary(blob: try bytes(.spectrum)) } }
  var grid: SpectrumGrid { get throws { try SpectrumGrid(blob: try bytes(.spectrogram)) } }
  var energy: WaveformEnergy { get throws { try WaveformEnergy(blob: try bytes(.waveformEnergy)) } }
}
