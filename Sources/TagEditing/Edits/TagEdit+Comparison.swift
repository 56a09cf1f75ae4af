package import MediaModel

extension TagEdit {
  /// Something that an edited file says, and should not.
  package struct Difference: Hashable, Sendable {
    /// nil if it is no property.
    package var property: String?
    /// Such as `TITLE would be missing`.
    package var text: String
  }

  /// In what an edited file is read differently than the edit asks for; nil if in nothing. What the edit does not name must be as
  /// it was.
  ///
  /// - Precondition: totals are where the file has them, see ``settled(in:of:)``.
  package func difference(_ before: Tags, _ pictures: [Artwork], after: Tags, _ newPictures: [Artwork]) -> Difference? {
    var expected = Dictionary(before.properties.map { ($0.name, $0.values) }) { $0 + $1 }
    for property in properties { expected[property.name] = property.values.isEmpty ? nil : property.values }
    let found = Dictionary(after.properties.map { ($0.name, $0.values) }) { $0 + $1 }
    for name in Set(expected.keys).union(found.keys).sorted() where expected[name] != found[name] {
      let values = (found[name] ?? []).joined(separator: "; ")
      let text = "\(name) would be \(values.isEmpty ? "missing" : "\"\(values.prefix(100))\"")"
      return Difference(property: name, text: text)
    }
    return differenceOfPictures(pictures, newPictures).map { Difference(property: nil, text: $0) }
  }

  private func differenceOfPictures(_ before: [Artwork], _ after: [Artwork]) -> String? {
    func isFront(_ picture: Artwork) -> Bool { picture.pictureType == 3 }
    guard before.filter({ !isFront($0) }) == after.filter({ !isFront($0) }) else { return "its other pictures" }
    let fronts = after.filter(isFront)
    switch cover {
    case nil: return fronts == before.filter(isFront) ? nil : "its cover"
    case .remove: return fronts.isEmpty ? nil : "it would still have a cover"
    case .set(let cover): return fronts.contains { $0.bytes == cover.bytes } ? nil : "it would lack the cover"
    }
  }
}
