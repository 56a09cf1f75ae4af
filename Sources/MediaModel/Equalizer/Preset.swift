internal import Base

/// An effect chain with a name, as it is stored, exchanged and assigned.
package struct Preset: Hashable, Sendable {
  package let name: PresetName
  package let chain: EffectChain

  package init(name: PresetName, chain: EffectChain) {
    self.name = name
    self.chain = chain
  }
}

/// The name of a preset. Names are equal if they differ only in case or Unicode normalization.
package struct PresetName: Hashable, Sendable, CustomStringConvertible {
  package static let maximumLength = 200

  /// As it was typed, without white space at both ends.
  package let text: String
  /// The key for comparisons: lower case, compared by canonical equivalence.
  package let key: String

  /// - Throws: `PresetError` for a name that is empty, not UTF-8, longer than `maximumLength` characters, or contains
  ///   control characters.
  package init(_ text: String) throws(PresetError) {
    let trimmed = String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    guard !trimmed.isEmpty else { throw PresetError("a preset needs a name") }
    guard ArgumentText.isText(trimmed) else { throw PresetError("a preset name must be UTF-8") }
    guard trimmed.utf8.count <= 4 * Self.maximumLength, trimmed.count <= Self.maximumLength else {
      throw PresetError("a preset name can have at most \(Self.maximumLength) characters")
    }
    guard !trimmed.unicodeScalars.contains(where: \.isControl) else {
      throw PresetError("a preset name cannot contain control characters")
    }
    self.text = trimmed
    self.key = trimmed.lowercased()
  }

  package var description: String { text }

  /// Swift compares and hashes strings by canonical equivalence, so the key is sufficient.
  package static func == (left: PresetName, right: PresetName) -> Bool { left.key == right.key }

  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}
