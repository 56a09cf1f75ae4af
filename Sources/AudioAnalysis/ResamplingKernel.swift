internal import Foundation

/// The coefficients of a resampler: a windowed sinc, taken at as many phases as the two rates have.
///
/// The kernel is the one through which `fpcalc` hears sound: as long as 16 of its own zero crossings, cut off at 0.8 of
/// the lower Nyquist frequency, under a Kaiser window with β = 9. Its slope reaches from 2.4 to 6.4 kHz at 11,025 Hz, so
/// it begins below 3,520 Hz, where fingerprints end: one that shall equal others must be made with the same slope.
///
/// Every phase has the sum 1.
struct ResamplingKernel: ~Copyable {
  private static let zeroCrossingCount = 16.0
  private static let cutoff = 0.8
  private static let beta = 9.0
  /// More would be too large for the caches; where rates need more, the nearest is taken, 66 dB below the sound.
  private static let mostPhases = 512

  /// Input samples per output sample, in lowest terms.
  let step: (numerator: Int, denominator: Int)
  let phaseCount: Int
  /// Samples below one output sample; a multiple of 8.
  let tapCount: Int
  /// Taps before the one at the position of the output sample.
  let center: Int
  private let coefficients: SampleBuffer

  init(inputRateInHz: Int, outputRateInHz: Int) {
    let divisor = Self.greatestCommonDivisor(inputRateInHz, outputRateInHz)
    step = (inputRateInHz / divisor, outputRateInHz / divisor)
    phaseCount = min(step.denominator, Self.mostPhases)
    let bandwidth = min(Double(outputRateInHz) * Self.cutoff / Double(inputRateInHz), 1)
    let length = Int((Self.zeroCrossingCount / bandwidth).rounded(.up))
    let tapCount = (length + 7) / 8 * 8
    self.tapCount = tapCount
    center = (length - 1) / 2
    coefficients = SampleBuffer(count: phaseCount * tapCount)

    var values = [Double](repeating: 0, count: length)
    for phase in 0..<phaseCount {
      let fraction = Double(phase) / Double(phaseCount)
      var sum = 0.0
      for tap in values.indices {
        let distance = Double(tap - center) - fraction
        let angle = Double.pi * bandwidth * distance
        let window = KaiserWindow.weight(at: 2 * distance / Double(length), beta: Self.beta)
        values[tap] = (angle == 0 ? 1 : sin(angle) / angle) * window
        sum += values[tap]
      }
      for tap in values.indices { coefficients.pointer[phase * tapCount + tap] = Float(values[tap] / sum) }
    }
  }

  /// `tapCount` coefficients for each phase, one phase behind the other.
  var taps: UnsafePointer<Float> { UnsafePointer(coefficients.pointer) }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
