extension Reverberation {
  var document: JSONValue { .object(["room": .string(room.rawValue), "mix_percent": .number(mix)]) }

  /// - Parameter path: Of the value in its document, for errors.
  init(document: JSONValue, path: String) throws(PresetError) {
    let fields = try JSONFields(document, keys: ["room", "mix_percent"], path: path, failure: PresetError.init)
    try self.init(
      try fields.required("room", fields.choice("room", Room.self)),
      mix: try fields.required("mix_percent", fields.number("mix_percent")))
  }
}
