internal import MediaModel

/// The name of the equalizer preset that a track is assigned; `preset:none` asks for tracks without one.
enum PresetField {
  /// JOIN HERE: the name through the assignment by `audio.id`, once the tables of presets are there.
  static let name = "NULL"

  static let field = LibraryField("preset", .text, name)
}
