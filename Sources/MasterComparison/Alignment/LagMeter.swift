internal import Glibc
internal import SignalProcessing

/// Measures how much later a stretch of one signal comes in another one, to a fraction of a sample.
///
/// The whole sample is the largest correlation, of the frequencies from 200 Hz to 6 kHz, each with the square root of its power;
/// the fraction is the slope of the cross-spectrum's phase.
final class LagMeter {
  struct Lag {
    /// In frames.
    var frames: Double
    /// The correlation: 1 if all frequencies have the same delay, below 0.15 for unrelated signals.
    var quality: Double
    var isInverted: Bool
  }

  static let size = 32_768
  /// The length of a stretch.
  static let count = 16_384
  /// The largest lag that is found.
  static let reach = 8_192
  private static let lowestInHz = 200.0
  private static let highestInHz = 6_000.0
  /// What is softer, 100 dB below full scale, is no signal.
  private static let leastPower = 1e-10

  private let transform = PairTransform(size: LagMeter.size)
  private let wide = PairSpectrum(size: LagMeter.size)
  private let stretch = PairSpectrum(size: LagMeter.size)
  private let cross = PairSpectrum(size: LagMeter.size)
  private let window = SampleBuffer(
    (0..<LagMeter.count).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(LagMeter.count))) })
  private let bins: Range<Int>

  init(sampleRateInHz: Int) {
    func bin(_ hertz: Double) -> Int { Int(hertz / Double(sampleRateInHz) * Double(Self.size)) }
    let end = min(bin(Self.highestInHz), Self.size * 9 / 20)
    bins = min(max(1, bin(Self.lowestInHz)), end - 1)..<end
  }

  /// nil if either is silent.
  ///
  /// - Parameters:
  ///   - stretch: ``count`` frames.
  ///   - wide: The same frames of the other signal, and ``reach`` more before and after them.
  func lag(of stretch: SignalPair, in wide: SignalPair) -> Lag? {
    guard Self.power(stretch) > Self.leastPower, Self.power(wide) > Self.leastPower else { return nil }
    self.wide.load(wide, count: min(wide.count, Self.size))
    self.stretch.load(stretch, count: min(stretch.count, Self.size))
    transform.forward(self.wide)
    transform.forward(self.stretch)
    cross.clear()
    var sum = 0.0
    for bin in bins {
      let product = self.wide.product(bin, withConjugateOf: self.stretch)
      let mirrored = self.wide.product(Self.size - bin, withConjugateOf: self.stretch)
      let (x, y) = (0.5 * (product.x + mirrored.x), 0.5 * (product.y - mirrored.y))
      let magnitude = (x * x + y * y).squareRoot()
      guard magnitude > 0 else { continue }
      let weight = 1 / magnitude.squareRoot()
      cross.real.pointer[bin] = x * weight
      cross.imaginary.pointer[bin] = y * weight
      sum += Double(magnitude * weight)
    }
    guard sum > 0 else { return nil }
    self.wide.real.pointer.update(from: cross.real.pointer, count: Self.size)
    self.wide.imaginary.pointer.update(from: cross.imaginary.pointer, count: Self.size)
    transform.inverse(self.wide)
    let correlation = self.wide.real.pointer
    // The stretch begins `reach` frames after the wide one.
    var best = (index: 0, value: Float(0))
    for index in 0...2 * Self.reach where abs(correlation[index]) > abs(best.value) {
      best = (index, correlation[index])
    }
    let fraction = fraction(of: stretch, in: wide, at: best.index, isInverted: best.value < 0)
    return Lag(
      frames: Double(best.index - Self.reach) + fraction, quality: Double(abs(best.value)) / sum,
      isInverted: best.value < 0)
  }

  /// The slope of the phase between two stretches of equal length, under a window, that lie as a whole lag says.
  private func fraction(of stretch: SignalPair, in wide: SignalPair, at lag: Int, isInverted: Bool) -> Double {
    self.wide.load(wide, from: lag, count: Self.count)
    self.stretch.load(stretch, count: Self.count)
    for spectrum in [self.wide, self.stretch] {
      for index in 0..<Self.count {
        spectrum.real.pointer[index] *= window.pointer[index]
        spectrum.imaginary.pointer[index] *= window.pointer[index]
      }
      transform.forward(spectrum)
    }
    let sign: Float = isInverted ? -1 : 1
    var (products, squares) = (0.0, 0.0)
    for bin in bins {
      let product = self.wide.product(bin, withConjugateOf: self.stretch)
      let mirrored = self.wide.product(Self.size - bin, withConjugateOf: self.stretch)
      let (x, y) = (Double(sign * (product.x + mirrored.x)), Double(sign * (product.y - mirrored.y)))
      let phase = atan2(y, x)
      // Phases beyond belong to noise.
      guard abs(phase) < 1.5 else { continue }
      let weight = (x * x + y * y).squareRoot()
      let frequency = 2 * Double.pi * Double(bin) / Double(Self.size)
      products += weight * frequency * phase
      squares += weight * frequency * frequency
    }
    return squares > 0 ? max(-0.7, min(-products / squares, 0.7)) : 0
  }

  private static func power(_ pair: SignalPair) -> Double {
    var sum = 0.0
    for (left, right) in zip(pair.left, pair.right) { sum += Double(left * left + right * right) }
    return sum / Double(max(pair.count, 1))
  }
}
