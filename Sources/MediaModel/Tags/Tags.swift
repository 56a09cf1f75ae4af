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

    fileprivate var byteCount: Int { values.reduce(name.utf8.count) { $0 + $1.utf8.count } }
  }

  /// In ascending order of name.
  package private(set) var properties: [Property]

  package init(_ properties: [Property] = []) {
    self.properties = properties.filter { !$0.values.isEmpty }.sorted { $0.name < $1.name }
  }

  package var isEmpty: Bool { properties.isEmpty }

  /// Of one property: no file has more artists.
  package static let maximumValueCountOfProperty = 256
  /// Of all properties.
  package static let maximumValueCount = 10_000
  package static let maximumByteCount = 512 << 10
  /// The remark about a file of which not all tags are kept.
  package static let truncatedNote = "truncated-tags"

  package var valueCount: Int { properties.reduce(0) { $0 + $1.values.count } }

  /// Of all names and values.
  package var byteCount: Int { properties.reduce(0) { $0 + $1.byteCount } }

  /// As many values as one file may bring into a library. Small properties come before large ones, so that these push
  /// nothing out; of a property the first values count.
  package var bounded: Tags {
    guard
      valueCount > Self.maximumValueCount || byteCount > Self.maximumByteCount
        || properties.contains(where: { $0.values.count > Self.maximumValueCountOfProperty })
    else { return self }
    var (valueCount, byteCount) = (0, 0)
    let bySize = properties.enumerated().sorted {
      ($0.element.byteCount, $0.offset) < ($1.element.byteCount, $1.offset)
    }
    return Tags(
      bySize.map(\.element).map { property in
        byteCount += property.name.utf8.count
        let values = property.values.prefix(Self.maximumValueCountOfProperty).prefix { value in
          valueCount += 1
          byteCount += value.utf8.count
          return valueCount <= Self.maximumValueCount && byteCount <= Self.maximumByteCount
        }
        return Property(name: property.name, values: Array(values))
      })
  }

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
