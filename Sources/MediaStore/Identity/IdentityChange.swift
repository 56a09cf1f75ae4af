package import Base
package import MediaModel

/// What a batch of a scan did to what users decided, beyond storing what was read: worth a line for people.
package enum IdentityChange: Hashable, Sendable {
  /// Two recordings turned out to be one. Everything of the one belongs to the other now.
  ///
  /// - Parameters:
  ///   - label: what people call the recording.
  ///   - former: the hash that is no longer used.
  ///   - replacedPreset: the preset that lost, because the other one was assigned later.
  ///   - renamedAttributes: names of attributes that had two values; the other value has the new name.
  case joined(
    label: String, former: ContentHash, current: ContentHash, replacedPreset: String?, renamedAttributes: [String])
  /// One hash of version 1 meant several streams. What users decided about it belongs to each of them.
  case split(label: String, former: ContentHash, current: ContentHash)
  /// A file holds another recording than before; what users decided about the former one stays with that one.
  case replaced(path: BytePath, former: ContentHash)
}
