internal import Base
package import MediaModel
internal import SignalProcessing

/// Plays sound faster and higher, or slower and lower, by a factor that may change at any time.
///
/// Each output frame is the sum of the 64 input frames around its place, weighted by a sinc with a Kaiser window, or of
/// more where the sound gets higher, so that nothing is mirrored: flat to 0.45 of the lower sample rate, at least 90 dB
/// down from 0.55 of it on. With a factor of 1 the output is the input. Where the input is cut makes no difference;
/// nothing is allocated after the initializer.
package final class VariableResampler {
  /// The range of ``step``.
  package static let steps = 1.0 / 16...16
  private static let zeroCrossingCount = 32
  private static let entriesPerCrossing = 512
  /// The bits of the places between two entries.
  private static let fractionBits = 16
  private static let beta = 10.0
  /// One half of the kernel, which is symmetric; what lies between its entries is interpolated.
  private static let sharedKernel: [Float] = {
    let peak = WindowedSinc.kaiserWeight(at: 0, beta: beta)
    let count = zeroCrossingCount * entriesPerCrossing
    return (0...count + 1).map { entry in
      let place = Double(entry) / Double(count)
      guard place < 1 else { return 0 }
      let angle = Double.pi * Double(entry) / Double(entriesPerCrossing)
      return Float(WindowedSinc.sinc(angle) * WindowedSinc.kaiserWeight(at: place, beta: beta) / peak)
    }
  }()

  /// Input frames per output frame.
  package var step: Double
  private let channelCount: Int
  private let kernel = VariableResampler.sharedKernel
  /// The input from ``heldStart`` on, interleaved.
  private var held: [Float] = []
  private var heldStart = 0
  /// Where the next output frame is in the input: a frame, and a part of the way to the next one.
  private var place = (frame: 0, fraction: 0.0)
  /// Of the input frames around the place.
  private let weights: SampleBuffer

  package init(format: AudioFormat, step: Double = 1) {
    channelCount = format.channelCount
    self.step = step
    weights = SampleBuffer(count: 2 * Self.reach(of: Self.steps.upperBound))
    held.reserveCapacity((4 * Self.reach(of: Self.steps.upperBound) + 4096) * channelCount)
    reset()
  }

  /// How many frames before and behind its place an output frame is made of.
  private static func reach(of step: Double) -> Int { Int((Double(zeroCrossingCount) * max(1, step)).rounded(.up)) }

  /// Forgets the sound so far.
  package func reset() {
    place = (0, 0)
    heldStart = -Self.reach(of: Self.steps.upperBound)
    held.removeAll(keepingCapacity: true)
    held.append(contentsOf: repeatElement(0, count: -heldStart * channelCount))
  }

  /// The place in the input of the next frame that ``process(_:into:)`` gives.
  package var inputPosition: Double { Double(place.frame) + place.fraction }

  /// Takes whole frames, and appends those that are ready.
  package func process(_ samples: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    held.append(contentsOf: samples)
    let end = heldStart + held.count / channelCount
    held.withUnsafeBufferPointer { held in
      while place.frame + Self.reach(of: step) < end {
        add(held, into: &output)
        advance()
      }
    }
    let dropped = min(place.frame - Self.reach(of: Self.steps.upperBound), end) - heldStart
    if dropped > 0 {
      held.removeFirst(dropped * channelCount)
      heldStart += dropped
    }
  }

  private func advance() {
    let next = place.fraction + step
    let whole = next.rounded(.down)
    place = (place.frame + Int(whole), next - whole)
  }

  /// Appends the frame at the current place.
  private func add(_ held: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    let middle = (place.frame - heldStart) * channelCount
    if step == 1, place.fraction == 0 {
      for channel in 0..<channelCount { output.append(held[middle + channel]) }
      return
    }
    let (weights, channelCount, reach) = (weights.pointer, channelCount, Self.reach(of: step))
    weigh(reach)
    let start = middle + (1 - reach) * channelCount
    for channel in 0..<channelCount {
      var sum: Float = 0
      var place = start + channel
      for index in 0..<2 * reach {
        sum += held[place] * weights[index]
        place += channelCount
      }
      output.append(sum)
    }
  }

  /// Computes the weights of `reach` frames up to the place, and of as many behind it.
  private func weigh(_ reach: Int) {
    let (weights, scale) = (weights.pointer, 1 / max(1, step))
    let one = Double(Self.entriesPerCrossing << Self.fractionBits) * scale
    let (distance, last) = (Int(one), Self.zeroCrossingCount * Self.entriesPerCrossing)
    var (left, right) = (Int(place.fraction * one), Int((1 - place.fraction) * one))
    kernel.withUnsafeBufferPointer { kernel in
      @inline(__always) func weight(_ entry: Int) -> Float {
        let index = min(entry >> Self.fractionBits, last)
        let part = Float(entry & (1 << Self.fractionBits - 1)) / Float(1 << Self.fractionBits)
        return (kernel[index] + (kernel[index + 1] - kernel[index]) * part) * Float(scale)
      }
      for index in 0..<reach {
        weights[reach - 1 - index] = weight(left)
        weights[reach + index] = weight(right)
        left += distance
        right += distance
      }
    }
  }
}
