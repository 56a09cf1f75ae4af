/// A room, and how much of it is heard.
package struct Reverberation: Hashable, Sendable {
  /// The rooms that AVAudioUnitReverb's factory presets name.
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
  /// Percent of reverberation: 0 is dry, 100 is the room alone.
  package let mix: Double

  package init(_ room: Room, mix: Double) throws(PresetError) {
    self.room = room
    self.mix = try PresetError.checked(mix, "reverb mix", in: Self.mixes, unit: "%")
  }
}
