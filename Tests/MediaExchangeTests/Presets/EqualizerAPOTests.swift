import Foundation
import MediaExchange
import MediaModel
import Testing

@Suite("Equalizer APO")
struct EqualizerAPOTests {
  private func read(_ text: String, find: @escaping IncludedFile.Finder = { _, _ in nil }) throws -> PresetImport {
    try PresetImport(Array(text.utf8), format: .apo, fileName: "config.txt", find: find)
  }

  private func bands(_ text: String) throws -> [EqualizerBand] {
    try #require(read(text).presets.first).chain.equalizer.bands
  }

  @Test func `the example is read correctly`() throws {
    let result = try read(PresetFiles.apo)
    let equalizer = try #require(result.presets.first).chain.equalizer
    #expect(equalizer.gain == -4.5)
    #expect(
      equalizer.bands == [
        try EqualizerBand(.resonantLowShelf, frequency: 105, gain: 4.5, width: .quality(0.7)),
        try EqualizerBand(.parametric, frequency: 220, gain: -2.4, width: .quality(0.9)),
        try EqualizerBand(.parametric, frequency: 2_900, gain: 3.6, width: .quality(1.8)),
        try EqualizerBand(.resonantHighShelf, frequency: 10_000, gain: -1.5, width: .quality(0.7)),
      ])
    #expect(abs(equalizer.peakResponse(sampleRate: 48_000) + 0.03) < 0.01)
    #expect(result.notes.isEmpty)
  }

  @Test(arguments: [
    ("PK Fc 100 Hz Gain 3 dB BW Oct 0.5", FilterShape.parametric, FilterWidth.octaves(0.5)),
    ("PEQ Fc100Hz Gain 3dB Q2", .parametric, .quality(2)),
    ("Modal Fc 100 Hz Gain 3 dB Q 8", .parametric, .quality(8)),
    ("LP Fc 100 Hz", .lowPass, .quality(0.5.squareRoot())),
    ("HP Fc 100 Hz", .highPass, .quality(0.5.squareRoot())),
    ("LPQ Fc 100 Hz Q 3", .resonantLowPass, .quality(3)),
    ("HPQ Fc 100 Hz", .resonantHighPass, .quality(0.5.squareRoot())),
    ("BP Fc 100 Hz", .bandPass, .quality(0.5.squareRoot())),
    ("BP Fc 100 Hz BW Oct 2", .bandPass, .octaves(2)),
    ("NO Fc 100 Hz", .bandStop, .quality(30)),
    ("AP Fc 100 Hz Q 1.5", .allPass, .quality(1.5)),
    ("LSC 12 dB Fc 100 Hz Gain 3 dB", .lowShelf, .quality(0.5.squareRoot())),
    ("HSC Fc 100 Hz Gain 3 dB Q 0.6", .resonantHighShelf, .quality(0.6)),
    ("HP Fc 100 Hz Q 0.5", .resonantHighPass, .quality(0.5)),
    ("LP Fc 0.1 kHz Q 0", .lowPass, .quality(0.5.squareRoot())),
    ("LP Fc 100 Hz BW Oct 1.5", .resonantLowPass, .octaves(1.5)), ("NO Fc 100 Hz BW Oct 1.8", .bandStop, .octaves(1.8)),
    ("NO Fc 100 Hz Q 0", .bandStop, .quality(30)),
  ])
  func `every type is read`(text: String, shape: FilterShape, width: FilterWidth) throws {
    let result = try read("Filter: ON \(text)")
    let band = try #require(result.presets.first?.chain.equalizer.bands.first)
    #expect(band.shape == shape && band.frequency == 100 && band.width == width && !band.isBypassed)
    #expect(band.gain == (shape.hasGain ? 3 : 0))
    #expect(result.notes.isEmpty)
  }

  @Test(arguments: [("1k", 1_000.0), ("2k Hz", 2_000), ("1.5K", 1_500), ("1,25kHz", 1_250), ("0.1 k", 100)])
  func `a k stands for thousand`(text: String, frequency: Double) throws {
    let result = try read("Filter 1: ON PK Fc \(text) Gain 3 dB Q 1")
    #expect(result.presets.first?.chain.equalizer.bands.map(\.frequency) == [frequency])
    #expect(result.notes.isEmpty)
  }

  @Test func `a frequency of two parts is refused`() throws {
    let result = try read("Filter: ON PK Fc 1k5 Gain 3 dB Q 1\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1")
    #expect(result.presets.first?.chain.equalizer.bands.map(\.frequency) == [100])
    #expect(result.notes.contains { $0.text.contains("1k5") })
  }

  @Test func `a k stands for thousand in a curve, too`() throws {
    func response(_ text: String) throws -> [Double] {
      let preset = try #require(try read(text).presets.first)
      return preset.chain.equalizer.response(at: [100, 1_000, 8_000], sampleRate: 48_000, channel: 0).map { Double($0) }
    }
    let plain = try response("GraphicEQ: 20 0; 1000 6; 10000 -3; 20000 0")
    #expect(try response("GraphicEQ: 20 0; 1k 6; 10K -3; 20k 0") == plain)
  }

  @Test func `the corner frequency of a shelf is converted to where half the gain is reached`() throws {
    // S = slope/12, centre = Fc · 10^(|gain|/80/S), by hand.
    let low = try #require(bands("Filter: ON LS 6dB Fc 100 Hz Gain -8 dB").first)
    #expect(abs(low.frequency - 100 * pow(10, 8.0 / 80 / 0.5)) < 1e-9)
    #expect(abs(low.width.quality - FilterWidth.shelfQuality(slope: 0.5, gain: -8)) < 1e-12)
    let high = try #require(bands("Filter: ON HS 12 dB Fc 5000 Hz Gain 8 dB").first)
    #expect(abs(high.frequency - 5_000 / pow(10, 8.0 / 80)) < 1e-9 && high.shape == .highShelf)
    // Without a slope the frequency is the centre, and S is 0.9.
    let plain = try #require(bands("Filter: ON LS Fc 100 Hz Gain 8 dB").first)
    #expect(plain.frequency == 100)
    #expect(abs(plain.width.quality - FilterWidth.shelfQuality(slope: 0.9, gain: 8)) < 1e-12)
    // By Q: S of the cookbook.
    let byQ = try #require(bands("Filter: ON HS Fc 1000 Hz Gain 6 dB Q 0.5").first)
    let slope = FilterWidth.shelfSlope(quality: 0.5, gain: 6)
    #expect(abs(byQ.frequency - 1_000 / pow(10, 6.0 / 80 / slope)) < 1e-9 && byQ.width == .quality(0.5))
  }

  @Test(arguments: [
    ("1.250", 1250.0), ("31.25", 31.25), ("1,250", 1250), ("62,5", 62.5), ("12.500", 12_500), ("1.25", 1.25),
    ("1\u{A0}250", 1250), ("2e3", 2000), ("105.0000", 105), ("1.0e3", 1000), ("1.25e1", 12.5), ("2 500", 2500),
    ("12 500.5", 12_500.5),
  ])
  func `frequencies are read as Room EQ Wizard writes them`(text: String, frequency: Double) throws {
    #expect(try bands("Filter 7: ON PK Fc \(text) Hz Gain 1 dB Q 1").first?.frequency == frequency)
  }

  @Test func `commas, units in lower case and unknown lines are accepted`() throws {
    let result = try read(
      "Preamp: -4,5 db\r\nNotes: none\rPreamp: 1 dB\nFilter  1: ON  None\nFilter 2: OFF PK Fc 50 Hz Gain 2,5 db Q 1")
    let equalizer = try #require(result.presets.first).chain.equalizer
    #expect(equalizer.gain == -3.5)
    #expect(equalizer.bands.map(\.isBypassed) == [true] && equalizer.bands.first?.gain == 2.5)
    #expect(result.notes.map(\.description) == ["line 2: \"Notes\" is not a command"])
  }

  @Test func `a bandwidth counts rather than a Q beside it`() throws {
    let result = try read("Filter 1: ON PK Fc 500 Hz Gain 3 dB Q 2 BW Oct 1")
    #expect(result.presets.first?.chain.equalizer.bands.first?.width == .octaves(1))
    #expect(result.notes.map(\.description) == ["line 1: Filter: Q beside BW means nothing for PK; ignored"])
  }

  @Test func `channels are selected, and each keeps its own gain`() throws {
    let result = try read(
      """
      Channel: L
      Preamp: -2 dB
      Filter: ON PK Fc 100 Hz Gain 3 dB Q 1
      Channel: 2 C
      Filter: ON PK Fc 200 Hz Gain 3 dB Q 1
      Channel: LFE
      Filter: ON PK Fc 300 Hz Gain 3 dB Q 1
      Channel: all
      Filter: ON PK Fc 400 Hz Gain 3 dB Q 1
      """)
    let equalizer = try #require(result.presets.first).chain.equalizer
    #expect(equalizer.bands.dropFirst().map(\.channels) == [.left, .right, .all])
    let levels = [0, 1].map { equalizer.response(at: [9_000], sampleRate: 48_000, channel: $0)[0] }
    #expect(abs(levels[0] + 2) < 0.01 && abs(levels[1]) < 0.01)
    let text = result.notes.map(\.description)
    #expect(text.contains("line 4: Channel: a preset has only left and right, not C"))
    #expect(text.contains("line 7: Filter: for channels that a preset does not have; ignored"))
    #expect(text.contains { $0.contains("left channel is 2 dB quieter") })
  }

  @Test func `included files are read in place, with their own channels and line numbers`() throws {
    let files = [
      "rooms\\study.txt": "Channel: R\nFilter: ON PK Fc 500 Hz Gain 1 dB Q 1\nFilter: ON XX Fc 3 Hz"
    ]
    let result = try read("Include: rooms\\study.txt\nFilter: ON PK Fc 600 Hz Gain 1 dB Q 1") { name, _ in
      files[name].map { IncludedFile(identity: name, bytes: Array($0.utf8)) }
    }
    #expect(result.presets.first?.chain.equalizer.bands.map(\.channels) == [.right, .all])
    #expect(
      result.notes.map(\.description) == [
        "rooms\\study.txt, line 3: Filter: the filter type \"XX\" is unknown; ignored"
      ])
  }

  @Test func `circular and endless chains of files end`() throws {
    var count = 0
    let circle = try read("Include: a\nPreamp: -1 dB") { name, _ in
      count += 1
      return IncludedFile(identity: name, bytes: Array("Include: b\nInclude: a".utf8))
    }
    #expect(circle.notes.contains { $0.text.contains("includes itself") } && count < 10)
    let itself = try PresetImport(
      Array("Preamp: -1 dB\nInclude: me".utf8), format: .apo, fileName: "me", identity: "me"
    ) { name, _ in IncludedFile(identity: name, bytes: Array("Preamp: -1 dB".utf8)) }
    #expect(itself.presets.first?.chain.equalizer.gain == -1 && itself.notes.map(\.place) == [.line(2)])
    let chain = try read("Include: 0\nPreamp: -1 dB") { name, _ in
      IncludedFile(identity: name, bytes: Array("Include: \((Int(name) ?? 0) + 1)".utf8))
    }
    #expect(chain.notes.contains { $0.text.contains("nested more than 100 deep") })
    // Each file names two others of the next level: 2^100 files.
    var level = 0
    let tree = try read("Include: x\nPreamp: -1 dB") { name, _ in
      level += 1
      return IncludedFile(identity: "\(level)", bytes: Array("Include: l\nInclude: r".utf8))
    }
    #expect(
      tree.notes.contains { $0.text.contains("too many files") } && tree.presets.first?.chain.equalizer.gain == -1)
  }

  @Test func `what a preset cannot hold is noted`() throws {
    let result = try read(
      """
      Device: Speakers
      Filter: ON PK Fc 100 Hz Gain 3 dB Q 1
      Copy: L=0.5*L+0.5*R
      Delay: 3 ms
      Convolution: hall.wav
      If: sampleRate == 48000
      Filter: ON PK Fc 200 Hz Gain 3 dB Q 1
      EndIf:
      Filter: ON PK Fc `f` Hz Gain 3 dB Q 1
      Filter: ON IIR Order 2 Coefficients 1 0 0 1 0 0
      Device: Headphones
      Filter: ON PK Fc 300 Hz Gain 3 dB Q 1
      """)
    #expect(result.presets.first?.chain.equalizer.bands.map(\.frequency) == [100])
    let text = result.notes.map(\.description).joined(separator: "\n")
    for part in [
      "line 1: Device", "line 3: Copy", "line 4: Delay", "line 5: Convolution", "line 6: If", "1 lines up to EndIf",
      "line 9: Filter: an expression", "line 10: Filter: a filter with given coefficients",
      "line 12: Filter: for another device",
    ] {
      #expect(text.contains(part))
    }
  }

  @Test(arguments: [
    "PK Fc 100 Hz Gain 3 dB", "PK Gain 3 dB Q 1", "PK Fc abc Hz Gain 3 dB Q 1", "PK Fc 1e999 Hz Gain 3 dB Q 1",
    "PK Fc 0 Hz Gain 3 dB Q 1", "PK Fc -5 Hz Gain 3 dB Q 1", "AP Fc 100 Hz", "pk Fc 100 Hz Gain 3 dB Q 1",
    "LSC 0 dB Fc 1 Hz Gain 2 dB", "PK Fc 2 50 Hz Gain 3 dB Q 1", "PK Fc 2500 000 Hz Gain 3 dB Q 1",
    "PK Fc 100 Hz Gain 3 5 dB Q 1", "PK Fc 100 Hz Gain 3 dB Q 0",
  ])
  func `an impossible filter is noted and left out`(text: String) throws {
    let result = try read("Preamp: -1 dB\nFilter: ON \(text)\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1")
    #expect(result.presets.first?.chain.equalizer.bands.count == 1)
    #expect(result.notes.count == 1 && result.notes.first?.place == .line(2))
    #expect(throws: ExchangeError.self) { try read("Preamp: -1 dB\nFilter: ON \(text)") }
  }

  @Test func `values out of range are clamped and noted`() throws {
    let result = try read("Preamp: 60 dB\nFilter: ON PK Fc 100 Hz Gain 40 dB Q 1000")
    let equalizer = try #require(result.presets.first).chain.equalizer
    #expect(equalizer.gain == 24 && equalizer.bands.first?.gain == 24 && equalizer.bands.first?.width == .quality(100))
    #expect(result.notes.count == 3)
  }

  @Test func `a curve becomes bands, and its deviation is noted`() throws {
    let result = try PresetImport(Array(PresetFiles.autoEQGraphic.utf8), fileName: "Some Phones GraphicEQ.txt")
    #expect(result.format == .autoEQGraphic)
    #expect(result.presets.map(\.name.text) == ["Some Phones"])
    #expect(result.notes.count == 1)
    #expect(result.notes.first?.text.contains("a curve of 127 points became") == true)
    #expect(result.notes.first?.text.contains("dB off") == true)
  }

  @Test func `the curves of both channels are fitted separately`() throws {
    let result = try read(
      "Channel: L\nGraphicEQ: 20 -3; 20000 -3\nChannel: R\nGraphicEQ: 100 0; 1000 6, 10000 0; 20000 0")
    let equalizer = try #require(result.presets.first).chain.equalizer
    let left = equalizer.response(at: [1_000], sampleRate: 48_000, channel: 0)[0]
    #expect(abs(left + 3) < 0.1)
    #expect(result.notes.contains { $0.text.contains("is not a point of a curve") })
  }

  @Test func `text in other encodings is read`() throws {
    let text = "Preamp: -3 dB\r\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1"
    let wide: [UInt8] =
      [0xFF, 0xFE] + text.utf16.flatMap { unit -> [UInt8] in [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    #expect(try PresetImport(wide, fileName: "c.txt").presets.first?.chain.equalizer.gain == -3)
    let latin = Array("# caf".utf8) + [0xE9, 0x0A] + Array(text.utf8)
    #expect(try PresetImport(latin, fileName: "c.txt").presets.first?.chain.equalizer.bands.count == 1)
    #expect(try PresetImport([0xEF, 0xBB, 0xBF] + Array(text.utf8), fileName: "c.txt").notes.isEmpty)
  }

  @Test func `commands on one line are read one by one`() throws {
    let text = PresetFiles.apo.split(separator: "\n").dropFirst().joined(separator: " ")
    let result = try PresetImport(Array(text.utf8), fileName: "config.txt")
    #expect(result.presets.map(\.chain) == (try read(PresetFiles.apo)).presets.map(\.chain))
    #expect(result.notes.map(\.text) == ["5 commands on one line are read one by one"])
    // Words that only look like commands begin none.
    let plain = try read("Preamp: -1 dB\nDevice: Low Filter 1: x\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1")
    #expect(plain.presets.first?.chain.equalizer.bands.count == 1 && plain.notes.count == 1)
  }

  @Test func `a file without any command is refused`() {
    #expect(throws: ExchangeError.self) { try read("hello\nworld: 3") }
    #expect(throws: ExchangeError.self) { try read("") }
  }
}
