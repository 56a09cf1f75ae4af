internal import MediaModel

/// Levels as labels.
enum DecibelText {
  /// With a sign in front of gains.
  static func signed(_ level: Double) -> String { (level > 0 ? "+" : "") + label(level) }

  static func label(_ level: Double) -> String { DecimalText.number(level, places: 0) }
}
