internal import MediaModel

/// What is to be different in the tags of one file. Everything else stays, byte for byte.
package struct TagEdit: Hashable, Sendable {
  package enum Change: Hashable, Sendable {
    /// Gives a property these values, in this order, and no others; no values remove it.
    case set(String, [String])
    case remove(String)
    /// Replaces the first front cover, or adds one.
    case setFrontCover(Cover)
    /// Removes all front covers; pictures of other types stay.
    case removeFrontCovers
  }

  /// A picture of type 3 of ID3v2.
  package struct Cover: Hashable, Sendable {
    package var bytes: [UInt8]
    /// Such as `image/jpeg`.
    package var mimeType: String
    package var caption: String

    package init(bytes: [UInt8], mimeType: String, caption: String = "") {
      (self.bytes, self.mimeType, self.caption) = (bytes, mimeType, caption)
    }
  }

  /// The property that is changed, under the name that the library has for it, such as `ALBUMARTIST`.
  package struct Property: Hashable, Sendable {
    package let name: String
    /// Empty if it is to be removed.
    package let values: [String]
  }

  package var changes: [Change]

  package init(_ changes: [Change]) { self.changes = changes }

  /// Of changes of the same property the last one counts.
  package var properties: [Property] {
    var properties: [Property] = []
    for change in changes {
      let property: Property
      switch change {
      case .set(let name, let values): property = Property(name: name.uppercased(), values: values)
      case .remove(let name): property = Property(name: name.uppercased(), values: [])
      case .setFrontCover, .removeFrontCovers: continue
      }
      properties.removeAll { $0.name == property.name }
      properties.append(property)
    }
    return properties
  }

  /// The same edit without the changes of a property.
  package func without(_ property: String) -> TagEdit {
    TagEdit(
      changes.filter { change in
        switch change {
        case .set(let name, _), .remove(let name): name.uppercased() != property
        case .setFrontCover, .removeFrontCovers: true
        }
      })
  }

  /// The edit by which a new tag comes into a file that has others: it also says what they say, because programs that find the
  /// new one do not look further.
  func filled(with known: Tags) -> TagEdit {
    let edited = Set(properties.map(\.name))
    let others = known.properties.filter { !edited.contains($0.name) }.map { Change.set($0.name, $0.values) }
    return TagEdit(others + changes)
  }

  package enum CoverChange: Hashable, Sendable {
    case set(Cover)
    case remove
  }

  package var cover: CoverChange? {
    changes.reduce(nil) { last, change in
      switch change {
      case .setFrontCover(let cover): .set(cover)
      case .removeFrontCovers: .remove
      case .set, .remove: last
      }
    }
  }
}
