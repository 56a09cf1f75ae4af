import Base
import Foundation
import MediaExchange
import MediaModel
import Testing

@Suite("Formats of bands")
struct BandFormatsTests {
  private let desk = [
    try? EqualizerBand(.resonantLowShelf, frequency: 105, gain: 4.5, width: .quality(0.7)),
    try? EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9)),
  ].compactMap(\.self)

  private func preset(_ bands: [EqualizerBand], gain: Double = 0) throws -> Preset {
    Preset(name: try PresetName("Desk"), chain: try EffectChain(equalizer: try Equalizer(bands: bands, gain: gain)))
  }

  @Test func `the example of EasyEffects is read correctly`() throws {
    let result = try PresetImport(Array(PresetFiles.easyEffects.utf8), fileName: "Desk.json")
    #expect(result.format == .easyEffects && result.notes.isEmpty)
    #expect(result.presets == [try preset(desk, gain: -4.5)])
    #expect(result.presets.first?.chain.equalizer == (try Equalizer(bands: desk, gain: -4.5)))
  }

  @Test func `different channels are split, and read back`() throws {
    let bands =
      try desk + [
        EqualizerBand(.bandStop, frequency: 50, width: .quality(30), channels: .left),
        EqualizerBand(.parametric, frequency: 900, gain: 2, width: .quality(2), channels: .right, isBypassed: true),
      ]
    let export = try PresetExport([preset(bands, gain: -50)], as: .easyEffects)
    let again = try #require(PresetImport(export.bytes, fileName: "x.json").presets.first).chain.equalizer
    #expect(again.gain == -50 && export.deviation.maximum < 1e-9)
    #expect(again.bands.filter { $0.channels == .left }.map(\.frequency) == [50, 105, 220])
    #expect(again.bands.filter { $0.channels == .right }.map(\.isBypassed) == [false, false, true])
  }

  @Test func `what a preset cannot hold of EasyEffects is noted`() throws {
    let text = """
      {"output":{"plugins_order":["compressor#0","equalizer#0"],"compressor#0":{"bypass":false},
       "equalizer#0":{"input-gain":"loud","mode":"FFT","balance":-20,"num-bands":4,"split-channels":false,"left":{
        "band0":{"type":"Bell","mode":"BWC (BT)","slope":"x2","gain":3,"frequency":100,"q":1},
        "band1":{"type":"Ladder-pass","mode":"APO (DR)","gain":3,"frequency":100,"q":1},
        "band2":{"type":"Off"}}}}}
      """
    let result = try PresetImport(Array(text.utf8), fileName: "x.json")
    #expect(result.presets.first?.chain.equalizer.bands.count == 1)
    let notes = result.notes.map(\.description).joined(separator: "\n")
    for part in [
      "output.compressor#0: a preset cannot hold this effect", "equalizer#0.input-gain: is not a number",
      "equalizer#0.mode", "equalizer#0.balance", "left.band0.slope",
      "left.band1: a preset cannot hold the type \"Ladder-pass\"", "left.band3: is missing",
      "1 bands of mode \"BWC (BT)\" are read as RLC (BT)",
    ] {
      #expect(notes.contains(part))
    }
  }

  @Test func `the filters of PipeWire are read correctly`() throws {
    let result = try PresetImport(Array(PresetFiles.pipeWire.utf8), fileName: "sink-eq.conf")
    #expect(result.format == .pipeWire && result.notes.isEmpty)
    #expect(result.presets.map(\.name.text) == ["Desk speakers"])
    #expect(result.presets.first?.chain.equalizer == (try Equalizer(bands: desk, gain: -4.5)))
  }

  @Test func `single filters are one chain, or one for each input`() throws {
    let nodes = """
      nodes = [ { name = a label = bq_highpass control = { "Freq" = 80.0 "Q" = 0 } }
                { name = b label = bq_peaking control = { "Freq" = 500 "Q" = 2 "Gain" = -3 } }
                { name = c label = bq_raw } { name = d label = convolver } ]
      """
    let chain = try PresetImport(Array("filter.graph = { \(nodes) }".utf8), format: .pipeWire, fileName: "x.conf")
    #expect(chain.presets.first?.chain.equalizer.bands.map(\.channels) == [.all, .all])
    #expect(chain.presets.first?.chain.equalizer.bands.map(\.shape) == [.highPass, .parametric])
    #expect(chain.notes.count == 3 && chain.notes.contains { $0.text.contains("nothing links the nodes") })
    let split = try PresetImport(
      Array("filter.graph = { \(nodes) inputs = [ \"a:In\" \"b:In\" ] }".utf8), format: .pipeWire, fileName: "x.conf")
    #expect(split.presets.first?.chain.equalizer.bands.map(\.channels) == [.left, .right])
  }

  /// Where other filters have Q, PipeWire's passes have the height of their peak in dB.
  @Test(arguments: [0.8, 1.3, 4, 20])
  func `a pass has the same peak in PipeWire`(quality: Double) throws {
    let band = try EqualizerBand(.resonantLowPass, frequency: 1000, width: .quality(quality))
    let export = try PresetExport([preset([band])], as: .pipeWire)
    let q = String(decoding: export.bytes, as: UTF8.self).split(separator: "q = ").last?.prefix { $0 != " " }
    // The largest magnitude of a second-order low pass.
    let peak = 20 * log10(quality / (1 - 1 / (4 * quality * quality)).squareRoot())
    #expect(try abs(#require(q.flatMap { Double($0) }) - peak) < 1e-4)
    let again = try #require(PresetImport(export.bytes, fileName: "x.conf").presets.first).chain.equalizer.bands
    #expect(try abs(#require(again.first).width.quality / quality - 1) < 1e-3)
  }

  @Test func `a pass without a peak is fitted for PipeWire, with a note`() throws {
    let band = try EqualizerBand(.resonantHighPass, frequency: 100, width: .quality(0.5))
    let export = try PresetExport([preset([band])], as: .pipeWire)
    #expect(export.notes.contains { "\($0)".contains("out of range") })
  }

  @Test func `the programs accept a flat preset`() throws {
    let easyEffects = try PresetExport([preset([])], as: .easyEffects)
    let equalizer = try JSONValue(parsing: easyEffects.bytes)["output"]?["equalizer#0"]
    #expect(equalizer?["num-bands"]?.double == 1 && equalizer?["left"]?["band0"] != nil)
    let pipeWire = try PresetExport([preset([])], as: .pipeWire)
    #expect(String(decoding: pipeWire.bytes, as: UTF8.self).contains("type = bq_highshelf freq = 0 gain = 0 q = 1"))
    for (export, name) in [(easyEffects, "x.json"), (pipeWire, "x.conf")] {
      #expect(try PresetImport(export.bytes, fileName: name).presets.first?.chain.equalizer == .flat)
    }
  }

  @Test func `the caller finds the files that a PipeWire configuration names`() throws {
    let text = "args = { equalizer.filepath = \"/eq/desk.txt\" equalizer.description = \"Desk\" }"
    let result = try PresetImport(Array(text.utf8), fileName: "x.conf") { name, _ in
      name == "/eq/desk.txt" ? IncludedFile(identity: name, bytes: Array(PresetFiles.apo.utf8)) : nil
    }
    #expect(
      result.presets.first?.chain.equalizer.bands.count == 4 && result.presets.first?.chain.equalizer.gain == -4.5)
    #expect(throws: ExchangeError.self) { try PresetImport(Array(text.utf8), fileName: "x.conf") }
  }

  @Test func `the example of Rockbox is read correctly`() throws {
    let result = try PresetImport(Array(PresetFiles.rockbox.utf8), fileName: "desk.cfg")
    #expect(result.format == .rockbox && result.notes.isEmpty)
    let bands = desk + [try EqualizerBand(.resonantHighShelf, frequency: 10_000, gain: -1.5, width: .quality(0.7))]
    #expect(result.presets.first?.chain.equalizer == (try Equalizer(bands: bands, gain: -4.5)))
  }

  @Test func `the older names of Rockbox are known, and other settings are counted`() throws {
    let text =
      "volume: -20\neq low shelf filter: 60, 7, 30\neq peak filter 3: 500, 10, -20\neq high shelf filter: 9000, 7, 10\neq filter 3: 5"
    let result = try PresetImport(Array(text.utf8), format: .rockbox, fileName: "x.cfg")
    #expect(
      result.presets.first?.chain.equalizer.bands.map(\.shape) == [.resonantLowShelf, .parametric, .resonantHighShelf])
    #expect(
      result.notes.map(\.description).joined().contains("1 other settings of the player are ignored: \"volume\""))
    #expect(result.notes.contains { $0.place == .line(5) })
  }

  @Test func `Rockbox gets the names of filters that its released versions read`() throws {
    let bands = [
      try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9)),
      try EqualizerBand(.resonantHighShelf, frequency: 10_000, gain: -1.5, width: .quality(0.7)),
      try EqualizerBand(.parametric, frequency: 3_000, gain: 2, width: .quality(2)),
    ]
    let export = try PresetExport([preset(bands, gain: -4.5)], as: .rockbox)
    // By the ten names of 4.0, each once: the player keeps its setting of a filter that is not named.
    let expected = [
      "eq enabled: on", "eq precut: 45", "eq low shelf filter: 31, 7, 0", "eq peak filter 1: 220, 9, -24",
      "eq peak filter 2: 250, 10, 0", "eq peak filter 3: 500, 10, 0", "eq peak filter 4: 1000, 10, 0",
      "eq peak filter 5: 2000, 10, 0", "eq peak filter 6: 3000, 20, 20", "eq peak filter 7: 4000, 10, 0",
      "eq peak filter 8: 8000, 10, 0", "eq high shelf filter: 10000, 7, -15",
    ]
    let lines = String(decoding: export.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    #expect(Array(lines.dropFirst()) == expected && export.notes.isEmpty)
  }

  @Test func `filters that only new versions of Rockbox have are written with a note`() throws {
    let peaks = try (0..<9).map {
      try EqualizerBand(.parametric, frequency: 100 * Double($0 + 1), gain: 1, width: .quality(4))
    }
    let export = try PresetExport([preset(peaks)], as: .rockbox)
    #expect(export.notes.map(\.text) == ["these types of filters need a Rockbox newer than 4.0; others ignore them"])
    let text = String(decoding: export.bytes, as: UTF8.self)
    #expect(text.contains("\neq filter 8: 900, 40, 10, PEAK\n") && text.contains("\neq filter 9: "))
  }

  @Test func `the ten bands of AutoEq get their exact centres`() throws {
    let result = try PresetImport(Array(PresetFiles.autoEQFixed.utf8), fileName: "Desk FixedBandEQ.txt")
    #expect(result.format == .autoEQFixed && result.presets.map(\.name.text) == ["Desk"])
    let equalizer = try #require(result.presets.first).chain.equalizer
    let gains = [5.5, 0.3, -1.2, -2.0, 0.4, 1.1, -0.8, 2.9, 3.0, -6.1]
    #expect(equalizer == (try GraphicEqualizer.equalizer(sliders: gains, gain: -5.9)))
    #expect(
      String(decoding: try PresetExport(result.presets, as: .autoEQFixed).bytes, as: UTF8.self)
        == PresetFiles.autoEQFixed)
  }

  @Test func `a parametric file is written as AutoEq writes it`() throws {
    let result = try PresetImport(Array(PresetFiles.apo.utf8), fileName: "Desk ParametricEQ.txt")
    let export = try PresetExport(result.presets, as: .autoEQParametric)
    let lines = PresetFiles.apo.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n"
    #expect(String(decoding: export.bytes, as: UTF8.self) == lines)
    #expect(export.notes.isEmpty && export.deviation.maximum < 1e-9)
  }

  @Test func `a graphic file has the 127 points of AutoEq and the curve`() throws {
    let export = try PresetExport([preset(desk, gain: -4.5)], as: .autoEQGraphic)
    let pairs = String(decoding: export.bytes, as: UTF8.self).dropFirst(11).split(separator: ";")
    #expect(pairs.count == 127 && pairs.first?.hasPrefix("20 ") == true && pairs.last?.hasPrefix(" 19871 ") == true)
    #expect(export.deviation.maximum < 0.1)
    let again = try PresetImport(export.bytes, fileName: "x GraphicEQ.txt")
    let equalizer = try #require(again.presets.first).chain.equalizer
    let difference = zip(
      equalizer.response(at: [30, 105, 220, 1_000, 9_000], sampleRate: 48_000),
      try Equalizer(bands: desk, gain: -4.5).response(at: [30, 105, 220, 1_000, 9_000], sampleRate: 48_000))
    for (found, wanted) in difference { #expect(abs(found - wanted) < 0.4) }
  }

  @Test func `bands that a format cannot hold are fitted and noted`() throws {
    var bands = try (0..<14).map {
      try EqualizerBand(
        .parametric, frequency: 60 * pow(1.5, Double($0)), gain: $0.isMultiple(of: 2) ? 3 : -2, width: .quality(2))
    }
    let many = try PresetExport([preset(bands, gain: -6)], as: .rockbox)
    #expect(many.notes.contains { $0.text == "14 bands are more than 10" })
    #expect(many.deviation.maximum > 0.1 && many.deviation.maximum < 4)
    #expect(many.notes.last?.text.contains("the curve was fitted with") == true)
    #expect(String(decoding: many.bytes, as: UTF8.self).contains("\neq peak filter 8: "))
    bands = [try EqualizerBand(.highPass, frequency: 80), try EqualizerBand(.allPass, frequency: 500)]
    let passes = try PresetExport([preset(bands)], as: .autoEQParametric)
    #expect(passes.notes.contains { $0.text.hasPrefix("the high-pass at 80 Hz cannot be written") })
    #expect(passes.notes.contains { $0.text.hasPrefix("the all-pass at 500 Hz changes only the phase") })
    let oneSided = [try EqualizerBand(.parametric, frequency: 500, gain: 6, channels: .left)]
    let mean = try PresetExport([preset(oneSided)], as: .pipeWireFile)
    #expect(mean.notes.contains { $0.text.contains("their mean is written") })
    #expect(abs(mean.deviation.maximum - 3) < 0.3)
    #expect(try PresetExport([preset(oneSided)], as: .pipeWire).deviation.maximum < 0.01)
  }

  @Test func `effects other than the equalizer are noted in every format but our own`() throws {
    let chain = try EffectChain(pitch: 100, reverberation: try Reverberation(.plate, mix: 30), rate: 1.5)
    let preset = Preset(name: try PresetName("All"), chain: chain)
    for format in PresetFormat.allCases {
      let export = try PresetExport([preset], as: format)
      let text = export.notes.map(\.text).joined(separator: "\n")
      let isNamed = ["pitch of 100 cents", "rate of 1.5", "reverb plate"].map(text.contains)
      #expect(isNamed == Array(repeating: format != .json, count: 3))
    }
    #expect(try PresetImport(PresetExport([preset], as: .json).bytes, fileName: "x.json").presets.first?.chain == chain)
  }

  @Test func `the field widths of PipeWire are respected`() throws {
    let bands = try [
      EqualizerBand(.parametric, frequency: 12_345.678, gain: -12.345, width: .quality(12.345)),
      EqualizerBand(.lowShelf, frequency: 99.999, gain: 3),
    ]
    let text = String(decoding: try PresetExport([preset(bands, gain: -1)], as: .pipeWireFile).bytes, as: UTF8.self)
    #expect(text.hasPrefix("Preamp: -1.00 dB\nFilter 1: ON LSC Fc 100 Hz Gain 3.00 dB Q 0.71\n"))
    for line in text.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ")
      #expect(words.count == 12 && words[5].count <= 8 && words[8].count <= 6 && words[11].count <= 6)
    }
  }

  @Test(arguments: [6.0, 24]) func `the global gain does not reduce the range of the bands`(gain: Double) throws {
    let bands = [
      try EqualizerBand(.parametric, frequency: 100, gain: 12, width: .quality(5)),
      try EqualizerBand(.highShelf, frequency: 5000, gain: -60),
    ]
    #expect(try PresetExport([preset(bands, gain: gain)], as: .easyEffects).deviation.maximum < 1)
  }
}
