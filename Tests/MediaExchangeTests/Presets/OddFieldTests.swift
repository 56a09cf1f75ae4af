import Base
import Foundation
import MediaExchange
import MediaModel
import Testing

/// Files of other programs in which one field is written in an odd form. What is read must sound as in that program, whose
/// analogue prototypes the test evaluates itself; otherwise the file is refused, or the loss noted.
@Suite("Odd fields of presets")
struct OddFieldTests {
  /// A filter as its program defines it: the coefficients of s⁰, s¹ and s², where s is relative to `frequency`.
  struct Prototype {
    var frequency: Double
    var numerator: (Double, Double, Double)
    var denominator: (Double, Double, Double)

    /// A peak of the Audio EQ Cookbook.
    static func peak(_ frequency: Double, _ gain: Double, _ q: Double) -> Self {
      let a = pow(10, gain / 40)
      return Self(frequency: frequency, numerator: (1, a / q, 1), denominator: (1, 1 / (a * q), 1))
    }

    /// A low shelf of the Audio EQ Cookbook.
    static func lowShelf(_ frequency: Double, _ gain: Double, _ q: Double) -> Self {
      let a = pow(10, gain / 40)
      let b = a.squareRoot() / q
      return Self(frequency: frequency, numerator: (a * a, a * b, a), denominator: (1, b, a))
    }

    /// In decibels, at 48 kHz by the bilinear transform.
    func response(at frequency: Double) -> Double {
      let s = tan(.pi * frequency / 48_000) / tan(.pi * self.frequency / 48_000)
      func power(_ c: (Double, Double, Double)) -> Double { pow(c.0 - c.2 * s * s, 2) + pow(c.1 * s, 2) }
      return 10 * log10(power(numerator) / power(denominator))
    }
  }

  private static let grid = (0...60).map { 20 * pow(1_000, Double($0) / 60) }

  static func difference(_ preset: Preset?, _ gain: Double, _ filters: [Prototype]) -> Double {
    guard let equalizer = preset?.chain.equalizer else { return .infinity }
    return zip(grid, equalizer.response(at: grid, sampleRate: 48_000)).map { frequency, found in
      abs(found - filters.reduce(gain) { $0 + $1.response(at: frequency) })
    }.max() ?? 0
  }

  /// A format, and how it writes a preamplifier of −3 dB, a low shelf and then a peak with the given fields; nil leaves
  /// a field out.
  struct Format: CustomTestStringConvertible {
    var format: PresetFormat
    var name: String
    /// What the program uses for a missing frequency, gain and Q; nil if the filter is lost.
    var defaults: [Double?]
    var text: @Sendable (_ frequency: String?, _ gain: String?, _ q: String?, _ type: String?) -> String
    /// Whether numbers can be texts.
    var hasTexts = false
    /// Whether a comma separates values.
    var hasCommas = false
    var type: String
    /// The shelf, which has no odd field.
    var shelf = Prototype.lowShelf(105, 4.5, 0.7)
    var peak: @Sendable (Double, Double, Double) -> Prototype = Prototype.peak

    var testDescription: String { "\(format)" }
  }

  private static func joined(_ fields: [(String, String?)], _ separator: String) -> String {
    fields.compactMap { name, value in value.map { name + $0 } }.joined(separator: separator)
  }

  /// Bells of EasyEffects' default mode.
  static func bell(_ frequency: Double, _ gain: Double, _ q: Double) -> Prototype {
    let g = pow(10, gain / 20)
    let k = 2 * (g + 1 / g) / (1 + 2 * q)
    return Prototype(
      frequency: frequency, numerator: (1, k * sin(atan(g)), 1), denominator: (1, k * cos(atan(g)), 1))
  }

