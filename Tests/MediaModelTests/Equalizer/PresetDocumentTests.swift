import Base
import MediaModel
import Testing
import TestSupport

@Suite("Documents of presets")
struct PresetDocumentTests {
  @Test func `A preset comes back as it was`() throws {
    let bands = [
      try EqualizerBand(.highPass, frequency: 30.1),
      try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9), channels: .left),
      try EqualizerBand(.resonantHighShelf, frequency: 1e4 / 3, gain: 0.1 + 0.2, width: .octaves(1.0 / 3)),
      try EqualizerBand(.bandStop, frequency: 384_000, isBypassed: true),
    ]
    let preset = Preset(
      name: try PresetName("Wärm \"2\" 🎵/..\\"),
      chain: try EffectChain(
        equalizer: try Equalizer(bands: bands, gain: -4.47, isCompensated: true), pitch: -137.5,
        reverberation: try Reverberation(.cathedral, mix: 12.5), rate: 1.0 / 3))
    #expect(try Preset(json: Array(preset.document.text.utf8)) == preset)
    #expect(try Preset(json: Array(preset.document.prettyText.utf8)) == preset)
    #expect(try Preset(json: Array(preset.document.text.utf8)).name.text == preset.name.text)
  }

  @Test(arguments: FilterShape.allCases)
  func `Every shape comes back with what it has`(shape: FilterShape) throws {
    for width in [FilterWidth.quality(2), .octaves(2)] {
      let band = try EqualizerBand(shape, frequency: 100, gain: 3, width: width, channels: .right)
      let preset = try Self.preset(bands: [band])
      #expect(try Preset(document: preset.document) == preset)
    }
  }

  @Test func `Random presets come back as they were`() throws {
    var random = RepeatableRandom(seed: 138)
    for _ in 0..<200 {
      let bands = try (0..<Int.random(in: 0...12, using: &random)).map { _ in
        try EqualizerBand(
          FilterShape.allCases.randomElement(using: &random) ?? .parametric,
          frequency: .random(in: EqualizerBand.frequencies, using: &random),
          gain: .random(in: EqualizerBand.gains, using: &random),
          width: Bool.random(using: &random)
            ? .quality(.random(in: FilterWidth.qualities, using: &random))
            : .octaves(.random(in: FilterWidth.octaveRange, using: &random)))
      }
      let preset = try Self.preset(bands: bands)
      #expect(try Preset(json: Array(preset.document.text.utf8)) == preset)
    }
  }

  @Test func `What is not said is neutral`() throws {
    let preset = try Preset(json: Array(#"{"name":"x","schema":1}"#.utf8))
    #expect(preset.chain == .neutral)
  }

  @Test(arguments: [
    (#"{"schema":2,"name":"x","future":1}"#, "schema 2 is from a newer version"),
    (#"{"name":"x"}"#, "schema is missing"),
    (#"{"schema":1}"#, "name is missing"),
    (#"{"schema":0,"name":"x"}"#, "schema must be 1"),
    (#"{"schema":1,"name":"x","future":1}"#, "future is unknown"),
    (#"{"schema":1,"name":"x","name":"y"}"#, "name occurs twice"),
    (#"{"schema":1,"name":"x","bands":[{"type":"comb","frequency_hz":1}]}"#, #"bands[0].type is "comb""#),
    (#"{"schema":1,"name":"x","bands":[{"type":"parametric","frequency_hz":9}]}"#, "bands[0].gain_db is missing"),
    (#"{"schema":1,"name":"x","bands":[{"type":"low-pass"}]}"#, "bands[0].frequency_hz is missing"),
    (#"{"schema":1,"name":"x","bands":[{"type":"low-pass","frequency_hz":9,"slope":1}]}"#, "bands[0].slope is unknown"),
    (#"{"schema":1,"name":"x","bands":[{"type":"low-pass","frequency_hz":9,"gain_db":1}]}"#, "has no gain"),
    (#"{"schema":1,"name":"x","bands":[{"type":"low-pass","frequency_hz":9,"q":1}]}"#, "bands[0].q: a low-pass has no"),
    (
      #"{"schema":1,"name":"x","bands":[{"type":"all-pass","frequency_hz":9,"q":1,"bandwidth_octaves":1}]}"#,
      "both q and bandwidth_octaves"
    ),
    (#"{"schema":1,"name":"x","bands":[7]}"#, "bands[0] is not an object"),
    (#"{"schema":1,"name":"x","bands":{}}"#, "bands is {}, but a list"),
    (#"{"schema":1,"name":"x","gain_db":"12dB"}"#, #"gain_db is "12dB", but a number"#),
    (#"{"schema":1,"name":"x","gain_db":NaN}"#, "not JSON: a value was expected at byte 33"),
    (#"{"schema":1,"name":"x","gain_db":1e400}"#, "not JSON"),
    (#"{"schema":1,"name":"x","gain_db":1e308}"#, "must be -96 to 24 dB"),
    (#"{"schema":1,"name":"x","pitch_cents":2401}"#, "must be -2400 to 2400 cents"),
    (#"{"schema":1,"name":"x","rate":0}"#, "must be 0.25 to 4"),
    (#"{"schema":1,"name":"x","reverb":{"room":"cave","mix_percent":1}}"#, #"reverb.room is "cave""#),
    (#"{"schema":1,"name":"x","reverb":{"room":"plate"}}"#, "reverb.mix_percent is missing"),
    (#"{"schema":1,"name":" "}"#, "needs a name"),
    (#"{"schema":1,"name":"a\u0000b"}"#, "control characters"),
    (#"[]"#, "the document is not an object"),
    ("", "not JSON"),
  ])
  // Faults: 136, 138
  func `What is wrong is refused with its place`(text: String, reason: String) {
    #expect {
      try Preset(json: Array(text.utf8))
    } throws: {
      "\($0)".contains(reason)
    }
  }

  // Faults: 138
  @Test func `Ten megabytes and a hundred thousand bands are refused`() {
    let blanks = [UInt8](repeating: 0x20, count: 10 << 20)
    #expect(throws: PresetError.self) { try Preset(json: Array(#"{"schema":1,"name":"x"}"#.utf8) + blanks) }
    let document: JSONValue = .object([
      "schema": .integer(1), "name": .string("x"), "bands": .array(Array(repeating: .null, count: 100_000)),
    ])
    #expect {
      try Preset(document: document)
    } throws: {
      "\($0)".contains("more than 128")
    }
  }

  // Faults: 136
  @Test(arguments: [-0.0, Double.leastNonzeroMagnitude, -Double.leastNonzeroMagnitude])
  func `Zeros of both signs and the least of numbers keep the filter finite`(gain: Double) throws {
    let text = #"{"schema":1,"name":"x","bands":[{"type":"parametric","frequency_hz":100,"gain_db":\#(gain),"q":1}]}"#
    let equalizer = try Preset(json: Array(text.utf8)).chain.equalizer
    #expect(equalizer.response(at: [100, 1000], sampleRate: 48000).allSatisfy { abs($0) < 1e-9 })
    #expect(equalizer.filters(sampleRate: 48000).allSatisfy { $0.isStable })
  }

  private static func preset(bands: [EqualizerBand]) throws -> Preset {
    Preset(name: try PresetName("x"), chain: try EffectChain(equalizer: try Equalizer(bands: bands)))
  }
}
