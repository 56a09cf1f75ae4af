internal import AudioEffects
internal import MediaModel

/// Dither for a sink of integers, which may be switched at any time; off, it keeps every bit.
final class SwitchedDither: SoundEffect {
  private let dither: Dither
  private(set) var isOn: Bool

  init(bits: Int, isOn: Bool, format: AudioFormat) {
    dither = Dither(bits: bits, format: format)
    self.isOn = isOn
  }

  var format: AudioFormat { dither.format }

  func update(isOn: Bool) { self.isOn = isOn }

  func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  func process(_ samples: Span<Float>, into output: inout [Float]) {
    guard !isOn else { return dither.process(samples, into: &output) }
    samples.withUnsafeBufferPointer { output.append(contentsOf: $0) }
  }

  func finish(into output: inout [Float]) -> Bool { false }
}
