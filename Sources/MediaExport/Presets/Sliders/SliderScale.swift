/// What the sliders of a format can be set to.
struct SliderScale: Sendable {
  /// In decibels.
  var gains: ClosedRange<Double>
  /// Of the gain for all.
  var globalGains: ClosedRange<Double>
  /// The nearest value that the format can store.
  var stored: @Sendable (Double) -> Double
  /// The same for the gain for all.
  var storedGlobal: @Sendable (Double) -> Double

  init(
    gains: ClosedRange<Double>, globalGains: ClosedRange<Double>, stored: @escaping @Sendable (Double) -> Double,
    storedGlobal: (@Sendable (Double) -> Double)? = nil
  ) {
    (self.gains, self.globalGains, self.stored) = (gains, globalGains, stored)
    self.storedGlobal = storedGlobal ?? stored
  }

  func value(nearest gain: Double) -> Double { stored(min(max(gain, gains.lowerBound), gains.upperBound)) }

  func globalGain(nearest gain: Double) -> Double {
    storedGlobal(min(max(gain, globalGains.lowerBound), globalGains.upperBound))
  }
}
