internal import Base
package import MediaModel

/// Multiplies every sample by one factor.
package final class Gain: SoundEffect {
  package let format: AudioFormat
  private let factor: Double

  package init(decibels: Double, format: AudioFormat) {
    self.format = format
    factor = Decibels.amplitude(decibels)
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    output.reserveCapacity(output.count + samples.count)
    for index in samples.indices { output.append(Float(Double(samples[index]) * factor)) }
  }

  package func finish(into output: inout [Float]) -> Bool { false }
}
