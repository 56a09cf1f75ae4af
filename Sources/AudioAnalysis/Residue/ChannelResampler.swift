package import MediaModel

/// Brings each channel of a stream to 11,025 Hz, without delay, and keeps what nobody has dropped yet.
///
/// Where the blocks are cut makes no difference.
package final class ChannelResampler {
  package static let sampleRateInHz = SoundColumns.sampleRateInHz
  private static let lowestRateInHz = 1_000
  /// Samples beyond it are clipped: they are no sound, and their powers would not be finite.
  private static let largestMagnitude: Float = 16

  private var assembler: ChunkAssembler
  private let resamplers: [MonoResampler]
  /// Channel by channel, equally many of each.
  package private(set) var channels: [[Float]]
  /// The number of the first sample in ``channels``.
  package private(set) var start = 0

  /// nil for rates below 1,000 Hz.
  package init?(format: AudioFormat) {
    guard format.sampleRateInHz >= Self.lowestRateInHz else { return nil }
    assembler = ChunkAssembler(channelCount: format.channelCount)
    resamplers = (0..<format.channelCount).map { _ in
      MonoResampler(
        inputRateInHz: format.sampleRateInHz, outputRateInHz: Self.sampleRateInHz,
        highestResampledRateInHz: 2 * Self.sampleRateInHz - 1)
    }
    channels = Array(repeating: [], count: format.channelCount)
  }

  /// The number of the sample after the last one.
  package var end: Int { start + channels[0].count }

  /// Adds the next block of interleaved samples: any number of whole frames, finite.
  package func consume(_ samples: Span<Float>) { assembler.append(samples) { consume($0) } }

  /// Ends the stream.
  package func finish() {
    assembler.finish { consume($0) }
    for (channel, resampler) in resamplers.enumerated() { resampler.finish { append($0, to: channel) } }
  }

  /// Forgets all samples before one.
  package func drop(before number: Int) {
    let count = min(max(number - start, 0), channels[0].count)
    guard count > 0 else { return }
    for channel in channels.indices { channels[channel].removeFirst(count) }
    start += count
  }

  /// The samples of all channels in a range; zeros for what is not there.
  package func samples(_ range: Range<Int>) -> [[Float]] {
    let known = range.clamped(to: start..<end)
    return channels.map { line in
      guard !known.isEmpty else { return [Float](repeating: 0, count: range.count) }
      return [Float](repeating: 0, count: known.lowerBound - range.lowerBound)
        + line[known.lowerBound - start..<known.upperBound - start]
        + [Float](repeating: 0, count: range.upperBound - known.upperBound)
    }
  }

  private func consume(_ chunk: borrowing PlanarChunk) {
    let frameCount = chunk.frameCount
    for (channel, resampler) in resamplers.enumerated() {
      chunk.withChannel(channel) { samples in
        resampler.resample(samples, frameCount: frameCount) { append($0, to: channel) }
      }
    }
  }

  private func append(_ samples: UnsafeBufferPointer<Float>, to channel: Int) {
    for sample in samples {
      channels[channel].append(max(-Self.largestMagnitude, min(sample, Self.largestMagnitude)))
    }
  }
}
