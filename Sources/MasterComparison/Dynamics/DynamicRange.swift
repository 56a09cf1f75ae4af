internal import Glibc

/// Measures the dynamic range of a recording as "DR14" meters do (Pleasurize Music Foundation, 2009), and its largest sample.
///
/// Of each channel, blocks of 3 s are measured: their peak, and the RMS relative to that of a full-scale sine. DR is the second
/// largest peak over the root mean square of the loudest fifth of the blocks; the mean of the channels is rounded to an integer.
/// At 44.1 kHz a block has 180 frames more, as in the reference.
///
/// Where the stream is cut into blocks makes no difference. Memory: 16 bytes for each channel and 3 s.
package struct DynamicRangeAnalyzer {
  /// Values beyond it are those of silence.
  private static let greatestInDB = 20 * log10(Double(1 << 24))
  private static let leastPower = 1 / Double(1 << 24)
  private static let loudestShare = 0.2

  private let channelCount: Int
  private let blockLength: Int
  private var squares: [Double]
  private var peaks: [Float]
  private var frameCountInBlock = 0
  /// Twice the mean square, and the peak, of each block: channel by channel.
  private var powers: [[Double]]
  private var blockPeaks: [[Float]]
  /// The last frame of the recording, which the reference leaves out of the last block.
  private var lastFrame: [Float]

  package init(sampleRateInHz: Int, channelCount: Int) {
    self.channelCount = channelCount
    blockLength = 3 * (sampleRateInHz == 44_100 ? sampleRateInHz + 60 : sampleRateInHz)
    squares = [Double](repeating: 0, count: channelCount)
    peaks = [Float](repeating: 0, count: channelCount)
    powers = [[Double]](repeating: [], count: channelCount)
    blockPeaks = [[Float]](repeating: [], count: channelCount)
    lastFrame = peaks
  }

  /// Adds the next interleaved samples: any number of whole frames, finite.
  package mutating func consume(_ samples: [Float]) {
    var frame = 0
    let frameCount = samples.count / channelCount
    while frame < frameCount {
      let count = min(frameCount - frame, blockLength - frameCountInBlock)
      samples.withUnsafeBufferPointer { samples in
        for channel in 0..<channelCount {
          var (sum, peak) = (squares[channel], peaks[channel])
          var place = frame * channelCount + channel
          for _ in 0..<count {
            let sample = samples[place]
            sum += Double(sample * sample)
            peak = max(peak, abs(sample))
            place += channelCount
          }
          (squares[channel], peaks[channel]) = (sum, peak)
          lastFrame[channel] = samples[place - channelCount]
        }
      }
      frame += count
      frameCountInBlock += count
      if frameCountInBlock == blockLength { endBlock(of: blockLength) }
    }
  }

  private mutating func endBlock(of frameCount: Int) {
    for channel in 0..<channelCount {
      powers[channel].append(2 * squares[channel] / Double(frameCount))
      blockPeaks[channel].append(peaks[channel])
      (squares[channel], peaks[channel]) = (0, 0)
    }
    frameCountInBlock = 0
  }

  /// Ends the stream.
  ///
  /// - Returns: nil for fewer than two frames.
  package consuming func finish() -> DynamicRange? {
    guard !powers[0].isEmpty || frameCountInBlock > 1 else { return nil }
    var samplePeak: Float = 0
    for channel in 0..<channelCount {
      samplePeak = max(samplePeak, peaks[channel], blockPeaks[channel].max() ?? 0)
    }
    if frameCountInBlock > 1 {
      // Its peak is that of all its frames here: the one frame is never the second largest peak alone.
      for channel in 0..<channelCount {
        squares[channel] = max(0, squares[channel] - Double(lastFrame[channel] * lastFrame[channel]))
      }
      endBlock(of: frameCountInBlock - 1)
    } else {
      // The reference counts a last block even if nothing is in it.
      for channel in 0..<channelCount { (squares[channel], peaks[channel]) = (0, 0) }
      endBlock(of: 1)
    }
    let channels = (0..<channelCount).map { channel in
      let loudest = powers[channel].sorted().suffix(max(1, Int(Self.loudestShare * Double(powers[channel].count))))
      let sum = loudest.reduce(0, +)
      let ascending = blockPeaks[channel].sorted()
      // With one block, the reference takes the last of the list before the first: the block itself.
      let peak = Double(ascending[max(0, ascending.count - 2)])
      let decibels = 20 * log10(peak / (sum / Double(loudest.count)).squareRoot())
      return sum < Self.leastPower || !(abs(decibels) <= Self.greatestInDB) ? 0 : decibels
    }
    return DynamicRange(channelsInDB: channels, samplePeak: Double(samplePeak))
  }
}

/// The dynamic range of a recording.
package struct DynamicRange: Hashable, Sendable {
  /// Of each channel; 0 for a silent one.
  package let channelsInDB: [Double]
  /// The largest magnitude of all samples.
  package let samplePeak: Double

  package var meanInDB: Double { channelsInDB.reduce(0, +) / Double(channelsInDB.count) }
  /// As it is printed: the mean, halves to even.
  package var dr14: Int { Int(meanInDB.rounded(.toNearestOrEven)) }
}
