internal import ArgumentParser

/// What happens to peaks that an effect or a gain raised too far.
enum PeakProtection: String, CaseIterable, ExpressibleByArgument {
  /// Loud moments are turned down.
  case limit
  /// Everything is turned down alike.
  case headroom
  /// Nothing: integers are cut at full scale.
  case keep

  /// Of BS.1770's true peak.
  static let ceilingInDBTP = -1.0
}
