internal import ArgumentParser

/// What happens to peaks that an effect or a gain raised too far.
enum PeakProtection: String, CaseIterable, ExpressibleByArgument {
  /// Loud moments are turned down.
  case limit
  /// Everything is turned down alike.
  case headroom
  /// Nothing: integers are cut at full scale.
  case keep

  /// BS.1770's true peak of what is written as it is.
  static let ceilingInDBTP = -1.0
  /// Lossy encoders move peaks by a decibel or so.
  static let ceilingOfLossyInDBTP = -2.0
}
