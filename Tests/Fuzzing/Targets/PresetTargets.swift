import Base
import MediaExchange
import MediaModel

/// A JSON document, read and written again.
struct JSONTarget: FuzzTarget {
  let name = "json"

  var seeds: [[UInt8]] {
    [
      "{}", "[]", "null", "-0.5e-3", "\"\\u00e9\\ud834\\udd1e\\n\"",
      "{\"a\": [1, 2.5, true, {\"b\": null}], \"a\": \"\"}",
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, 1e308]", "[[[[[[]]]]]]",
    ].map { Array($0.utf8) }
  }
  var dictionary: [String] { Self.words }

  static let words = [
    "true", "false", "null", "\\u0000", "\\ud800", "\\udc00", "\\\"", "1e308", "1e400", "-0", "9223372036854775808",
    "{\"\":", "[[[[[[[[", "]]]]]]]]",
  ]

  func check(_ bytes: [UInt8]) throws {
    guard let value = try? JSONValue(parsing: bytes) else { return }
    for text in [value.text, value.prettyText] {
      try require(try JSONValue(parsing: Array(text.utf8)).text == value.text, "not read as it is written: \(text)")
    }
    _ = value["a"]?.array?.first?.double
  }
}

/// A preset's own document.
struct PresetDocumentTarget: FuzzTarget {
  let name = "preset-json"

  var seeds: [[UInt8]] { Preset.builtIn.prefix(6).map { Array($0.document.text.utf8) } }
  var dictionary: [String] {
    JSONTarget.words
      + [
        "\"schema\":1", "\"name\":", "\"gain_db\":", "\"compensated\":", "\"bands\":[", "\"pitch_cents\":",
        "\"reverb\":",
        "\"rate\":", "\"type\":", "\"frequency_hz\":", "\"q\":", "\"bandwidth_octaves\":", "\"channels\":",
        "\"bypassed\":",
        "\"room\":", "\"mix_percent\":",
      ] + FilterShape.allCases.map(\.rawValue)
  }

  func check(_ bytes: [UInt8]) throws {
    guard let preset = try? Preset(json: bytes) else { return }
    let again = try Preset(json: Array(preset.document.prettyText.utf8))
    try require(again == preset && again.name.text == preset.name.text, "a preset is not read as it is written")
    let gains = preset.chain.equalizer.response(at: [20, 1_000, 20_000], sampleRate: 44_100)
    try require(!gains.contains { $0.isNaN }, "a response that is no number")
  }
}

/// A file of presets of another program: the first byte chooses the format, or that it is detected.
struct PresetFileTarget: FuzzTarget {
  let name = "preset-file"
  let repetitionCount = 200
  let maximumByteCount = 2048

  var seeds: [[UInt8]] {
    get throws {
      let formats = PresetFormat.allCases
      let presets = Preset.builtIn.dropFirst(2).prefix(2)
      return try formats.enumerated().flatMap { index, format in
        try presets.map { [UInt8(index)] + (try PresetExport([$0], as: format)).bytes }
      } + Self.texts.map { [0xFF] + Array($0.utf8) }
    }
  }

  private static let texts = [
    "GraphicEQ: 20 -1.5; 100 3; 1000 0; 18000 -6", "Preamp: -4.5 dB\nFilter 1: ON LSC Fc 105 Hz Gain 4.5 dB Q 0.70\n",
    "Device: all\nChannel: L R\nInclude: other.txt\nFilter: ON BP Fc 50 Hz Q 2\nCopy: L=0.5*L+R\nDelay: 3 ms\n",
    "[Presets]\nPreset0=Warm\n[Warm]\nPreamp=-4\nBand0=6\nBand9=3\n", "equalizer-bands=6 4 2 0 -1 -2 0 1 3 3\n",
    "context.modules = [ { name = libpipewire-module-filter-chain args = { filter.graph = { nodes = [ { type = builtin label = bq_peaking control = { Freq = 100 Q = 1 Gain = 3 } } ] } } } ]",
    "eq enabled: on\neq precut: 30\neq low shelf filter: 60, 7, 30\neq peak filter 1: 200, 10, 0\n",
    "filters:\n  a: {type: Biquad, parameters: {type: Peaking, freq: 100, gain: 3, q: 1}}\n  b:\n    type: BiquadCombo\n    parameters:\n      type: ButterworthHighpass\n      freq: 20\n      order: 4\npipeline:\n  - type: Filter\n    channels: [0, 1]\n    names:\n    - a\n    - b\n",
    "Preamp: \u{2212}4,5 dB Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1 Filter 2: ON LSQ Fc 50 Hz Gain 2 dB Q 0.7",
    "{\"output\": {\"equalizer\": {\"left\": {\"band0\": {\"frequency\": 30, \"gain\": 3, \"q\": 1, \"type\": \"Bell\"}}}}}",
  ]

  var dictionary: [String] {
    JSONTarget.words
      + [
        "Preamp: ", "Filter 1: ON PK Fc ", " Hz Gain ", " dB Q ", " BW Oct ", "LSC", "HSC", "LS 6dB", "NO", "AP",
        "MODAL",
        "GraphicEQ: ", "Include: ", "Channel: ", "Device: ", "Stage: ", "If: ", "Eval: ", "`", "\r\n", "\u{FEFF}",
        "equalizer-bands=", "equalizer-preamp=", "[Presets]", "Preset0=", "Band0=", "eq peak filter 1: ", "eq precut: ",
        "filters:", "pipeline:", "type: Biquad", "parameters:", "names: [", "channels: [0]", "bypassed: true", "- ",
        "  ",
        "\"plugins_order\":", "RLC (BT)", "filter.graph", "bq_lowshelf", "param_eq", "filters = [", "control = {",
        "\"output\":", "\"equalizer#0\":",
        "1e300", "-1e300", "0x7fffffff", "nan", "inf",
      ]
  }

  func check(_ bytes: [UInt8]) throws {
    guard let choice = bytes.first else { return }
    let formats = PresetFormat.allCases
    let format = Int(choice) < formats.count ? formats[Int(choice)] : nil
    let body = Array(bytes.dropFirst())
    let other = IncludedFile(identity: "other", bytes: Array(body.suffix(body.count / 2)))
    let read = try? PresetImport(body, format: format, fileName: "Some.txt", identity: "own") { name, _ in
      name.contains("own") ? IncludedFile(identity: "own", bytes: body) : other
    }
    guard let read else { return }
    for preset in read.presets.prefix(3) {
      let again = try Preset(json: Array(preset.document.text.utf8))
      try require(again == preset, "an imported preset is not read as it is stored")
    }
    guard let preset = read.presets.first, read.format != .json else { return }
    let export = try PresetExport([preset], as: read.format)
    do {
      let again = try PresetImport(export.bytes, format: read.format, fileName: "Some.txt")
      try require(again.presets.count == 1, "\(again.presets.count) presets come back from one")
    } catch let error as ExchangeError {
      throw PropertyFailure("what was written as \(read.format.rawValue) is not read: \(error)")
    }
  }
}
