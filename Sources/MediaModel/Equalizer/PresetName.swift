/// What a person calls a preset; two names are one if they differ in case or in the way Unicode writes them only.
package struct PresetName: Hashable, Sendable, CustomStringConvertible {
  package static let maximumLength = 200

  /// As it was typed, without blanks around it.
  package let text: String
  /// What makes it unique: lower case, to be compared by canonical equivalence.
  package let key: String

  /// - Throws: `PresetError` for a name that is empty, no UTF-8, longer than `maximumLength` characters, or holds control
  ///   characters.
  package init(_ text: String) throws(PresetError) {
    let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !trimmed.isEmpty else { throw PresetError("a preset needs a name") }
    guard ArgumentText.isText(trimmed) else { throw PresetError("a preset's name must be UTF-8") }
    guard trimmed.utf8.count <= 4 * Self.maximumLength, trimmed.count <= Self.maximumLength else {
      throw PresetError("a preset's name may have at most \(Self.maximumLength) characters")
    }
    guard !trimmed.unicodeScalars.contains(where: \.isControl) else {
      throw PresetError("a preset's name may not hold control characters")
    }
    self.text = trimmed
    self.key = trimmed.lowercased()
  }

  package var description: String { text }

  /// Swift compares and hashes strings by canonical equivalence, so the key decides alone.
  package static func == (left: PresetName, right: PresetName) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
