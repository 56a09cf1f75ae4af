/// What samples can be between effects.
enum SoundLimits {
  /// 180 dB above full scale: what a hundred bands of 24 dB, or a damaged file, would take beyond what a float can be.
  static let greatest: Float = 1e9
}
