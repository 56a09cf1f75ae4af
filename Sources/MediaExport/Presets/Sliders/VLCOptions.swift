internal import Glibc
internal import MediaModel

/// VLC's options, as lines of `vlcrc` (`equalizer-bands=0 1 …`) or as they are typed (`--equalizer-bands "0 1 …"`).
enum VLCOptions {
  /// Its filter takes the input at a quarter, so that the preamplifier's 12 dB are nothing.
  static let neutralPreamp = 12.0

  static let scale = SliderScale(
    gains: -20...20, globalGains: -20 - neutralPreamp...20 - neutralPreamp,
    stored: { ($0 * 1_000).rounded() / 1_000 })

  private struct Option {
    var value: Substring
    var line: Int
  }

  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExportError) -> [NamedEqualizer] {
    var options: [String: Option] = [:]
    for line in TextLines(bytes).lines {
      for (name, value) in self.options(in: line.text) {
        if options[name] != nil { notes.add("\(name) is there twice: the last one counts", at: .line(line.number)) }
        options[name] = Option(value: value, line: line.number)
      }
    }
    let known = ["equalizer-preset", "equalizer-bands", "equalizer-preamp", "equalizer-2pass", "equalizer-vlcfreqs"]
    for (name, option) in options.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      notes.add("\(ExchangeNote.quoted(name)) is not known, not read", at: .line(option.line))
    }
    let usesISO = options["equalizer-vlcfreqs"].map { !isTrue($0.value) } ?? false
    let bank = usesISO ? SliderBank.octaves : .winamp
    var sliders: [Double]?
    var preamp: Double?
    var name: String?
    if let option = options["equalizer-preset"], !option.value.isEmpty {
      if let preset = VLCPreset.all[option.value.lowercased()] {
        (sliders, preamp, name) = (preset.gains, preset.preamp, option.value.lowercased())
      } else {
        notes.add("VLC has no preset \(ExchangeNote.quoted(option.value))", at: .line(option.line))
      }
    }
    if let option = options["equalizer-bands"], !option.value.isEmpty {
      (sliders, preamp, name) = (values(of: option, notes: &notes), nil, nil)
    }
    guard var sliders else { throw .preset(reason: "the file holds neither equalizer-bands nor equalizer-preset") }
    if let option = options["equalizer-preamp"], !option.value.isEmpty {
      if let value = DecimalText.parse(String(option.value)) {
        preamp = clamped(value, "equalizer-preamp", option, notes: &notes)
      } else {
        notes.add(
          "equalizer-preamp is \(ExchangeNote.quoted(option.value)), which is no number", at: .line(option.line))
      }
    }
    var gain = (preamp ?? neutralPreamp) - neutralPreamp
    if let option = options["equalizer-2pass"], isTrue(option.value) {
      notes.add("two passes: the sliders and the preamplifier count twice", at: .line(option.line))
      sliders = sliders.map { 2 * $0 }
      gain *= 2
    }
    let equalizer = bank.equalizer(sliders, gain: gain, at: nil, notes: &notes)
    return [NamedEqualizer(name: name, equalizer: equalizer)]
  }

  private static func values(of option: Option, notes: inout ExchangeNotes) -> [Double] {
    var values: [Double] = []
    for part in option.value.split(whereSeparator: { $0.isWhitespace || $0 == ";" }) {
      guard values.count < 10 else {
        notes.add("equalizer-bands has more than ten values", at: .line(option.line))
        break
      }
      if let value = DecimalText.parse(String(part.map { $0 == "," ? "." : $0 })) {
        values.append(clamped(value, "equalizer-bands", option, notes: &notes))
      } else {
        notes.add("equalizer-bands: \(ExchangeNote.quoted(part)) is no number, 0 is taken", at: .line(option.line))
        values.append(0)
      }
    }
    if values.count < 10 {
      notes.add("equalizer-bands has \(values.count) values: 0 is taken for the others", at: .line(option.line))
    }
    return values + Array(repeating: 0, count: 10 - values.count)
  }

  private static func clamped(_ value: Double, _ name: String, _ option: Option, notes: inout ExchangeNotes) -> Double {
    guard !(-20...20).contains(value) else { return value }
    notes.add("\(name): \(DecimalText.number(value, places: 3)) is out of -20 to 20", at: .line(option.line))
    return min(max(value, -20), 20)
  }

  private static func isTrue(_ text: Substring) -> Bool { ["", "1", "true", "yes", "on"].contains(text.lowercased()) }

  /// The equalizer's options of a line; a comment has none, though `vlcrc` shows defaults in comments.
  static func options(in line: Substring) -> [(name: String, value: Substring)] {
    guard line.first != "#" else { return [] }
    var found: [(String, Substring)] = []
    var rest = line
    while let start = rest.firstRange(of: "equalizer-") {
      let isTyped = rest[..<start.lowerBound].hasSuffix("--")
      let isNegated = rest[..<start.lowerBound].hasSuffix("--no-")
      let name = rest[start.lowerBound...].prefix { $0.isLetter || $0.isNumber || $0 == "-" }
      rest = rest[name.endIndex...]
      if isNegated {
        found.append((String(name), "0"))
        continue
      }
      var value = rest.drop { $0 == "=" || $0 == " " || $0 == "\t" }
      if let quote = value.first, quote == "\"" || quote == "'" {
        value = value.dropFirst().prefix { $0 != quote }
        rest = rest[value.endIndex...].dropFirst()
      } else if isTyped, rest.first == "=" || !value.hasPrefix("--") {
        value = value.prefix { !$0.isWhitespace }
        rest = rest[value.endIndex...]
      } else if isTyped {
        value = value.prefix(0)
      } else {
        rest = rest[rest.endIndex...]
      }
      found.append((name.lowercased(), value.trimmingBlanks()))
    }
    return found
  }

  static func write(_ preset: Preset, notes: inout ExchangeNotes) -> ([UInt8], CurveDeviation) {
    let equalizer = preset.chain.equalizer
    let bank = SliderBank.octaves.values(of: equalizer) != nil ? SliderBank.octaves : .winamp
    let conversion = SliderConversion(
      equalizer, to: bank, scale: scale, notes: &notes,
      asEqualizer: { values, gain in
        var notes = ExchangeNotes()
        return bank.equalizer(values, gain: gain, at: nil, notes: &notes)
      })
    func number(_ value: Double) -> String { DecimalText.number(value, places: 3) }
    let lines = [
      "# \(preset.name.text)", "audio-filter=equalizer", "equalizer-preamp=\(number(conversion.gain + neutralPreamp))",
      "equalizer-bands=\(conversion.values.map(number).joined(separator: " "))",
      "equalizer-vlcfreqs=\(bank == .winamp ? 1 : 0)", "equalizer-2pass=0",
    ]
    return (Array((lines.joined(separator: "\n") + "\n").utf8), conversion.deviation)
  }
}
