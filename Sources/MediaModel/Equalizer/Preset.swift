internal import Base

/// An effect chain with a name, as it is stored, exchanged and assigned.
package struct Preset: Hashable, Sendable {
  package let name: PresetName
  package let chain: EffectChain

  package init(name: PresetName, chain: EffectChain) {
    self.name = name
    self.chain = chain
  }
}

/// The name of a preset. Names are equal if they differ only in case or Unicode normalization.
package struct PresetName: Hashable, Sendable, CustomStringConvertible {
  package static let maximumLength = 200

  /// As it was typed, without white space at both ends.
  package let text: String
  /// The key for comparisons: lower case, compared by canonical equivalence.
  package let key: String

  /// - Throws: `PresetError` for a name that is empty, not UTF-8, longer than `maximumLength` characters, or contains
  ///   control characters.
  package init(_ text: String) throws(PresetError) {
    let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !trimmed.isEmpty else { throw PresetError("a preset needs a name") }
    guard ArgumentText.isText(trimmed) else { throw PresetError("the name of a preset must be UTF-8") }
    guard trimmed.utf8.count <= 4 * Self.maximumLength, trimmed.count <= Self.maximumLength else {
      throw PresetError("the name of a preset can have at most \(Self.maximumLength) characters")
    }
    guard !trimmed.unicodeScalars.contains(where: \.isControl) else {
      throw PresetError("the name of a preset cannot contain control characters")
    }
    self.text = trimmed
    self.key = trimmed.lowercased()
  }

  package var description: String { text }

  /// Swift compares and hashes strings by canonical equivalence, so the key is sufficient.
  package static func == (left: PresetName, right: PresetName) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
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
