package import MediaModel

/// Where two libraries say different things; what this one said stays.
package enum MergeConflict: Hashable, Sendable {
  /// Another sound at the same path.
  ///
  /// - Parameter kept: nil where this library knows of no sound in the file.
  case file(BytePath, kept: ContentHash?, other: ContentHash)
  /// The same encoded audio, decoded to something of another length, rate or number of channels: its analyses are not
  /// mixed.
  case recording(ContentHash)
  /// Another preset of the same name, which is there as `newName`, too.
  case preset(String, newName: String)
  case list(String, newName: String)
  /// Another preset for the same subject; the names, or "off".
  case assignment(PresetSubject, kept: String, other: String)
  /// - Parameter label: What the sound is called, for people.
  case attribute(String, of: ContentHash, label: String, kept: String, other: String)
}