  static let formats: [Format] = [
    Format(
      format: .apo, name: "config.txt", defaults: [nil, nil, nil],
      text: { frequency, gain, q, type in
        let fields = joined(
          [("Fc ", frequency.map { $0 + " Hz" }), ("Gain ", gain.map { $0 + " dB" }), ("Q ", q)], " ")
        return "Preamp: -3 dB\nFilter 1: ON LSC Fc 105 Hz Gain 4.5 dB Q 0.7\n"
          + "Filter 2: ON \(type ?? "") \(fields)\nFilter 3: ON None\n"
      }, type: "PK"),
    Format(
      format: .easyEffects, name: "x.json", defaults: [27.8, 0, 4.36],
      text: { frequency, gain, q, type in
        let fields = joined(
          [
            ("\"type\":", type.map { "\"\($0)\"" }), ("\"frequency\":", frequency), ("\"gain\":", gain), ("\"q\":", q),
          ], ",\n")
        return """
          {"output":{"plugins_order":["equalizer#0"],"equalizer#0":{"input-gain":-3,"num-bands":2,"left":{
          "band0":{"type":"Lo-shelf","mode":"APO (DR)","gain":4.5,"frequency":105,"q":0.7},
          "band1":{"mode":"RLC (BT)",\(fields)}}}}}
          """
      }, hasTexts: true, type: "Bell", peak: bell),
    Format(
      format: .pipeWire, name: "x.conf", defaults: [nil, 0, 1],
      text: { frequency, gain, q, type in
        let fields = joined([("type = ", type), ("freq = ", frequency), ("gain = ", gain), ("q = ", q)], "\n")
        return """
          filter.graph = { nodes = [ { label = param_eq config = { filters = [
          { type = bq_highshelf freq = 0 gain = -3 q = 1 }
          { type = bq_lowshelf freq = 105 gain = 4.5 q = 0.7 }
          { \(fields) } ] } } ] }
          """
      }, hasTexts: true, hasCommas: true, type: "bq_peaking"),
    Format(
      format: .camillaDSP, name: "x.yml", defaults: [nil, nil, nil],
      text: { frequency, gain, q, type in
        let fields = joined(
          [("      type: ", type), ("      freq: ", frequency), ("      gain: ", gain), ("      q: ", q)], "\n")
        return """
          filters:
            low:
              type: Biquad
              parameters: { type: Lowshelf, freq: 105, gain: 4.5, q: 0.7 }
            level:
              type: Gain
              parameters:
                gain: -3
            bell:
              type: Biquad
              parameters:
          \(fields)
          pipeline:
          - type: Filter
            channels: [0, 1]
            names: [level, low, bell]

          """
      }, hasTexts: true, type: "Peaking"),
    Format(
      format: .rockbox, name: "x.cfg", defaults: [nil, nil, nil],
      text: { frequency, gain, q, type in
        func tenths(_ text: String?) -> String {
          text.map { text in Double(text).map { "\(Int(($0 * 10).rounded()))" } ?? text.replacing(".4", with: "4") }
            ?? ""
        }
        return "eq precut: 30\neq filter 0: 105, 7, 45, LOW_SHELF\n"
          + "eq filter 1: \(frequency ?? ""), \(tenths(q)), \(tenths(gain)), \(type ?? "")\n"
      }, hasCommas: true, type: "PEAK"),
  ]

  static let odd: [(field: Int, text: String, value: Double?)] = [
    (0, "220", 220), (0, "\"220\"", 220), (0, "220,5", 220.5), (0, "many", nil), (0, "", nil),
    (1, "-2.4", -2.4), (1, "\u{2212}2.4", -2.4), (1, "\u{2013}2.4", -2.4), (1, "-2,4", -2.4), (1, "\"-2.4\"", -2.4),
    (1, "\"\u{2212}2,4\"", -2.4), (1, "+2.4", 2.4), (1, "loud", nil),
    (2, "0.9", 0.9), (2, "0,9", 0.9), (2, "\"0.9\"", 0.9), (2, ".9", 0.9), (2, "wide", nil),
  ]

  @Test(arguments: formats)
  func `a number in an odd form is read as its program means it, or lost with a note`(format: Format) throws {
    let usual = (values: [220, -2.4, 0.9], texts: ["220", "-2.4", "0.9"])
    var readCount = 0
    for (field, written, value) in Self.odd {
      if written.contains("\""), !format.hasTexts { continue }
      if written.contains(","), format.hasCommas, !written.contains("\"") { continue }
      // JSON's own numbers: anything else is quoted.
      let isJSON = format.format == .easyEffects && !written.contains("\"")
      let text = isJSON && (Double(written) == nil || "+.".contains(written.first ?? " ")) ? "\"\(written)\"" : written
      var texts: [String?] = usual.texts
      texts[field] = text
      let file = Array(format.text(texts[0], texts[1], texts[2], format.type).utf8)
      try check(file, format, field: field, value: value, values: usual.values, label: written)
      readCount += value == nil ? 0 : 1
      texts[field] = nil
      let missing = Array(format.text(texts[0], texts[1], texts[2], format.type).utf8)
      try check(missing, format, field: field, value: nil, values: usual.values, label: "missing")
    }
    #expect(readCount >= 6)
  }

