internal import Glibc
internal import MediaModel

/// Measures peak, RMS, DC offset, clipping and silence at the ends of a stream.
///
/// - Complexity: O(1) per sample and in memory.
struct LevelAnalyzer {
  private struct Channel {
    var sum = 0.0
    /// Samples at full scale in an unbroken run up to now.
    var fullScaleRun = 0
  }

  /// -60 dBFS: what does not exceed it is silence.
  private static let silence: Float = 0.001
  private static let fullScale: Float = 32_767 / 32_768
  /// Runs of fewer samples at full scale happen in unclipped music.
  private static let shortestClippedRun = 3

  private let format: AudioFormat
  private var channels: [Channel]
  private var frameCount = 0
  private var peak: Float = 0
  private var sumOfSquares = 0.0
  private var clippedSampleCount = 0
  private var firstLoudFrame: Int?
  private var lastLoudFrame: Int?

  init(format: AudioFormat) {
    self.format = format
    channels = Array(repeating: Channel(), count: format.channelCount)
  }

  mutating func consume(_ chunk: PlanarChunk) {
    for channel in 0..<chunk.channelCount {
      let samples = chunk.channel(channel)
      let sums = SampleSums(of: samples, count: chunk.frameCount)
      channels[channel].sum += sums.sum
      sumOfSquares += sums.sumOfSquares
      if chunk.peak >= Self.fullScale {
        countClipping(samples, count: chunk.frameCount, channel: channel)
      } else {
        channels[channel].fullScaleRun = 0
      }
    }
    peak = max(peak, chunk.peak)
    if chunk.peak > Self.silence { findLoudFrames(in: chunk) }
    frameCount += chunk.frameCount
  }

  consuming func finish() -> Measures {
    let rate = Double(format.sampleRateInHz)
    let length = Double(frameCount) / rate
    let sampleCount = Double(frameCount) * Double(format.channelCount)
    let samplePeak: Double? = peak > 0 ? 20 * log10(Double(peak)) : nil
    let rms: Double? = sumOfSquares > 0 ? 10 * log10(sumOfSquares / sampleCount) : nil
    var crest: Double?
    if let samplePeak, let rms { crest = samplePeak - rms }
    let offset = channels.map(\.sum).max { abs($0) < abs($1) }
    return Measures(
      samplePeakInDBFS: samplePeak,
      rmsInDBFS: rms,
      crestInDB: crest,
      dcOffset: frameCount > 0 ? offset.map { $0 / Double(frameCount) } : nil,
      clippedSampleCount: clippedSampleCount,
      leadingSilenceInSeconds: firstLoudFrame.map { Double($0) / rate } ?? length,
      trailingSilenceInSeconds: lastLoudFrame.map { Double(frameCount - 1 - $0) / rate } ?? length)
  }

  /// Counts a run when it reaches the shortest length, then each further sample of it.
  private mutating func countClipping(_ samples: UnsafePointer<Float>, count: Int, channel: Int) {
    var run = channels[channel].fullScaleRun
    for index in 0..<count {
      guard abs(samples[index]) >= Self.fullScale else {
        run = 0
        continue
      }
      run += 1
      if run == Self.shortestClippedRun {
        clippedSampleCount += Self.shortestClippedRun
      } else if run > Self.shortestClippedRun {
        clippedSampleCount += 1
      }
    }
    channels[channel].fullScaleRun = run
  }

  private mutating func findLoudFrames(in chunk: PlanarChunk) {
    func isLoud(_ frame: Int) -> Bool {
      (0..<chunk.channelCount).contains { abs(chunk.channel($0)[frame]) > Self.silence }
    }
    if firstLoudFrame == nil { firstLoudFrame = (0..<chunk.frameCount).first(where: isLoud).map { frameCount + $0 } }
    if let last = (0..<chunk.frameCount).last(where: isLoud) { lastLoudFrame = frameCount + last }
  }
}
