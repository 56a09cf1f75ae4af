package import Base

extension Preset {
  /// The version of the document format (docs/formats.md, "Presets").
  package static let documentVersion = 1
  /// In bytes; about thirty times the size of the largest preset.
  package static let maximumDocumentSize = 1 << 20

  private static let keys: Set<String> = [
    "schema", "name", "gain_db", "compensated", "bands", "pitch_cents", "reverb", "rate",
  ]

  /// The whole preset as a document; numbers are read back exactly.
  package var document: JSONValue {
    let equalizer = chain.equalizer
    return .object([
      "schema": .integer(Self.documentVersion), "name": .string(name.text), "gain_db": .number(equalizer.gain),
      "compensated": .bool(equalizer.isCompensated), "bands": .array(equalizer.bands.map(\.document)),
      "pitch_cents": .number(chain.pitch), "reverb": chain.reverberation?.document ?? .null,
      "rate": .number(chain.rate),
    ])
  }

  /// Whether a document has any of a preset's keys that other documents are unlikely to have.
  package static func resembles(_ document: JSONValue) -> Bool {
    ["schema", "gain_db", "pitch_cents", "bands"].contains { document[$0] != nil }
  }

  /// Reads a whole document, such as a file.
  ///
  /// - Throws: `PresetError` as `init(document:)` does, and for text that is not JSON or longer than
  ///   `maximumDocumentSize`.
  package init(json bytes: [UInt8]) throws(PresetError) {
    guard bytes.count <= Self.maximumDocumentSize else {
      throw PresetError("the preset has \(bytes.count) bytes; at most \(Self.maximumDocumentSize) are read")
    }
    let document: JSONValue
    do { document = try JSONValue(parsing: bytes) } catch { throw PresetError("not JSON: \(error)") }
    try self.init(document: document)
  }

  /// Reads a document that ``document`` made, with its keys in any order.
  ///
  /// Keys, band types and rooms that this version does not know are errors that name them. Nothing is ignored, because
  /// the preset would sound different from its document.
  ///
  /// - Throws: `PresetError` that begins with the path of the value, such as `bands[3].q`.
  package init(document: JSONValue) throws(PresetError) {
    // First, because a newer document may have keys that are unknown here.
    if let version = document["schema"]?.double, version > Double(Self.documentVersion) {
      let found = DecimalText.number(version, places: 3)
      throw PresetError("schema \(found) is from a newer version of the program")
    }
    let fields = try JSONFields(document, keys: Self.keys, failure: PresetError.init)
    guard try fields.required("schema", fields.number("schema")) == Double(Self.documentVersion) else {
      throw PresetError("schema must be \(Self.documentVersion)")
    }
    let name = try PresetName(try fields.required("name", fields.text("name")))
    let list = try fields.array("bands") ?? []
    guard list.count <= Equalizer.maximumBandCount else {
      throw PresetError("\(list.count) bands are more than \(Equalizer.maximumBandCount)")
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

extension EqualizerBand {
  private static let keys: Set<String> = [
    "type", "frequency_hz", "gain_db", "q", "bandwidth_octaves", "channels", "bypassed",
  ]

  /// Gain and width are present if the shape has them.
  var document: JSONValue {
    var members: [JSONValue.Member] = [
      .init("type", .string(shape.rawValue)), .init("frequency_hz", .number(frequency)),
    ]
    if shape.hasGain { members.append(.init("gain_db", .number(gain))) }
    if shape.hasWidth {
      switch width {
      case .quality(let value): members.append(.init("q", .number(value)))
      case .octaves(let value): members.append(.init("bandwidth_octaves", .number(value)))
      }
    }
    members.append(.init("channels", .string(channels.rawValue)))
    members.append(.init("bypassed", .bool(isBypassed)))
    return .object(members)
  }

  /// - Parameter path: The path of the value in the document, for errors.
  init(document: JSONValue, path: String) throws(PresetError) {
    let fields = try JSONFields(document, keys: Self.keys, path: path, failure: PresetError.init)
    let shape = try fields.required("type", fields.choice("type", FilterShape.self))
    let frequency = try fields.required("frequency_hz", fields.number("frequency_hz"))
    let gain = try fields.number("gain_db")
    let quality = try fields.number("q")
    let octaves = try fields.number("bandwidth_octaves")
    if !shape.hasGain, gain != nil { throw PresetError("\(path).gain_db: a \(shape.rawValue) has no gain") }
    if !shape.hasWidth, quality ?? octaves != nil {
      throw PresetError("\(path).\(quality == nil ? "bandwidth_octaves" : "q"): a \(shape.rawValue) has no width")
    }
    if quality != nil, octaves != nil { throw PresetError("\(path) has both q and bandwidth_octaves") }
    let given = shape.hasGain ? try fields.required("gain_db", gain) : 0
    let channels = try fields.choice("channels", BandChannels.self) ?? .all
    let isBypassed = try fields.bool("bypassed") ?? false
    do {
      try self.init(
        shape, frequency: frequency, gain: given,
        width: quality.map(FilterWidth.quality) ?? octaves.map(FilterWidth.octaves), channels: channels,
        isBypassed: isBypassed)
    } catch {
      throw PresetError("\(path): \(error)")
    }
  }
}

extension Reverberation {
  var document: JSONValue { .object(["room": .string(room.rawValue), "mix_percent": .number(mix)]) }

  /// - Parameter path: The path of the value in the document, for errors.
  init(document: JSONValue, path: String) throws(PresetError) {
    let fields = try JSONFields(document, keys: ["room", "mix_percent"], path: path, failure: PresetError.init)
    try self.init(
      try fields.required("room", fields.choice("room", Room.self)),
      mix: try fields.required("mix_percent", fields.number("mix_percent")))
  }
}
