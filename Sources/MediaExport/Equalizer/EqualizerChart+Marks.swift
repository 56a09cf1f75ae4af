extension EqualizerChart {
  /// Multiples of 3, 6, 12 or 24 dB that are at least `minimumDistance` apart on `length` places; 0 among them.
  func marks(length: Int, minimumDistance: Double) -> [(level: Double, fraction: Double)] {
    let perDecibel = Double(length) / (range.top - range.bottom)
    guard let step = [3.0, 6, 12, 24, 48].first(where: { $0 * perDecibel >= minimumDistance }) else { return [] }
    let first = Int((range.bottom / step).rounded(.up))
    let last = Int((range.top / step).rounded(.down))
    guard first <= last, last - first <= 200 else { return [] }
    return (first...last).map { (Double($0) * step, range.fraction(of: Double($0) * step)) }
  }
}
