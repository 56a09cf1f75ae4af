import Base
import Foundation
import MediaExchange
import MediaModel
import Testing

/// Filters that other programs define in their own way, judged by the response of their own prototypes.
@Suite("Filters of other programs")
struct ForeignFilterTests {
  typealias Prototype = OddFieldTests.Prototype

  private func equalizer(_ text: String, _ name: String) throws -> PresetImport {
    try PresetImport(Array(text.utf8), fileName: name)
  }

  private func easyEffects(_ bands: [String], order: String = "\"equalizer#0\"", key: String = "equalizer#0") -> String
  {
    let list = bands.enumerated().map { "\"band\($0.offset)\":{\($0.element)}" }.joined(separator: ",")
    return "{\"output\":{\"plugins_order\":[\(order)],\"\(key)\":{\"num-bands\":\(bands.count),\"left\":{\(list)}}}}"
  }

  /// The cascades of lsp-dsp-units' `calc_rlc_filter`, one prototype for each.
  private func rlc(_ type: String, _ frequency: Double, _ gain: Double, _ q: Double, slope n: Int) -> [Prototype] {
    let k = 2 / (1 + q)
    let g = pow(10, gain / 20)
    let part = pow(g, 1 / Double(n))
    switch type {
    case "Lo-pass", "Hi-pass":
      let top = type == "Lo-pass" ? (1.0, 0.0, 0.0) : (0.0, 0.0, 1.0)
      return Array(repeating: Prototype(frequency: frequency, numerator: top, denominator: (1, k, 1)), count: n)
    case "Lo-shelf", "Hi-shelf":
      // The gain is shared out among 2n steps, with the root of it once more in front.
      let fg = pow(g.squareRoot(), 1 / Double(2 * n))
      let (a, b) = ((fg, k, 1 / fg), (1 / fg, k, fg))
      let (top, bottom) = type == "Lo-shelf" ? (a, b) : (b, a)
      return (0..<n).map { step in
        let front = step == 0 ? g.squareRoot() : 1
        return Prototype(
          frequency: frequency, numerator: (front * top.0, front * top.1, front * top.2), denominator: bottom)
      }
    case "Notch": return [Prototype(frequency: frequency, numerator: (1, 0, 1), denominator: (1, k, 1))]
    default:
      let width = type == "Bell" ? 2 * (1 / part + part) / (1 + 2 * q / Double(n)) : k
      let angle = atan(part)
      return Array(
        repeating: Prototype(
          frequency: frequency, numerator: (1, width * sin(angle), 1), denominator: (1, width * cos(angle), 1)),
        count: n)
    }
  }

  @Test(arguments: ["Bell", "Hi-pass", "Lo-pass", "Hi-shelf", "Lo-shelf", "Notch", "Resonance"], [1, 2, 3, 4])
  func `bands of EasyEffects' default mode are exact at any slope`(type: String, slope: Int) throws {
    for (gain, q) in [(6.0, 0.0), (-5, 4.36), (12, 1), (-18, 0.7)] {
      let band =
        "\"type\":\"\(type)\",\"mode\":\"RLC (BT)\",\"slope\":\"x\(slope)\",\"frequency\":900,\"gain\":\(gain),\"q\":\(q)"
      let result = try equalizer(easyEffects([band]), "x.json")
      let expected = rlc(type, 900, gain, q, slope: slope)
      // A notch has no finite depth to compare.
      if type == "Notch" {
        let found = try #require(result.presets.first).chain.equalizer.response(at: [500, 1_200], sampleRate: 48_000)
        for (value, frequency) in zip(found, [500.0, 1_200]) {
          #expect(abs(value - expected[0].response(at: frequency)) < 1e-6)
        }
      } else {
        #expect(OddFieldTests.difference(result.presets.first, 0, expected) < 1e-6, "\(gain), \(q)")
      }
      #expect(result.notes.allSatisfy { $0.text.contains("has no gain") })
    }
  }