  private func check(
    _ file: [UInt8], _ format: Format, field: Int, value: Double?, values: [Double], label: String
  ) throws {
    var values: [Double?] = values
    values[field] = value ?? format.defaults[field]
    let known = values.compactMap(\.self)
    let filters = [format.shelf] + (known.count == 3 ? [format.peak(known[0], known[1], known[2])] : [])
    // A configuration in which a word stands for a number may be no configuration at all.
    guard value != nil || format.format != .easyEffects,
      value != nil || format.format != .pipeWire
    else {
      if let result = try? PresetImport(file, fileName: format.name) {
        #expect(Self.difference(result.presets.first, -3, filters) < 0.01, "\(format.format): \(label)")
      }
      return
    }
    let result = try PresetImport(file, fileName: format.name)
    #expect(result.format == format.format)
    #expect(result.notes.isEmpty == (value != nil), "\(format.format): \(label): \(result.notes)")
    #expect(Self.difference(result.presets.first, -3, filters) < 0.01, "\(format.format): \(label)")
  }

  @Test(arguments: formats)
  func `a type in other case or unknown is lost with a note, unless the program reads it`(format: Format) throws {
    for type in [format.type.lowercased(), format.type.uppercased(), "Odd\(format.type)", nil] where type != format.type
    {
      let result = try PresetImport(
        Array(format.text("220", "-2.4", "0.9", type).utf8), format: format.format, fileName: format.name)
      // Rockbox ignores case; EasyEffects reads a band without a type as a bell.
      let isRead =
        format.format == .rockbox && type?.uppercased() == format.type || format.format == .easyEffects && type == nil
      let filters = [format.shelf] + (isRead ? [format.peak(220, -2.4, 0.9)] : [])
      #expect(Self.difference(result.presets.first, -3, filters) < 0.01, "\(format.format): \(type ?? "")")
      #expect(!result.notes.isEmpty || isRead)
    }
  }

  @Test(arguments: formats)
  func `line ends, marks and encodings make no difference, and text on one line is read or refused`(
    format: Format
  ) throws {
    let text = format.text("220", "-2.4", "0.9", format.type)
    let filters = [format.shelf, format.peak(220, -2.4, 0.9)]
    func wide(_ text: String) -> [UInt8] {
      [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }
    let lines = text.replacing("\n", with: "\r\n")
    for file in [Array(lines.utf8), [0xEF, 0xBB, 0xBF] + Array(lines.utf8), wide(text), wide(lines)] {
      let result = try PresetImport(file, fileName: format.name)
      #expect(result.format == format.format && result.notes.isEmpty, "\(result.notes)")
      #expect(Self.difference(result.presets.first, -3, filters) < 0.01)
    }
    let line = Array(text.replacing("\n", with: " ").utf8)
    if let result = try? PresetImport(line, fileName: format.name) {
      #expect(Self.difference(result.presets.first, -3, filters) < 0.01, "\(format.format)")
    }
  }

  @Test(arguments: [
    ("equalizer-bands=", "equalizer-preamp=", PresetFormat.vlc), ("Band", "Preamp=", .audacious),
  ])
  func `sliders are read in any form of their numbers`(bands: String, preamp: String, format: PresetFormat) throws {
    let sliders = ["8.5", "-4", "2", "0", "-1", "-2", "0", "1", "3", "3"]
    func file(_ values: [String], _ gain: String) -> [UInt8] {
      format == .vlc
        ? Array("\(bands)\(values.joined(separator: " "))\n\(preamp)\(gain)\n".utf8)
        : Array(
          ("[Equalizer preset]\n\(preamp)\(gain)\n"
            + values.enumerated().map { "\(bands)\($0.offset)=\($0.element)\n" }.joined()).utf8)
    }
    let plain = try PresetImport(file(sliders, "-5"), fileName: "x")
    #expect(plain.format == format && plain.notes.isEmpty)
    for odd in [("8,5", "\u{2212}4", "-5,0"), ("+8.5", "\u{2013}4", "\u{2212}5"), ("8.50", "-4,0", "-5")] {
      var values = sliders
      (values[0], values[1]) = (odd.0, odd.1)
      let result = try PresetImport(file(values, odd.2), fileName: "x")
      #expect(result.presets == plain.presets && result.notes.isEmpty, "\(odd)")
    }
    if format == .vlc {
      let commas = "equalizer-bands=8.5,-4,2,0,-1,-2,0,1,3,3\nequalizer-preamp=-5\n"
      #expect(try PresetImport(Array(commas.utf8), fileName: "x").presets == plain.presets)
    }
    #expect(try !PresetImport(file(["loud"] + sliders.dropFirst(), "-5"), fileName: "x").notes.isEmpty)
    #expect(throws: ExchangeError.self) {
      try PresetImport(file(Array(repeating: "x", count: 10), "x"), fileName: "x")
    }
  }
}
