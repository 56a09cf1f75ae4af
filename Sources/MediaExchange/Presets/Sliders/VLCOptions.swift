internal import Base
internal import Glibc
internal import MediaModel

/// Options of VLC: lines of `vlcrc` (`equalizer-bands=0 1 …`) or of a command line (`--equalizer-bands "0 1 …"`).
enum VLCOptions {
  /// The filter divides its input by four, so a preamplifier setting of 12 dB means no change.
  static let neutralPreamp = 12.0

  static let scale = SliderScale(
    gains: -20...20, globalGains: -20 - neutralPreamp...20 - neutralPreamp,
    stored: { ($0 * 1_000).rounded() / 1_000 })

  private struct Option {
    var value: Substring
    var line: Int
  }

  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExchangeError) -> [NamedEqualizer] {
    var options: [String: Option] = [:]
    for line in TextLines(bytes).lines {
      for (name, value) in self.options(in: line.text) {
        if options[name] != nil { notes.add("\(name) occurs twice; the last one counts", at: .line(line.number)) }
        options[name] = Option(value: value, line: line.number)
      }
    }
    let known = ["equalizer-preset", "equalizer-bands", "equalizer-preamp", "equalizer-2pass", "equalizer-vlcfreqs"]
    for (name, option) in options.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      notes.add("\(ExchangeNote.quoted(name)) is unknown; ignored", at: .line(option.line))
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
      (sliders, preamp, name) = (try values(of: option, notes: &notes), nil, nil)
    }
    guard var sliders else { throw .unreadable("the file has neither equalizer-bands nor equalizer-preset") }
    if let option = options["equalizer-preamp"], !option.value.isEmpty {
      if let value = SettingValue.number(option.value) {
        preamp = clamped(value, "equalizer-preamp", option, notes: &notes)
      } else {
        notes.add(
          "equalizer-preamp is \(ExchangeNote.quoted(option.value)), not a number", at: .line(option.line))
      }
    }
    var gain = (preamp ?? neutralPreamp) - neutralPreamp
    if let option = options["equalizer-2pass"], isTrue(option.value) {
      notes.add("with two passes, sliders and preamplifier act twice", at: .line(option.line))
      sliders = sliders.map { 2 * $0 }
      gain *= 2
    }
    let equalizer = bank.equalizer(sliders, gain: gain, at: nil, notes: &notes)
    return [NamedEqualizer(name: name, equalizer: equalizer)]
  }

  private static func values(of option: Option, notes: inout ExchangeNotes) throws(ExchangeError) -> [Double] {
    var values: [Double] = []
    var isAnyNumber = false
    // With commas, if these do not stand before decimals.
    let isOneWord = !option.value.contains { $0.isWhitespace || $0 == ";" }
    for part in option.value.split(whereSeparator: { $0.isWhitespace || $0 == ";" || isOneWord && $0 == "," }) {
      guard values.count < 10 else {
        notes.add("equalizer-bands has more than ten values", at: .line(option.line))
        break
      }
      if let value = SettingValue.number(part) {
        isAnyNumber = true
        values.append(clamped(value, "equalizer-bands", option, notes: &notes))
      } else {
        notes.add("equalizer-bands: \(ExchangeNote.quoted(part)) is not a number; 0 is used", at: .line(option.line))
        values.append(0)
      }
    }
    guard isAnyNumber else {
      throw .unreadable("line \(option.line): equalizer-bands has no number: \(ExchangeNote.quoted(option.value))")
    }
    if values.count < 10 {
      notes.add("equalizer-bands has \(values.count) values; 0 is used for the others", at: .line(option.line))
    }
    return values + Array(repeating: 0, count: 10 - values.count)
  }

  private static func clamped(_ value: Double, _ name: String, _ option: Option, notes: inout ExchangeNotes) -> Double {
    guard !(-20...20).contains(value) else { return value }
    notes.add(
      "\(name): \(DecimalText.number(value, places: 3)) is outside -20 to 20; the nearest is used",
      at: .line(option.line))
    return min(max(value, -20), 20)
  }

  private static func isTrue(_ text: Substring) -> Bool { ["", "1", "true", "yes", "on"].contains(text.lowercased()) }

  /// The equalizer options of a line. Comments have none, although `vlcrc` shows defaults in comments.
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
        // Up to the next option, if several are on one line.
        value = value[..<(value.firstRange(of: "equalizer-")?.lowerBound ?? value.endIndex)]
        rest = rest[value.endIndex...]
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

/// A built-in preset of VLC, which its options can name.
struct VLCPreset {
  /// The ten sliders, in decibels.
  let gains: [Double]
  /// In decibels; 12 means no change.
  let preamp: Double

  private init(_ preamp: Double, _ gains: [Double]) { (self.preamp, self.gains) = (preamp, gains) }

  /// By the name that `equalizer-preset` has.
  static let all: [String: VLCPreset] = [
    "flat": VLCPreset(12, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "classical": VLCPreset(12, [0, 0, 0, 0, 0, 0, -7.2, -7.2, -7.2, -9.6]),
    "club": VLCPreset(6, [0, 0, 8, 5.6, 5.6, 5.6, 3.2, 0, 0, 0]),
    "dance": VLCPreset(5, [9.6, 7.2, 2.4, 0, 0, -5.6, -7.2, -7.2, 0, 0]),
    "fullbass": VLCPreset(5, [-8, 9.6, 9.6, 5.6, 1.6, -4, -8, -10.4, -11.2, -11.2]),
    "fullbasstreble": VLCPreset(4, [7.2, 5.6, 0, -7.2, -4.8, 1.6, 8, 11.2, 12, 12]),
    "fulltreble": VLCPreset(3, [-9.6, -9.6, -9.6, -4, 2.4, 11.2, 16, 16, 16, 16.8]),
    "headphones": VLCPreset(4, [4.8, 11.2, 5.6, -3.2, -2.4, 1.6, 4.8, 9.6, 12.8, 14.4]),
    "largehall": VLCPreset(5, [10.4, 10.4, 5.6, 5.6, 0, -4.8, -4.8, -4.8, 0, 0]),
    "live": VLCPreset(7, [-4.8, 0, 4, 5.6, 5.6, 5.6, 4, 2.4, 2.4, 2.4]),
    "party": VLCPreset(6, [7.2, 7.2, 0, 0, 0, 0, 0, 0, 7.2, 7.2]),
    "pop": VLCPreset(6, [-1.6, 4.8, 7.2, 8, 5.6, 0, -2.4, -2.4, -1.6, -1.6]),
    "reggae": VLCPreset(8, [0, 0, 0, -5.6, 0, 6.4, 6.4, 0, 0, 0]),
    "rock": VLCPreset(5, [8, 4.8, -5.6, -8, -3.2, 4, 8.8, 11.2, 11.2, 11.2]),
    "ska": VLCPreset(6, [-2.4, -4.8, -4, 0, 4, 5.6, 8.8, 9.6, 11.2, 9.6]),
    "soft": VLCPreset(5, [4.8, 1.6, 0, -2.4, 0, 4, 8, 9.6, 11.2, 12]),
    "softrock": VLCPreset(7, [4, 4, 2.4, 0, -4, -5.6, -3.2, 0, 2.4, 8.8]),
    "techno": VLCPreset(5, [8, 5.6, 0, -5.6, -4.8, 0, 8, 9.6, 9.6, 8.8]),
  ]
}
