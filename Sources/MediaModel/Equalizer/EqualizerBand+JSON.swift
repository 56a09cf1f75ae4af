extension EqualizerBand {
  private static let keys: Set<String> = [
    "type", "frequency_hz", "gain_db", "q", "bandwidth_octaves", "channels", "bypassed",
  ]

  /// Gain and width are there if the shape has them.
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

  /// - Parameter path: Of the value in its document, for errors.
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
