internal import Base

extension EqualizerBand {
  /// The syntax of a band in one line, for help texts.
  package static let textSyntax = "TYPE HZ [DB] [qQ | octN | slopeN] [left | right] [off]"

  /// Parses a band such as `pk 220 -2.4 q0.9`, `rls 105 4.5 q0.7`, `hp 30` or `bs 50 q30 left off`.
  ///
  /// The frequency may end in `k` or `Hz`, the gain in `dB`. `slope` is for resonant shelves; 1 is the steepest without
  /// overshoot.
  package init(text: String) throws(PresetError) {
    do {
      var words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }[...]
      guard let name = words.popFirst() else { throw PresetError("a band needs \(Self.textSyntax)") }
      guard let shape = FilterShape.allCases.first(where: { $0.code == name || $0.rawValue == name }) else {
        let known = FilterShape.allCases.map { "\($0.code) (\($0.rawValue))" }.joined(separator: ", ")
        throw PresetError("unknown type '\(name.prefix(40))'; the types are \(known)")
      }
      guard let word = words.popFirst(), let frequency = Self.frequency(word) else {
        throw PresetError("the type must be followed by the frequency in Hz")
      }
      var parts = Parts()
      while let word = words.popFirst() { try parts.read(word, shape) }
      if shape.hasGain, parts.gain == nil { throw PresetError("a \(shape.rawValue) needs a gain in dB") }
      var width = parts.width
      if let slope = parts.slope {
        _ = try PresetError.checked(slope, "slope", in: 0.05...1, unit: "")
        width = .quality(FilterWidth.shelfQuality(slope: slope, gain: parts.gain ?? 0))
      }
      try self.init(
        shape, frequency: frequency, gain: parts.gain ?? 0, width: width, channels: parts.channels,
        isBypassed: parts.isBypassed)
    } catch {
      throw PresetError("band '\(text.prefix(80))': \(error)")
    }
  }

  /// The band in the syntax of `init(text:)`, with full precision.
  package var text: String {
    var words = [shape.code, JSONValue.number(frequency).text]
    if shape.hasGain { words.append(JSONValue.number(gain).text) }
    if shape.hasWidth {
      switch width {
      case .quality(let value): words.append("q" + JSONValue.number(value).text)
      case .octaves(let value): words.append("oct" + JSONValue.number(value).text)
      }
    }
    if channels != .all { words.append(channels.rawValue) }
    if isBypassed { words.append("off") }
    return words.joined(separator: " ")
  }

  private struct Parts {
    var gain: Double?
    var width: FilterWidth?
    var slope: Double?
    var channels = BandChannels.all
    var isBypassed = false

    mutating func read(_ word: String, _ shape: FilterShape) throws(PresetError) {
      if word == "off" || word == "bypassed" {
        isBypassed = true
      } else if let value = BandChannels(rawValue: word) {
        channels = value
      } else if let value = EqualizerBand.number(word, behind: ["oct", "bw"]) {
        try setWidth(.octaves(value), shape)
      } else if let value = EqualizerBand.number(word, behind: ["slope"]) {
        guard shape == .resonantLowShelf || shape == .resonantHighShelf else {
          throw PresetError("a slope is for rls and rhs; ls and hs have the slope 1")
        }
        try setWidth(.quality(1), shape)
        slope = value
      } else if let value = EqualizerBand.number(word, behind: ["q"]) {
        try setWidth(.quality(value), shape)
      } else if gain == nil, let value = DecimalText.parse(word.hasSuffix("db") ? String(word.dropLast(2)) : word) {
        guard shape.hasGain else { throw PresetError("a \(shape.rawValue) has no gain") }
        gain = value
      } else {
        throw PresetError("'\(word.prefix(40))' is not one of \(EqualizerBand.textSyntax)")
      }
    }

    private mutating func setWidth(_ value: FilterWidth, _ shape: FilterShape) throws(PresetError) {
      guard shape.hasWidth else {
        let resonant = FilterShape(rawValue: "resonant-" + shape.rawValue)?.code ?? ""
        throw PresetError("a \(shape.rawValue) has no width; \(resonant) has")
      }
      guard width == nil else { throw PresetError("more than one width") }
      width = value
    }
  }

  private static func frequency(_ word: String) -> Double? {
    var word = word[...]
    if word.hasSuffix("hz") { word = word.dropLast(2) }
    let isKilo = word.hasSuffix("k")
    return DecimalText.parse(String(isKilo ? word.dropLast() : word)).map { isKilo ? $0 * 1000 : $0 }
  }

  private static func number(_ word: String, behind prefixes: [String]) -> Double? {
    for prefix in prefixes where word.hasPrefix(prefix) {
      return DecimalText.parse(String(word.dropFirst(prefix.count)))
    }
    return nil
  }
}