  @Test func `the slope has no effect in the mode of Equalizer APO`() throws {
    let band = "\"type\":\"Bell\",\"mode\":\"APO (DR)\",\"slope\":\"x3\",\"frequency\":900,\"gain\":6,\"q\":2"
    let result = try equalizer(easyEffects([band]), "x.json")
    #expect(result.notes.isEmpty && OddFieldTests.difference(result.presets.first, 0, [.peak(900, 6, 2)]) < 1e-6)
  }

  @Test func `an equalizer that EasyEffects does not play has no effect`() throws {
    let band = "\"type\":\"Bell\",\"mode\":\"APO (DR)\",\"frequency\":900,\"gain\":6,\"q\":2"
    let none = try equalizer(easyEffects([band], order: "\"limiter#0\""), "x.json")
    #expect(none.presets.first?.chain.equalizer.bands.map(\.isBypassed) == [true])
    #expect(none.notes.contains { $0.text.contains("plugins_order") })
    let two = easyEffects([band]).replacing(
      "\"equalizer#0\":", with: "\"equalizer#1\":{\"num-bands\":1,\"left\":{\"band0\":{\(band)}}},\"equalizer#0\":")
    let one = try equalizer(two, "x.json")
    #expect(OddFieldTests.difference(one.presets.first, 0, [.peak(900, 6, 2)]) < 1e-6)
    #expect(one.notes.count == 1 && one.presets.first?.chain.equalizer.bands.count == 1)
    // Without a number the first one is meant, as before version 7.
    let old = try equalizer(easyEffects([band], order: "\"equalizer\""), "x.json")
    #expect(old.notes.isEmpty && old.presets.first?.chain.equalizer.bands.map(\.isBypassed) == [false])
  }

  @Test func `PulseEffects wrote numbers and switches as texts`() throws {
    let text = """
      {"output":{"blacklist":"","equalizer":{"state":"STATE","num-bands":"1","input-gain":"-2","output-gain":"0",
      "split-channels":"false","left":{"band0":{"type":"Bell","mode":"APO (DR)","slope":"x1","solo":"false",
      "mute":"false","gain":"6","frequency":"100","q":"1"}}}}}
      """
    let on = try equalizer(text.replacing("STATE", with: "true"), "x.json")
    #expect(on.notes.isEmpty && OddFieldTests.difference(on.presets.first, -2, [.peak(100, 6, 1)]) < 1e-6)
    let off = try equalizer(text.replacing("STATE", with: "false"), "x.json")
    #expect(OddFieldTests.difference(off.presets.first, 0, []) < 1e-6)
  }

