internal import Base
internal import Glibc

/// All effects of a preset on a recording, in the order in which they are applied: pitch, reverberation, rate,
/// equalizer.
package struct EffectChain: Hashable, Sendable {
  package static let pitches = -2400.0...2400.0
  package static let rates = 0.25...4.0

  package let equalizer: Equalizer
  /// In cents; 100 are a semitone. The duration does not change.
  package let pitch: Double
  package let reverberation: Reverberation?
  /// 2 plays in half the time and one octave higher (varispeed).
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

  /// The change of pitch, to a hundredth of a cent, that leaves the pitch as it was at another rate.
  package static func pitch(makingUpForRate rate: Double) -> Double { (-120_000 * log2(rate)).rounded() / 100 }

  /// By what a change of pitch multiplies frequencies.
  package static func factor(ofCents cents: Double) -> Double { exp2(cents / 1200) }
}

/// A room, and how much of it is mixed in.
package struct Reverberation: Hashable, Sendable {
  /// The rooms of AVAudioUnitReverb's factory presets.
  package enum Room: String, CaseIterable, Hashable, Sendable {
    case smallRoom = "small-room"
    case mediumRoom = "medium-room"
    case largeRoom = "large-room"
    case mediumHall = "medium-hall"
    case largeHall = "large-hall"
    case plate
    case mediumChamber = "medium-chamber"
    case largeChamber = "large-chamber"
    case cathedral
  }

  package static let mixes = 0.0...100.0

  package let room: Room
  /// The share of reverberation in percent: 0 is dry, 100 is only reverberation.
  package let mix: Double

  package init(_ room: Room, mix: Double) throws(PresetError) {
    self.room = room
    self.mix = try PresetError.checked(mix, "reverb mix", in: Self.mixes, unit: "%")
  }
}

/// Why a preset is invalid: one sentence with the value and its allowed range.
package struct PresetError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }

  /// Returns `value` if it is in `range`.
  ///
  /// - Parameter name: The start of the sentence, such as `gain`.
  /// - Returns: `value`, but never a negative zero.
  package static func checked(
    _ value: Double, _ name: String, in range: ClosedRange<Double>, unit: String
  ) throws(PresetError) -> Double {
    guard value.isFinite, range.contains(value) else {
      let suffix = unit.isEmpty ? "" : " " + unit
      let found = value.isFinite ? DecimalText.number(value, places: 3) + suffix : "not a finite number"
      let low = DecimalText.number(range.lowerBound, places: 3)
      let high = DecimalText.number(range.upperBound, places: 3)
      throw PresetError("\(name) is \(found), but must be \(low) to \(high)\(suffix)")
    }
    return value == 0 ? 0 : value
  }
}
