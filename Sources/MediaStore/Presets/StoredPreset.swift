package import MediaModel

/// A preset of the library, or one that comes with the program.
package struct StoredPreset: Hashable, Sendable {
  /// nil for one that comes with the program: it can be copied, but neither changed nor deleted.
  package var id: Int64?
  package var name: PresetName
  /// As it was written, perhaps by a newer version. Its name is not looked at.
  package var document: String
  /// Seconds since 1970; nil for one that comes with the program.
  package var changedAt: Int64?

  package var isBuiltIn: Bool { id == nil }

  /// - Throws: ``StoreError/unreadablePreset(_:reason:)`` for what this version of the program does not know.
  package func preset() throws(StoreError) -> Preset {
    do throws(PresetError) {
      return Preset(name: name, chain: try Preset(json: Array(document.utf8)).chain)
    } catch {
      throw .unreadablePreset(name.text, reason: error.description)
    }
  }

  init(id: Int64?, name: PresetName, document: String, changedAt: Int64?) {
    self.id = id
    self.name = name
    self.document = document
    self.changedAt = changedAt
  }

  init(builtIn preset: Preset) { self.init(id: nil, name: preset.name, document: preset.document.text, changedAt: nil) }
}
