/// All that a preset does to a recording, in the order in which it is heard: pitch, reverberation, rate, equalizer.
package struct EffectChain: Hashable, Sendable {
  package static let pitches = -2400.0...2400.0
  package static let rates = 0.25...4.0

  package let equalizer: Equalizer
  /// In cents; 100 are a semitone. The length stays.
  package let pitch: Double
  package let reverberation: Reverberation?
  /// 2 plays in half the time, an octave higher (varispeed).
  package let rate: Double

  package static let neutral = EffectChain()

  private init() { (equalizer, pitch, reverberation, rate) = (.flat, 0, nil, 1) }

  package init(
    equalizer: Equalizer = .flat, pitch: Double = 0, reverberation: Reverberation? = nil, rate: Double = 1
  ) throws(PresetError) {
    self.equalizer = equalizer
    self.pitch = try PresetError.checked(pitch, "pitch", in: Self.pitches, unit: "cents")
    self.reverberation = reverberation
    self.rate = try PresetError.checked(rate, "rate", in: Self.rates, unit: "")
  }
}
