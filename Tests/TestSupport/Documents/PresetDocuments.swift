// The documents of `preset`. Each has the keys that tests look at.

/// `preset show --json`, which is also a preset's own file (docs/formats.md, "Presets").
package struct PresetDocument: Decodable, Sendable {
  package struct Band: Decodable, Sendable {
    package var type: String
    package var frequency_hz: Double
    /// nil for types that have none.
    package var gain_db, q: Double?
    package var channels: String
  }

  package var schema: Int
  package var name: String
  package var gain_db: Double
  package var bands: [Band]
  package var pitch_cents, rate: Double
}

/// `preset of --json`.
package struct AppliedPresetDocument: Decodable, Sendable {
  package var schema: Int
  package var id: Int
  package var preset: String?
  /// The scope of the assignment that applies, or that switches presets off.
  package var from, switched_off: String?
}

/// `preset import --json`.
package struct PresetImportDocument: Decodable, Sendable {
  package struct File: Decodable, Sendable {
    package var path: String
    package var format: String
    package var presets: [PresetDocument]
    package var notes: [Note]
  }

  package struct Note: Decodable, Sendable {
    package var file: String?
    package var line: Int?
    package var text: String
  }

  package var schema: Int
  package var files: [File]
}
