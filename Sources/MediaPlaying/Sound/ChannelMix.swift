internal import AudioEffects
internal import MediaModel

/// Another number of channels, for a sink that has not as many as the track.
///
/// Of surround sound in WAVE's order, the centre and the channels behind go into both sides at -3 dB (ITU-R BS.775), the
/// low-frequency effects are left out, and the sum is halved, so that it seldom clips.
final class ChannelMix: SoundEffect {
  let format: AudioFormat
  private let inputCount: Int
  /// For each output channel, the factor of each input channel.
  private let factors: [[Float]]

  init(_ input: AudioFormat, toChannelCount count: Int) {
    var format = input
    format.channelCount = count
    format.channelMask = nil
    self.format = format
    inputCount = input.channelCount
    factors = Self.factors(from: input.channelCount, to: count)
  }

  private static func factors(from inputCount: Int, to count: Int) -> [[Float]] {
    func row(_ values: [Int: Float]) -> [Float] { (0..<inputCount).map { values[$0] ?? 0 } }
    switch (inputCount, count) {
    case (1, _): return (0..<count).map { row($0 < 2 ? [0: 1] : [:]) }
    case (_, 1):
      let sides = factors(from: inputCount, to: 2)
      return [zip(sides[0], sides[1]).map { ($0 + $1) / 2 }]
    case (2, 2): return [row([0: 1]), row([1: 1])]
    case (3..., 2):
      let middle: Float = 0.707_106_77
      var sides: [[Int: Float]] = [[0: 1], [1: 1]]
      if inputCount != 4 { for side in 0...1 { sides[side][2] = middle } }
      let rear = inputCount == 4 ? 2 : inputCount == 5 ? 3 : 4
      for channel in stride(from: rear, to: inputCount, by: 1) { sides[(channel - rear) % 2][channel] = middle }
      return sides.map { row($0.mapValues { $0 / 2 }) }
    default: return (0..<count).map { row([$0: 1]) }
    }
  }

  func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  func process(_ samples: Span<Float>, into output: inout [Float]) {
    for frame in 0..<samples.count / inputCount {
      for row in factors {
        var sum: Float = 0
        for channel in 0..<inputCount { sum += samples[frame * inputCount + channel] * row[channel] }
        output.append(sum)
      }
    }
  }

  func finish(into output: inout [Float]) -> Bool { false }
}
