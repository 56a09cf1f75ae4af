/// All tags of a file: TagLib's property names in upper case, each with its values in order.
package struct Tags: Hashable, Sendable {
  package struct Property: Hashable, Sendable {
    /// TagLib's property name in upper case, such as `ALBUMARTIST`.
    package var name: String
    /// At least one value; valid UTF-8, none empty.
    package var values: [String]

    package init(name: String, values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// In ascending order of name.
  package private(set) var properties: [Property]

  package init(_ properties: [Property] = []) {
    self.properties = properties.filter { !$0.values.isEmpty }.sorted { $0.name < $1.name }
  }

  package var isEmpty: Bool { properties.isEmpty }

  /// The values of a property; empty if there is none.
  package subscript(name: String) -> [String] {
    properties.first { $0.name == name }?.values ?? []
  }
}

/// A picture embedded in an audio file.
package struct Artwork: Hashable, Sendable {
  /// The picture type of ID3v2 APIC, `0...20`; 3 is the front cover.
  package var pictureType: Int
  /// The type that the bytes show, otherwise the one that the tag declares, such as `image/jpeg`.
  package var mimeType: String
  package var caption: String
  /// The first 128 bits of a hash of the bytes; equal pictures are stored once.
  package var hash: ContentHash
  package var bytes: [UInt8]

  package init(pictureType: Int, mimeType: String, caption: String, hash: ContentHash, bytes: [UInt8]) {
    self.pictureType = pictureType
    self.mimeType = mimeType
    self.caption = caption
    self.hash = hash
    self.bytes = bytes
  }
}
