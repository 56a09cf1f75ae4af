extension Preset {
  /// Of the document's shape (docs/formats.md, "Presets").
  package static let documentVersion = 1
  /// In bytes: some thirty times what the greatest preset needs.
  package static let maximumDocumentSize = 1 << 20

  private static let keys: Set<String> = [
    "schema", "name", "gain_db", "compensated", "bands", "pitch_cents", "reverb", "rate",
  ]

  /// Everything that the preset is; numbers are written so that they are read back exactly.
  package var document: JSONValue {
    let equalizer = chain.equalizer
    return .object([
      "schema": .integer(Self.documentVersion), "name": .string(name.text), "gain_db": .number(equalizer.gain),
      "compensated": .bool(equalizer.isCompensated), "bands": .array(equalizer.bands.map(\.document)),
      "pitch_cents": .number(chain.pitch), "reverb": chain.reverberation?.document ?? .null,
      "rate": .number(chain.rate),
    ])
  }

  /// Reads a whole document, such as a file.
  ///
  /// - Throws: `PresetError` as `init(document:)`, and for what is no JSON or longer than `maximumDocumentSize`.
  package init(json bytes: [UInt8]) throws(PresetError) {
    guard bytes.count <= Self.maximumDocumentSize else {
      throw PresetError("\(bytes.count) bytes are more than a preset has, which are \(Self.maximumDocumentSize)")
    }
    let document: JSONValue
    do { document = try JSONValue(parsing: bytes) } catch { throw PresetError("no JSON: \(error)") }
    try self.init(document: document)
  }

  /// Reads what `document` wrote, whatever the order of its keys.
  ///
  /// A preset that would sound different from what its document says is none: keys, types of bands and rooms that this
  /// version does not know are refused by name, and nothing is dropped.
  ///
  /// - Throws: `PresetError` that begins with the path of the value, such as `bands[3].q`.
  package init(document: JSONValue) throws(PresetError) {
    // First, because a newer document may well have keys that are unknown here.
    if let version = document["schema"]?.double, version > Double(Self.documentVersion) {
      let found = DecimalText.number(version, places: 3)
      throw PresetError("schema is \(found): written by a newer version of the program")
    }
    let fields = try JSONFields(document, keys: Self.keys, failure: PresetError.init)
    guard try fields.required("schema", fields.number("schema")) == Double(Self.documentVersion) else {
      throw PresetError("schema may be \(Self.documentVersion)")
    }
    let name = try PresetName(try fields.required("name", fields.text("name")))
    let list = try fields.array("bands") ?? []
    guard list.count <= Equalizer.maximumBandCount else {
      throw PresetError("bands are \(list.count), there may be at most \(Equalizer.maximumBandCount)")
    }
    var bands: [EqualizerBand] = []
    for (index, value) in list.enumerated() {
      bands.append(try EqualizerBand(document: value, path: "bands[\(index)]"))
    }
    let equalizer = try Equalizer(
      bands: bands, gain: try fields.number("gain_db") ?? 0, isCompensated: try fields.bool("compensated") ?? false)
    let reverberation: Reverberation? =
      if let value = fields.value("reverb") { try Reverberation(document: value, path: "reverb") } else { nil }
    self.init(
      name: name,
      chain: try EffectChain(
        equalizer: equalizer, pitch: try fields.number("pitch_cents") ?? 0, reverberation: reverberation,
        rate: try fields.number("rate") ?? 1))
  }
}
