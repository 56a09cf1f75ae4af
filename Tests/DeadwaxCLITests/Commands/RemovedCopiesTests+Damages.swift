import Foundation
import TestSupport

// Faults: 226, 228
/// The made-up music, and what is done to it.
extension RemovedCopiesTests {
  typealias Channels = [[Float]]

  enum Damage: CaseIterable {
    case zeros, everyOtherPiece, zeroEnd, mute, cut, otherMusic, deadChannel, noise, noiseOnTop, part
    case equalizer, lowPass, compressor, clipped

    /// Whether the damaged file has sound of its own, so that it must stay, too.
    var hasOwnSound: Bool { [.otherMusic, .equalizer, .compressor, .clipped].contains(self) }
  }

  static func tune(_ number: Int, seconds: Double) -> Channels {
    let common = Signal.chords(seconds: seconds, sampleRateInHz: rate, channel: 100 + 2 * number)
    let own = Signal.chords(seconds: seconds, sampleRateInHz: rate, channel: 101 + 2 * number)
    return [common, zip(common, own).map { 0.5 * $0 + 0.5 * $1 }]
  }

  /// A tune that begins and ends softly, as music does beside silence.
  static func faded(_ tune: Channels) -> Channels {
    let length = frames(0.3)
    return tune.map { channel in
      channel.indices.map { channel[$0] * min(1, Float(min($0, channel.count - 1 - $0)) / Float(length)) }
    }
  }

  static func frames(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }

  static func damaged(
    _ tune: Channels, by damage: Damage, other: Channels, using random: inout RepeatableRandom
  ) -> Channels {
    let count = tune[0].count
    /// A range from 60 ms to a fifth of the tune, most of them short.
    func range(atLeast seconds: Double = 0.06) -> Range<Int> {
      let most = Double(count) / Double(rate) / 5
      let length = frames(seconds * pow(most / seconds, Double.random(in: 0...1, using: &random)))
      let start = Int.random(in: frames(1)..<count - length - frames(1), using: &random)
      return start..<start + length
    }
    func changing(_ range: Range<Int>, _ change: (Int, Int) -> Float) -> Channels {
      var changed = tune
      for channel in changed.indices {
        for frame in range { changed[channel][frame] = change(channel, frame) }
      }
      return changed
    }
    let noise = Signal.whiteNoise(frameCount: count, rms: 0.2, seed: UInt64.random(in: 0...99, using: &random))
    switch damage {
    case .zeros: return changing(range()) { _, _ in 0 }
    case .everyOtherPiece:
      let length = frames(Double.random(in: 0.1...3, using: &random))
      return changing(0..<count) { $1 / length % 2 == 1 ? 0 : tune[$0][$1] }
    case .zeroEnd: return changing(count - range(atLeast: 0.5).count..<count) { _, _ in 0 }
    case .mute: return changing(range(atLeast: 0.1)) { 0.01 * tune[$0][$1] }
    case .cut:
      let gone = range(atLeast: 0.08)
      let isPadded = Bool.random(using: &random)
      return tune.map {
        Array($0[..<gone.lowerBound] + $0[gone.upperBound...])
          + [Float](repeating: 0, count: isPadded ? gone.count : 0)
      }
    case .otherMusic: return changing(range(atLeast: 0.5)) { other[$0][$1] }
    case .deadChannel:
      let dead = Int.random(in: 0...1, using: &random)
      let silent = Bool.random(using: &random) ? 0..<count : range(atLeast: 0.5)
      return changing(silent) { $0 == dead ? 0 : tune[$0][$1] }
    case .noise: return changing(range(atLeast: 0.1)) { noise[$1] + 0 * Float($0) }
    case .noiseOnTop: return changing(range(atLeast: 0.1)) { tune[$0][$1] + noise[$1] }
    case .part:
      let length = Int(Double(count) * Double.random(in: 0.4...0.95, using: &random))
      let start = Bool.random(using: &random) ? 0 : count - length
      return tune.map { Array($0[start..<start + length]) }
    case .equalizer:
      let isBright = Bool.random(using: &random)
      return tune.map { line in
        var last: Float = 0
        return line.map { sample in
          last += 0.2 * (sample - last)
          return isBright ? 0.4 * (sample + 2 * (sample - last)) : 0.5 * (sample + 2 * last)
        }
      }
    case .lowPass:
      return tune.map { line in
        var levels: (Float, Float, Float) = (0, 0, 0)
        return line.map { sample in
          levels.0 += 0.15 * (sample - levels.0)
          levels.1 += 0.15 * (levels.0 - levels.1)
          levels.2 += 0.15 * (levels.1 - levels.2)
          return levels.2
        }
      }
    case .compressor:
      var level: Float = 0.1
      return (0..<2).reduce(into: tune) { changed, channel in
        for frame in 0..<count {
          level += 0.000_3 * (abs(tune[channel][frame]) - level)
          changed[channel][frame] *= min(4, 0.1 / max(level, 0.02))
        }
      }
    case .clipped: return tune.map { $0.map { max(-0.1, min(0.1, $0)) } }
    }
  }
}
