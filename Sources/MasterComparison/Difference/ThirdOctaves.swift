internal import Glibc
internal import SignalProcessing

/// The powers of several signals in third octaves from 63 Hz to 20 kHz, as far as the sample rate reaches.
final class ThirdOctaves {
  static let size = 4_096
  /// Nominal: tenths of a decade around 1 kHz.
  private static let numbers = -12...13

  let centersInHz: [Double]
  private let bins: [Range<Int>]
  private let transform = ComplexTransform(size: ThirdOctaves.size)
  private let window: SampleBuffer
  /// Of each signal, the sum of powers of each band.
  private(set) var powers: [[Double]]

  init(signalCount: Int, sampleRateInHz: Int) {
    let width = Double(sampleRateInHz) / Double(Self.size)
    let bands = Self.numbers.map { pow(10, 3 + Double($0) / 10) }.filter {
      $0 * pow(10, 0.05) < Double(sampleRateInHz) / 2
    }
    centersInHz = bands
    bins = bands.map { center in
      let low = max(1, Int((center * pow(10, -0.05) / width).rounded(.up)))
      return low..<min(Self.size / 2, max(low + 1, Int((center * pow(10, 0.05) / width).rounded(.up))))
    }
    window = SampleBuffer(
      (0..<Self.size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(Self.size))) })
    powers = Array(repeating: Array(repeating: 0, count: bands.count), count: signalCount)
  }

  /// Adds the first ``size`` frames of a signal.
  func consume(_ pair: SignalPair, as signal: Int) {
    pair.left.withUnsafeBufferPointer { left in
      pair.right.withUnsafeBufferPointer { right in
        guard left.count >= Self.size, let left = left.baseAddress, let right = right.baseAddress else { return }
        let result = transform.transform(real: left, imaginary: right, window: UnsafePointer(window.pointer))
        for (band, range) in bins.enumerated() {
          var sum: Float = 0
          for bin in range {
            let mirror = Self.size - bin
            sum += result.real[bin] * result.real[bin] + result.imaginary[bin] * result.imaginary[bin]
            sum += result.real[mirror] * result.real[mirror] + result.imaginary[mirror] * result.imaginary[mirror]
          }
          powers[signal][band] += Double(sum)
        }
      }
    }
  }
}
