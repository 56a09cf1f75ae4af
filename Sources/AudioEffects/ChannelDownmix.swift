package import MediaModel

/// Mixes the channels of more than two loudspeakers to left and right (ITU-R BS.775-3, annex 4, table 2): the centre and the
/// surround channels at -3 dB on their sides, single ones behind at -3 dB more on both, low-frequency effects left out.
/// The sum can be louder than full scale.
package final class ChannelDownmix: SoundEffect {
  package let format: AudioFormat
  private let inputChannelCount: Int
  /// The gains of each channel to the left and right.
  private let gains: [(left: Float, right: Float)]

  /// - Parameter input: With its channels in WAVE's order. Channels without loudspeakers are left and right in turns.
  package init(_ input: AudioFormat) {
    var output = input
    (output.channelCount, output.channelMask, output.channelOrder) = (2, nil, .standard)
    format = output
    inputChannelCount = input.channelCount
    let mask = input.channelMask ?? AudioFormat.standardMask(channelCount: input.channelCount)
    let loudspeakers = input.channelOrder == .unspecified ? [] : (0..<32).filter { mask >> $0 & 1 == 1 }
    gains =
      loudspeakers.count == input.channelCount
      ? loudspeakers.map(Self.gains) : (0..<input.channelCount).map { $0.isMultiple(of: 2) ? (1, 0) : (0, 1) }
  }

  /// - Parameter loudspeaker: The number of its bit in dwChannelMask of WAVEFORMATEXTENSIBLE.
  private static func gains(of loudspeaker: Int) -> (left: Float, right: Float) {
    let half = Float(0.5).squareRoot()
    return switch loudspeaker {
    case 0: (1, 0)
    case 1: (0, 1)
    case 2: (half, half)
    case 3: (0, 0)
    // Left of the back, side, front ceiling and back ceiling, and the same on the right.
    case 4, 9, 12, 15: (half, 0)
    case 5, 10, 14, 17: (0, half)
    // Between the centre and the left or right.
    case 6: (1, 0)
    case 7: (0, 1)
    // Behind or above the middle.
    default: (0.5, 0.5)
    }
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    for start in stride(from: 0, to: samples.count, by: inputChannelCount) {
      var (left, right) = (Float(0), Float(0))
      for (channel, gain) in gains.enumerated() {
        left += gain.left * samples[start + channel]
        right += gain.right * samples[start + channel]
      }
      output.append(left)
      output.append(right)
    }
  }

  package func finish(into output: inout [Float]) -> Bool { false }
}
