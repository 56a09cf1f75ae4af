internal import Glibc

/// The dynamic range of a recording as "DR14" meters compute it (Pleasurize Music Foundation, 2009).
///
/// Of each channel, blocks of 3 s are measured: their peak, and the RMS relative to that of a full-scale sine. DR is the second
/// largest peak over the root mean square of the loudest fifth of the blocks; the mean of the channels is rounded to an integer.
package struct DynamicRange: Hashable, Sendable {
  /// A block of one channel.
  fileprivate struct Block: Sendable {
    /// Twice the mean square.
    var power: Double
    var peak: Float
  }

  /// Values beyond it are those of silence.
  private static let greatestInDB = 20 * log10(Double(1 << 24))
  private static let leastPower = 1 / Double(1 << 24)
  private static let loudestShare = 0.2

  /// Of each channel; 0 for a silent one.
  package let channelsInDB: [Double]

  /// - Parameter channels: The blocks of each channel, at least one.
  fileprivate init(_ channels: [[Block]]) {
    channelsInDB = channels.map { blocks in
      let loudest = blocks.map(\.power).sorted().suffix(max(1, Int(Self.loudestShare * Double(blocks.count))))
      let sum = loudest.reduce(0, +)
      let ascending = blocks.map(\.peak).sorted()
      // With one block, the reference takes the last of the list before the first: the block itself.
      let peak = Double(ascending[max(0, ascending.count - 2)])
      let decibels = 20 * log10(peak / (sum / Double(loudest.count)).squareRoot())
      return sum < Self.leastPower || !(abs(decibels) <= Self.greatestInDB) ? 0 : decibels
    }
  }

  package var meanInDB: Double { channelsInDB.reduce(0, +) / Double(channelsInDB.count) }
  /// As it is printed: the mean, halves to even.
  package var dr14: Int { Self.dr14(ofMeanInDB: meanInDB) }

  package static func dr14(ofMeanInDB mean: Double) -> Int { Int(mean.rounded(.toNearestOrEven)) }
}

/// The blocks of a ``DynamicRange``, from sums over any runs of frames.
///
/// Memory: 16 bytes for each channel and 3 s.
package struct DynamicRangeBlocks: Sendable {
  private let length: Int
  private var frameCount = 0
  private var squares: [Double]
  private var peaks: [Float]
  /// Of the recording, which the reference leaves out of the last block.
  private var lastSamples: [Float]
  /// Channel by channel.
  private var blocks: [[DynamicRange.Block]]

  package init(sampleRateInHz: Int, channelCount: Int) {
    // At 44.1 kHz the reference takes 180 frames more.
    length = 3 * (sampleRateInHz == 44_100 ? sampleRateInHz + 60 : sampleRateInHz)
    squares = [Double](repeating: 0, count: channelCount)
    peaks = [Float](repeating: 0, count: channelCount)
    lastSamples = peaks
    blocks = [[DynamicRange.Block]](repeating: [], count: channelCount)
  }

  /// Frames that still belong to the current block.
  package var roomInBlock: Int { length - frameCount }

  /// Adds the next frames of a channel: no more than ``roomInBlock``.
  package mutating func add(channel: Int, squares: Double, peak: Float, last: Float) {
    self.squares[channel] += squares
    peaks[channel] = max(peaks[channel], peak)
    lastSamples[channel] = last
  }

  /// Ends what was added of all channels.
  package mutating func advance(by count: Int) {
    frameCount += count
    if frameCount >= length { endBlock(of: length) }
  }

  private mutating func endBlock(of count: Int) {
    for channel in blocks.indices {
      blocks[channel].append(.init(power: 2 * squares[channel] / Double(count), peak: peaks[channel]))
      (squares[channel], peaks[channel]) = (0, 0)
    }
    frameCount = 0
  }

  /// - Returns: nil for fewer than two frames.
  package consuming func finish() -> DynamicRange? {
    guard !blocks[0].isEmpty || frameCount > 1 else { return nil }
    if frameCount > 1 {
      // Its peak is that of all its frames here: the one frame is never the second largest peak alone.
      for channel in blocks.indices {
        squares[channel] = max(0, squares[channel] - Double(lastSamples[channel] * lastSamples[channel]))
      }
      endBlock(of: frameCount - 1)
    } else {
      // The reference counts a last block even if nothing is in it.
      for channel in blocks.indices { (squares[channel], peaks[channel]) = (0, 0) }
      endBlock(of: 1)
    }
    return DynamicRange(blocks)
  }
}
