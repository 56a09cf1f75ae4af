internal import Glibc

/// One filter of an equalizer; its values are always finite and within the ranges below.
package struct EqualizerBand: Hashable, Sendable {
  package static let frequencies = 1.0...384_000.0
  package static let gains = -96.0...24.0

  package let shape: FilterShape
  /// In hertz: the centre, the corner, or the middle of the slope. No filter is placed above 0.499 of the sample rate.
  package let frequency: Double
  /// In decibels; 0 if the shape has none.
  package let gain: Double
  package let width: FilterWidth
  package let channels: BandChannels
  /// Whether the band is kept but has no effect.
  package let isBypassed: Bool

  /// - Parameter width: nil for the default of the shape.
  /// - Throws: `PresetError` for a value that is not finite or is out of range.
  package init(
    _ shape: FilterShape, frequency: Double, gain: Double = 0, width: FilterWidth? = nil, channels: BandChannels = .all,
    isBypassed: Bool = false
  ) throws(PresetError) {
    self.shape = shape
    self.frequency = try PresetError.checked(frequency, "frequency", in: Self.frequencies, unit: "Hz")
    self.gain = shape.hasGain ? try PresetError.checked(gain, "gain", in: Self.gains, unit: "dB") : 0
    self.width =
      switch shape.hasWidth ? width ?? shape.defaultWidth : shape.defaultWidth {
      case .quality(let value): .quality(try PresetError.checked(value, "Q", in: FilterWidth.qualities, unit: ""))
      case .octaves(let value):
        .octaves(try PresetError.checked(value, "bandwidth", in: FilterWidth.octaveRange, unit: "octaves"))
      }
    self.channels = channels
    self.isBypassed = isBypassed
  }

  /// Whether the band has an effect; one of 0 dB, or a bypassed one, has none.
  package var isAudible: Bool { !isBypassed && (!shape.hasGain || gain != 0) }
}

/// The channels of a recording on which a band acts; a single channel counts as left.
package enum BandChannels: String, CaseIterable, Hashable, Sendable {
  case all, left, right
}

/// The type of a band: the eleven types of AVAudioUnitEQ, and the all-pass.
package enum FilterShape: String, CaseIterable, Hashable, Sendable {
  case parametric
  case lowPass = "low-pass"
  case highPass = "high-pass"
  case resonantLowPass = "resonant-low-pass"
  case resonantHighPass = "resonant-high-pass"
  case bandPass = "band-pass"
  case bandStop = "band-stop"
  case lowShelf = "low-shelf"
  case highShelf = "high-shelf"
  case resonantLowShelf = "resonant-low-shelf"
  case resonantHighShelf = "resonant-high-shelf"
  case allPass = "all-pass"

  /// The type in a band that is written in one line, such as `pk 220 -2.4 q0.9`.
  package var code: String {
    switch self {
    case .parametric: "pk"
    case .lowPass: "lp"
    case .highPass: "hp"
    case .resonantLowPass: "rlp"
    case .resonantHighPass: "rhp"
    case .bandPass: "bp"
    case .bandStop: "bs"
    case .lowShelf: "ls"
    case .highShelf: "hs"
    case .resonantLowShelf: "rls"
    case .resonantHighShelf: "rhs"
    case .allPass: "ap"
    }
  }

  /// Whether the shape has a gain.
  package var hasGain: Bool {
    switch self {
    case .parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: true
    default: false
    }
  }

  /// Whether the shape has a width. The plain passes are always Butterworth (Q = 1/√2), the plain shelves always have
  /// slope 1.
  package var hasWidth: Bool {
    switch self {
    case .lowPass, .highPass, .lowShelf, .highShelf: false
    default: true
    }
  }

  /// The width of a band if none is given.
  package var defaultWidth: FilterWidth {
    switch self {
    case .parametric: .quality(2.squareRoot())
    case .bandStop: .quality(30)
    default: .quality(0.5.squareRoot())
    }
  }
}

/// The width of a band, in the unit in which it was given.
package enum FilterWidth: Hashable, Sendable {
  /// The Q of the analogue prototype.
  case quality(Double)
  /// The bandwidth between the points of half the gain in dB (for passes and stops: −3 dB).
  case octaves(Double)

  /// The range of Q. It exceeds the range of octaves, because notches with a Q of 30 and resonances are in use.
  package static let qualities = 0.1...100.0
  /// The range of AVAudioUnitEQ.
  package static let octaveRange = 0.05...5.0

  /// The Q of the analogue prototype; for octaves `1/Q = 2 sinh(ln 2 / 2 · B)` (Bristow-Johnson's cookbook).
  package var quality: Double {
    switch self {
    case .quality(let quality): quality
    case .octaves(let octaves): 1 / (2 * sinh(M_LN2 / 2 * octaves))
    }
  }

  /// In octaves; for a Q `B = 2 / ln 2 · asinh(1 / 2Q)`.
  package var octaves: Double {
    switch self {
    case .quality(let quality): 2 / M_LN2 * asinh(1 / (2 * quality))
    case .octaves(let octaves): octaves
    }
  }

  /// The Q of a shelf with slope `slope` (1 is the steepest without overshoot), which depends on its gain in dB.
  package static func shelfQuality(slope: Double, gain: Double) -> Double {
    let amplitude = pow(10, gain / 40)
    return 1 / ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
  }

  /// The inverse of `shelfQuality(slope:gain:)`.
  package static func shelfSlope(quality: Double, gain: Double) -> Double {
    let amplitude = pow(10, gain / 40)
    return 1 / ((1 / (quality * quality) - 2) / (amplitude + 1 / amplitude) + 1)
  }
}
