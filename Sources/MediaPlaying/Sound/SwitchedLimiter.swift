internal import AudioEffects
internal import MediaModel

/// A limiter of true peaks that can be switched while sound goes through it: on, its samples are those of
/// `TruePeakLimiter`; off, those that came in. Between the two it fades for 30 ms.
final class SwitchedLimiter: SoundEffect {
  private static let fadeInSeconds = 0.03

  let format: AudioFormat
  private let limiter: TruePeakLimiter
  /// The samples that came in, of which the limiter has not given its own yet.
  private var plain: [Float] = []
  private var limited: [Float] = []
  private var isOn: Bool
  /// How much of the limiter is heard, in steps of the fade.
  private var place: Int
  private let fadeFrameCount: Int

  init(isOn: Bool, format: AudioFormat) {
    self.format = format
    self.isOn = isOn
    limiter = TruePeakLimiter(format: format)
    fadeFrameCount = max(1, Int(Self.fadeInSeconds * Double(format.sampleRateInHz)))
    place = isOn ? fadeFrameCount : 0
  }

  func update(isOn: Bool) { self.isOn = isOn }

  func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  func process(_ samples: Span<Float>, into output: inout [Float]) {
    samples.withUnsafeBufferPointer { plain.append(contentsOf: $0) }
    limiter.process(samples, into: &limited)
    passOn(into: &output)
  }

  func finish(into output: inout [Float]) -> Bool {
    _ = limiter.finish(into: &limited)
    passOn(into: &output)
    return false
  }

  /// Passes on the frames for which the limiter has given its own.
  private func passOn(into output: inout [Float]) {
    let channelCount = format.channelCount
    for frame in 0..<limited.count / channelCount {
      place += isOn && place < fadeFrameCount ? 1 : !isOn && place > 0 ? -1 : 0
      let range = frame * channelCount..<(frame + 1) * channelCount
      switch place {
      case 0: output.append(contentsOf: plain[range])
      case fadeFrameCount: output.append(contentsOf: limited[range])
      default:
        let part = Float(place) / Float(fadeFrameCount)
        for index in range { output.append(plain[index] + (limited[index] - plain[index]) * part) }
      }
    }
    plain.removeFirst(limited.count)
    limited.removeAll(keepingCapacity: true)
  }
}
