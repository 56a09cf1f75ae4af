internal import MediaModel
internal import TagEditing

/// What becomes different in a field of a file, for people and documents.
package struct FieldChange: Hashable, Sendable {
  /// In lower case, as queries have it; `cover` for the front cover.
  package var field: String
  package var old: [String]
  package var new: [String]

  /// The fields in which an edit changes what a file says.
  static func changes(_ edit: TagEdit, of tags: Tags, _ pictures: [Artwork]) -> [FieldChange] {
    var changes = edit.properties.compactMap { property -> FieldChange? in
      let old = tags[property.name]
      guard old != property.values else { return nil }
      return FieldChange(field: property.name.lowercased(), old: old, new: property.values)
    }
    let covers = pictures.filter { $0.pictureType == 3 }
    let old = covers.map { text($0.mimeType, $0.bytes.count) }
    switch edit.cover {
    case .set(let cover) where covers.first?.bytes != cover.bytes:
      changes.append(
        FieldChange(field: "cover", old: Array(old.prefix(1)), new: [text(cover.mimeType, cover.bytes.count)]))
    case .remove where !covers.isEmpty: changes.append(FieldChange(field: "cover", old: old, new: []))
    default: break
    }
    return changes
  }

  private static func text(_ type: String, _ byteCount: Int) -> String { "\(type), \(byteCount) bytes" }
}

/// A field that stays as it is in a file, because its tags have no place for the value; others of the file are written.
package struct UnwrittenField: Hashable, Sendable {
  /// In lower case, as queries have it.
  package var field: String
  /// Why, as of a file that is refused.
  package var refusal: WriteRefusal
}
