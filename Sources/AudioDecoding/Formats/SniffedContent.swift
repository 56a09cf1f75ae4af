package import MediaModel

/// What a file is, by its bytes alone.
package struct SniffedContent: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case audio
    /// Zero bytes.
    case empty
    /// Something else, or unknown.
    case other
  }

  package var kind: Kind
  /// nil unless `kind` is `audio`.
  package var container: Container?
  /// nil if the bytes do not name one, or it has no name in ``Codec``.
  package var codec: Codec?
  /// For messages: the codec ("AAC"), or what the file is instead of audio ("JPEG").
  package var name: String
  /// The audio is encrypted.
  package var isProtected = false

  static func audio(_ container: Container, _ codec: Codec? = nil, name: String, isProtected: Bool = false) -> Self {
    SniffedContent(kind: .audio, container: container, codec: codec, name: name, isProtected: isProtected)
  }

  static func other(_ name: String) -> Self { SniffedContent(kind: .other, container: nil, codec: nil, name: name) }

  static let empty = SniffedContent(kind: .empty, container: nil, codec: nil, name: "nothing")
}
