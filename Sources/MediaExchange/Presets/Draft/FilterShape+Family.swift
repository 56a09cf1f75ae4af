internal import Base
internal import Glibc
internal import MediaModel

extension FilterShape {
  enum Family { case peak, pass, shelf, other }

  var family: Family {
    switch self {
    case .parametric: .peak
    case .lowPass, .highPass, .resonantLowPass, .resonantHighPass: .pass
    case .lowShelf, .highShelf, .resonantLowShelf, .resonantHighShelf: .shelf
    case .bandPass, .bandStop, .allPass: .other
    }
  }

  /// The variant of this filter whose Q can be set; a Q of 1/√2 makes it equal to the plain one.
  var resonant: FilterShape {
    switch self {
    case .lowPass: .resonantLowPass
    case .highPass: .resonantHighPass
    case .lowShelf: .resonantLowShelf
    case .highShelf: .resonantHighShelf
    default: self
    }
  }

  /// The plain pass or shelf if `quality` is 1/√2; otherwise the same shape.
  func plain(quality: Double) -> FilterShape {
    guard abs(quality - 0.5.squareRoot()) < 1e-4 else { return self }
    return switch self {
    case .resonantLowPass: .lowPass
    case .resonantHighPass: .highPass
    case .resonantLowShelf: .lowShelf
    case .resonantHighShelf: .highShelf
    default: self
    }
  }

  /// The name in messages.
  var title: String { self == .parametric ? "peak" : rawValue }
}

extension EqualizerBand {
  /// The name in messages: `low-pass at 80 Hz`.
  var title: String { "\(shape.title) at \(DecimalText.number(frequency, places: 2)) Hz" }
}
