/// The colour of a sound: red for lows, green for mids, blue for highs, mixed by their energies.
enum BandColor {
  static let low = PictureColor(229, 57, 70)
  static let mid = PictureColor(60, 188, 120)
  static let high = PictureColor(66, 135, 245)
  static let silence = PictureColor(128, 128, 128)

  /// What the bands are lifted by before they are compared, in amplitude: music falls towards the highs.
  private static let lift = (low: 1.0, mid: 1.8, high: 5.0)

  static func color(of energy: BandEnergy) -> PictureColor {
    // Squares of powers, not amplitudes: the strongest band shows, and a mix does not end in grey.
    func weight(_ power: Double, _ lift: Double) -> Double { power * lift * lift * power * lift * lift }
    let low = weight(energy.low, lift.low)
    let mid = weight(energy.mid, lift.mid)
    let high = weight(energy.high, lift.high)
    let sum = low + mid + high
    guard sum > 0 else { return silence }
    func part(_ path: KeyPath<PictureColor, Double>) -> Double {
      (Self.low[keyPath: path] * low + Self.mid[keyPath: path] * mid + Self.high[keyPath: path] * high) / sum
    }
    return PictureColor(red: part(\.red), green: part(\.green), blue: part(\.blue))
  }
}
