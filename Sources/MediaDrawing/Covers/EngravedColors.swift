internal import Glibc
internal import MediaModel

/// The colours of an engraved cover, those of the page: hue is frequency.
struct EngravedColors: Sendable {
  let ground: PictureColor
  /// Of the run-out groove.
  let groove: PictureColor
  /// Of the number.
  let letters: PictureColor
  /// By ``BandMixture/index``.
  private let mixtures: [PictureColor]

  static let dark = EngravedColors(
    ground: PictureColor(0x19, 0x1B, 0x1C), lines: PictureColor(0x8D, 0x90, 0x8F),
    letters: PictureColor(0xB0, 0xB1, 0xAE), low: PictureColor(0xE8, 0x7A, 0x3A), mid: PictureColor(0xDF, 0xCE, 0x9C),
    high: PictureColor(0x4E, 0xA2, 0xF2))

  static let light = EngravedColors(
    ground: PictureColor(0xEC, 0xEC, 0xE9), lines: PictureColor(0x5E, 0x60, 0x60),
    letters: PictureColor(0x48, 0x4A, 0x49), low: PictureColor(0xBD, 0x4F, 0x0C), mid: PictureColor(0x3D, 0x3A, 0x31),
    high: PictureColor(0x0A, 0x68, 0xC4))

  private init(
    ground: PictureColor, lines: PictureColor, letters: PictureColor, low: PictureColor, mid: PictureColor,
    high: PictureColor
  ) {
    self.ground = ground
    groove = ground.mixed(with: lines, 0.9)
    self.letters = letters
    let bands = [low, mid, high].map(OklabColor.init)
    mixtures = BandMixture.all.map { mixture in
      let weights = [mixture.low, 1 - mixture.low - mixture.high, mixture.high]
      func mean(_ part: KeyPath<OklabColor, Double>) -> Double {
        zip(weights, bands).reduce(0) { $0 + $1.0 * $1.1[keyPath: part] }
      }
      return OklabColor(lightness: mean(\.lightness), a: mean(\.a), b: mean(\.b)).nearestInSRGB
    }
  }

  /// - Parameter opacity: Over the ground, `0...1`; the colour itself is opaque.
  func color(of mixture: BandMixture, opacity: Double) -> PictureColor {
    ground.mixed(with: mixtures[mixture.index], opacity)
  }
}

/// What lows, mids and highs have of a colour, in steps, so that shapes of one colour can be drawn together.
struct BandMixture: Hashable, Comparable {
  private static let stepCount = 16
  /// Before the bands are compared, because music has less power towards the highs: 0, 7 and 22 dB.
  private static let gains = (low: 1.0, mid: pow(10, 0.7), high: pow(10, 2.2))
  /// The strongest band dominates, so that mixtures do not turn grey.
  private static let exponent = 2.2

  let index: Int

  private init(lowSteps: Int, highSteps: Int) { index = lowSteps * (Self.stepCount + 1) + highSteps }

  /// Silence has the colour of mids.
  init(_ energy: BandEnergy) {
    func weight(_ power: Double, _ gain: Double) -> Double { power > 0 ? pow(power * gain, Self.exponent) : 0 }
    let low = weight(energy.low, Self.gains.low)
    let high = weight(energy.high, Self.gains.high)
    let sum = low + weight(energy.mid, Self.gains.mid) + high
    guard sum > 0 else {
      self.init(lowSteps: 0, highSteps: 0)
      return
    }
    let lowSteps = Int((Double(Self.stepCount) * low / sum).rounded())
    let highSteps = Int((Double(Self.stepCount) * high / sum).rounded())
    self.init(lowSteps: lowSteps, highSteps: min(highSteps, Self.stepCount - lowSteps))
  }

  /// By index; also those whose parts are more than the whole, which no sound has.
  fileprivate static let all = (0...stepCount).flatMap { low in
    (0...stepCount).map { BandMixture(lowSteps: low, highSteps: $0) }
  }

  /// `0...1`
  var low: Double { Double(index / (Self.stepCount + 1)) / Double(Self.stepCount) }
  /// `0...1`
  var high: Double { Double(index % (Self.stepCount + 1)) / Double(Self.stepCount) }

  static func < (left: BandMixture, right: BandMixture) -> Bool { left.index < right.index }
}
