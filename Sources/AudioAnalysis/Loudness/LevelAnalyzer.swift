internal import Base
internal import MediaModel

/// Measures peak, RMS, DC offset and clipping of a stream, and the silence at both ends.
///
/// - Complexity: O(1) per sample and in memory.
struct LevelAnalyzer {
  private struct Channel {
    var sum = 0.0
    /// The length of the current run of samples at full scale.
    var fullScaleRun = 0
  }

  /// -60 dBFS: samples that do not exceed it are silence.
  private static let silence: Float = 0.001
  private static let fullScale: Float = 32_767 / 32_768
  /// Shorter runs of samples at full scale occur in unclipped music.
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

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    for channel in 0..<chunk.channelCount {
      let sums = chunk.withChannel(channel) { SampleSums(of: $0, count: chunk.frameCount) }
      channels[channel].sum += sums.sum
      sumOfSquares += sums.sumOfSquares
      if chunk.peak >= Self.fullScale {
        chunk.withChannel(channel) { countClipping($0, count: chunk.frameCount, channel: channel) }
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
    let samplePeak: Double? = peak > 0 ? Decibels.level(ofAmplitude: Double(peak)) : nil
    let rms: Double? = sumOfSquares > 0 ? Decibels.level(ofPower: sumOfSquares / sampleCount) : nil
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

  /// Counts a run as soon as it reaches the shortest length, then each further sample of it.
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

  private mutating func findLoudFrames(in chunk: borrowing PlanarChunk) {
    let frames = 0..<chunk.frameCount
    if firstLoudFrame == nil { firstLoudFrame = frames.first { Self.isLoud($0, in: chunk) }.map { frameCount + $0 } }
    if let last = frames.last(where: { Self.isLoud($0, in: chunk) }) { lastLoudFrame = frameCount + last }
  }

  private static func isLoud(_ frame: Int, in chunk: borrowing PlanarChunk) -> Bool {
    for channel in 0..<chunk.channelCount where chunk.withChannel(channel, { abs($0[frame]) > silence }) { return true }
    return false
  }
}
