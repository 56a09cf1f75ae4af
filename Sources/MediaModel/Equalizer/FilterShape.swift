/// What a band of an equalizer does to the spectrum: the eleven types of AVAudioUnitEQ, and the all-pass.
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

  /// As a band is written in one line: `pk 220 -2.4 q0.9`.
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

  /// Whether the band's gain means anything.
  package var hasGain: Bool {
    switch self {
    case .parametric, .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: true
    default: false
    }
  }

  /// Whether the band's width means anything: the plain passes are Butterworth (Q = 1/√2), the plain shelves have the
  /// slope 1.
  package var hasWidth: Bool {
    switch self {
    case .lowPass, .highPass, .lowShelf, .highShelf: false
    default: true
    }
  }

  /// What a band has whose width nobody gave.
  package var defaultWidth: FilterWidth {
    switch self {
    case .parametric: .quality(2.squareRoot())
    case .bandStop: .quality(30)
    default: .quality(0.5.squareRoot())
    }
  }
}
