internal import Glibc
internal import MediaModel

/// Finds the largest magnitude of a stream at and between its samples.
///
/// Source: ITU-R BS.1770-4, annex 2.
///
/// - Complexity: O(1) per sample and in memory. Of music less than one sample in a hundred is interpolated.
struct TruePeakMeter {
  private let channels: [TruePeakChannel]
  /// So far, over all channels.
  private(set) var peak: Float = 0

  /// - Parameter skipsWhatCannotExceed: false interpolates everything, to the same result.
  init(format: AudioFormat, skipsWhatCannotExceed: Bool = true) {
    let filter = TruePeakFilter(sampleRateInHz: format.sampleRateInHz)
    var channels: [TruePeakChannel] = []
    for _ in 0..<format.channelCount {
      channels.append(TruePeakChannel(filter, skipsWhatCannotExceed: skipsWhatCannotExceed))
    }
    self.channels = channels
  }

  mutating func consume(_ chunk: PlanarChunk) {
    for (index, channel) in channels.enumerated() {
      channel.consume(chunk.channel(index), blocks: chunk.blocks(ofChannel: index), raising: &peak)
    }
  }

  /// In dBTP, zeros taken to follow the end; nil for silence.
  consuming func finish() -> Double? {
    let silence = SampleBuffer(count: PlanarChunk.capacity)
    let blocks = [Extremes](repeating: Extremes(low: 0, high: 0), count: PlanarChunk.blockCount)
    for channel in channels { channel.consume(silence.pointer, blocks: blocks, raising: &peak) }
    return peak > 0 ? 20 * log10(Double(peak)) : nil
  }
}