  @Test func `shelves by Q in files of squig.link have their centre at Fc`() throws {
    let text = """
      Preamp: -3.5 dB
      Filter 1: ON LSQ Fc 105 Hz Gain 3.2 dB Q 0.700
      Filter 2: ON PK Fc 1300 Hz Gain 1.0 dB Q 1.000
      """
    let result = try equalizer(text, "squig.txt")
    #expect(result.notes.isEmpty)
    #expect(
      OddFieldTests.difference(result.presets.first, -3.5, [.lowShelf(105, 3.2, 0.7), .peak(1_300, 1, 1)]) < 1e-6)
  }

  @Test func `only the nodes through which PipeWire sends sound count`() throws {
    let text = """
      filter.graph = {
        nodes = [
          { type = builtin name = pre label = linear control = { "Mult" = 0.5 "Add" = 0.0 } }
          { type = builtin name = a label = bq_peaking control = { "Freq" = 900 "Q" = 2 "Gain" = 6 } }
          { type = builtin name = lost label = bq_peaking control = { "Freq" = 100 "Q" = 1 "Gain" = 9 } }
          { type = builtin name = dead label = bq_peaking control = { "Freq" = 300 "Q" = 1 "Gain" = 9 } }
          { type = builtin name = b label = bq_lowshelf control = { "Freq" = 105 "Q" = 0.7 "Gain" = -4 } }
        ]
        links = [ { output = "pre:Out" input = "a:In" } { output = "a:Out" input = "b:In" }
                  { output = "a:Out" input = "dead:In" } ]
      }
      """
    let result = try equalizer(text, "x.conf")
    let expected: [Prototype] = [.peak(900, 6, 2), .lowShelf(105, -4, 0.7)]
    #expect(OddFieldTests.difference(result.presets.first, 20 * log10(0.5), expected) < 1e-6)
    let ignored = result.notes.filter { $0.text.contains("no sound passes") }.map(\.place)
    #expect(ignored == [.key("filter.graph.nodes[2]"), .key("filter.graph.nodes[3]")] && result.notes.count == 2)
  }

  @Test func `each equalizer of a PipeWire configuration becomes a preset`() throws {
    let text = """
      context.modules = [
        { name = libpipewire-module-filter-chain args = { node.description = "First" filter.graph = { nodes = [
          { type = builtin name = a label = bq_peaking control = { Freq = 100 Q = 1 Gain = 6 } } ] } } }
        { name = libpipewire-module-rt args = { nice.level = -11 } }
        { name = libpipewire-module-filter-chain args = { node.description = "Odd" filter.graph = { nodes = [
          { type = builtin name = a label = param_eq config = { filters = [ { type = odd } ] } } ] } } }
        { name = libpipewire-module-parametric-equalizer
          args = { equalizer.filepath = "b.txt" equalizer.description = "Second" } }
      ]
      """
    let file = IncludedFile(identity: "b", bytes: Array("Preamp: -3 dB\nFilter 1: ON PK Fc 5000 Hz Gain 6 dB Q 2".utf8))
    let result = try PresetImport(Array(text.utf8), fileName: "x.conf") { name, _ in name == "b.txt" ? file : nil }
    #expect(result.presets.map(\.name.text) == ["First", "Second"])
    #expect(result.presets.map(\.chain.equalizer.gain) == [0, -3])
    #expect(OddFieldTests.difference(result.presets.first, 0, [.peak(100, 6, 1)]) < 1e-6)
    #expect(OddFieldTests.difference(result.presets.last, -3, [.peak(5_000, 6, 2)]) < 1e-6)
    #expect(result.notes.contains { $0.text == "no filter of the equalizer \"Odd\" can be read; ignored" })
  }

  @Test(arguments: [
    ("filters:\n  a: {type: Biquad, parameters: {type: Peaking, freq: 100, gain: 3, q: 1}}", PresetFormat.camillaDSP),
    ("{filters: {a: {type: Biquad, parameters: {type: Peaking, freq: 100, gain: 3, q: 1}}}}", .camillaDSP),
    (
      "# mine\n---\n\"filters\": # all\n  a:\n    type: 'Biquad' # one\n    parameters:\n      type: Peaking\n"
        + "      freq: 100\n      gain: 3\n      q: 1", .camillaDSP
    ),
    ("? filters\n: a:\n    type: Biquad\n    parameters: {type: Peaking, freq: 100, gain: 3, q: 1}", .camillaDSP),
    (
      "{\"context.modules\": [{\"name\": \"libpipewire-module-filter-chain\", \"args\": {\"filter.graph\": {\"nodes\": "
        + "[{\"label\": \"bq_peaking\", \"control\": {\"Freq\": 100, \"Q\": 1, \"Gain\": 3}}]}}}]}", .pipeWire
    ),
    (
      "{\n\"filter.graph\": {\"nodes\": [{\"label\": \"bq_peaking\",\n"
        + "\"control\": {\"Freq\": 100, \"Q\": 1, \"Gain\": 3}}]}}", .pipeWire
    ),
    ("{ filter.graph = { nodes = [ { label = bq_peaking control = { Freq = 100 Q = 1 Gain = 3 } } ] } }", .pipeWire),
  ])
  func `a format is recognized in every style, whatever the file's name`(text: String, format: PresetFormat) throws {
    for name in ["x.yml", "x.conf", "x.json", "x"] {
      let result = try equalizer(text, name)
      #expect(result.format == format)
      #expect(OddFieldTests.difference(result.presets.first, 0, [.peak(100, 3, 1)]) < 1e-6)
    }
  }

  @Test func `a line that YAML does not allow is named`() {
    do {
      _ = try equalizer("filters:\n  a: {type: Biquad", "x.yml")
      Issue.record("was read")
    } catch {
      #expect("\(error)".contains("CamillaDSP") && "\(error)".contains("line 2"))
    }
  }

  @Test func `a configuration of CamillaDSP is read as its pipeline plays it`() throws {
    let text = """
      ---
      # A comment
      title: "Desk # 1"
      devices:
        samplerate: 48000
        capture: { type: Alsa, channels: 2, device: "hw:0" }
      filters:
        pre:
          type: Gain
          parameters: { gain: 0.5, scale: linear }
        low:
          type: Biquad
          parameters:
            type: Lowshelf
            freq: 105   # the centre
            gain: 4.5
            slope: 9
        bw:
          type: Biquad
          parameters:
            type: Peaking
            freq: 900
            gain: -3
            bandwidth: 1
        lr:
          type: BiquadCombo
          parameters:
            type: LinkwitzRileyHighpass
            freq: 40
            order: 6
        right:
          type: Biquad
          parameters: {type: Peaking, freq: 3000, gain: 2, q: 2}
        off:
          type: Biquad
          parameters: {type: Peaking, freq: 5000, gain: 9, q: 2}
        unused:
          type: Biquad
          parameters: {type: Peaking, freq: 6000, gain: 9, q: 2}
      pipeline:
        - type: Filter
          channels: [0, 1]
          names:
            - pre
            - low
            - bw
        - type: Filter
          channel: 0
          names: [lr]
        - type: Filter
          channel: 1
          names: [lr, right]
        - {type: Filter, bypassed: true, names: [off]}
      """
    let result = try equalizer(text, "desk.yml")
    #expect(result.format == .camillaDSP && result.presets.map(\.name.text) == ["Desk # 1"])
    #expect(result.notes.map(\.place) == [.key("filters.unused")])
    let found = try #require(result.presets.first).chain.equalizer
    // S = slope/12 of the cookbook; the bandwidth's digital form; two Butterworth passes of order 3.
    let a = pow(10, 4.5 / 40)
    let shelfQ = 1 / ((a + 1 / a) * (12 / 9.0 - 1) + 2).squareRoot()
    let w = 2 * .pi * 900 / 48_000.0
    let bandQ = 1 / (2 * sinh(log(2) / 2 * w / sin(w)))
    let passes = [1, 1, 0.5].map {
      Prototype(frequency: 40, numerator: (0, 0, 1), denominator: (1, 1 / $0, 1))
    }
    let both = [Prototype.lowShelf(105, 4.5, shelfQ), .peak(900, -3, bandQ)] + passes
    for (channel, filters) in [both, both + [.peak(3_000, 2, 2)]].enumerated() {
      for frequency in [25.0, 60, 105, 500, 900, 1_300, 3_000, 9_000] {
        let value = found.response(at: [frequency], sampleRate: 48_000, channel: channel)[0]
        let expected = filters.reduce(20 * log10(0.5)) { $0 + $1.response(at: frequency) }
        #expect(abs(value - expected) < 1e-6, "\(channel): \(frequency)")
      }
    }
  }

  private static let combinations: [(String, String, [Prototype])] = [
    (
      "FivePointPeq",
      "fls: 100, gls: 2, qls: 0.7, fp1: 300, gp1: -1, qp1: 1, fp2: 900, gp2: 3, qp2: 2, fp3: 2000, gp3: 1, qp3: 0, fhs: 8000, ghs: 0, qhs: 0.7",
      [Prototype.lowShelf(100, 2, 0.7), .peak(300, -1, 1), .peak(900, 3, 2)]
    ),
    ("Tilt", "gain: 0.0", []),
    (
      "ButterworthLowpass", "freq: 1000, order: 4",
      [1.3065629648763766, 0.541196100146197].map {
        Prototype(frequency: 1_000, numerator: (1, 0, 0), denominator: (1, 1 / $0, 1))
      }
    ),
  ]

  @Test(arguments: combinations)
  func `combinations of CamillaDSP become their parts`(type: String, values: String, expected: [Prototype]) throws {
    let text = "filters: {a: {type: BiquadCombo, parameters: {type: \(type), \(values)}}}"
    let result = try PresetImport(Array(text.utf8), format: .camillaDSP, fileName: "x.yml")
    #expect(OddFieldTests.difference(result.presets.first, 0, expected) < 1e-6)
  }

  @Test(arguments: [
    "filters:\n  a: &x\n    type: Biquad", "filters:\n\ta: 1", "filters: [", "filters:\n  a: {type: Biquad",
    "filters:\n  - a\n   - b", "filters: 3", "filters:\n  a: \"x", "pipeline: []",
    "filters:\n  a:\n    type: Biquad\n    parameters: {type: LowpassFO, freq: 100}",
    "filters:\n  a:\n    type: Conv\n    parameters: {type: Raw}",
  ])
  func `a configuration of which nothing can be read is refused`(text: String) {
    #expect(throws: ExchangeError.self) {
      try PresetImport(Array(text.utf8), format: .camillaDSP, fileName: "x.yml")
    }
  }

  @Test(arguments: [
    ("[{\"id\":\"a\",\"name\":\"Rock\",\"gains\":{\"global\":0,\"bands\":[1,2]}}]", "eqMac"),
    ("{\"type\":\"eq\",\"id\":\"x::y\",\"data\":{\"type\":\"parametric_eq\",\"parameters\":{}}}\n{}", "OPRA"),
    ("[{\"name\":\"A\",\"preamp\":-3,\"parametric\":true,\"bands\":[]}]", "Poweramp"),
    ("[Frequencies]\nFrequency1=35\n[Gains]\nGain1=0.2\n[General]\nPreAmp=-6", "Peace"),
    ("biquad1,\nb0=1.0,\nb1=0,\nb2=0,\na1=0,\na2=0", "miniDSP"),
    ("<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC>\n<plist version=\"1.0\"></plist>", "Audio Unit"),
    ((-9..<9).map { "\($0)" }.joined(separator: "\r\n"), "foobar2000"),
  ])
  func `a format that is not read is named`(text: String, name: String) {
    do {
      _ = try PresetImport(Array(text.utf8), fileName: "x.json")
      Issue.record("was read")
    } catch {
      #expect("\(error)".contains(name) && "\(error)".contains("is not read"))
    }
  }

  @Test(arguments: [
    ("Preamp: -1 dB\nFilter 1: ON XX Fc 3 Hz\nFilter 2: ON YY", "none of its 2 filters"), ("Device: all", "no filter"),
    ("eq enabled: on", "no filter"), ("eq filter 0: 1, x, 3, PEAK", "its only filter cannot be read; line 1"),
    ("filter.graph = { nodes = [ { label = bq_odd } ] }", "cannot be read"),
    ("{\"output\":{\"equalizer\":{\"num-bands\":1,\"left\":{\"band0\":{\"type\":\"Odd\"}}}}}", "cannot be read"),
  ])
  func `a file from which no filter is read becomes no preset`(text: String, reason: String) {
    do {
      _ = try PresetImport(Array(text.utf8), fileName: "x")
      Issue.record("was read")
    } catch {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }
}
