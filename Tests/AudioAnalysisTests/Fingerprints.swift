import AudioAnalysis
import MediaModel

/// The fingerprint of a sound.
func fingerprint(
  _ samples: [Float], sampleRateInHz: Int, channelCount: Int = 1, blockSize: Int = .max
) throws -> AcoustIDFingerprint {
  let analysis = analyze(
    samples, sampleRateInHz: sampleRateInHz, channelCount: channelCount, kinds: [.fingerprint], blockSize: blockSize)
  return try AcoustIDFingerprint(compressed: analysis.bytes(.fingerprint))
}

/// The share of bits that differ, over the length of the shorter one.
func bitErrorRate(_ first: [UInt32], _ second: [UInt32]) -> Double {
  let count = min(first.count, second.count)
  guard count > 0 else { return first.count == second.count ? 0 : 1 }
  return Double(zip(first, second).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }) / Double(32 * count)
}
