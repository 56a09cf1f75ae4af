internal import Glibc
internal import MediaModel

/// Powers as levels, with a floor instead of minus infinity.
enum Decibels {
  static func level(ofPower power: Double) -> Float {
    power > 0 ? max(Float(10 * log10(power)), DecibelStep.floorInDB) : DecibelStep.floorInDB
  }

  static func level(ofPower power: Float) -> Float {
    power > 0 ? max(10 * log10(power), DecibelStep.floorInDB) : DecibelStep.floorInDB
  }
}
