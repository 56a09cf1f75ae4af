import Foundation
import MediaExchange
import MediaModel
import Testing

@Suite("Formats of ten sliders")
struct SliderFormatsTests {
  private static let winampCenters: [Double] = [60, 170, 310, 600, 1_000, 3_000, 6_000, 12_000, 14_000, 16_000]

  @Test func `the example of Winamp has its gains, within half a step`() throws {
    let result = try PresetImport(PresetFiles.winamp, fileName: "x.eqf")
    let preset = try #require(result.presets.first)
    #expect(preset.name.text == "Warm" && result.notes.isEmpty)
    let equalizer = preset.chain.equalizer
    #expect(equalizer.bands.map(\.frequency) == Self.winampCenters && equalizer.isCompensated)
    for (band, gain) in zip(equalizer.bands, [6.0, 4, 2, 0, -1, -2, 0, 1, 3, 3]) {
      #expect(abs(band.gain - gain) <= 12 / 63.0 + 1e-9)
    }
    #expect(equalizer.bands[3].gain == 0 && abs(equalizer.gain + 4) < 0.2)
    // The same bytes are written again.
    #expect(try PresetExport([preset], as: .winampLibrary).bytes == PresetFiles.winamp)
  }

  @Test func `a library has one preset per record, with names in its code page`() throws {
    var second = Array(PresetFiles.winamp.suffix(268))
    second.replaceSubrange(0..<4, with: [0x43, 0x61, 0x66, 0xE9])
    let result = try PresetImport(PresetFiles.winamp + second + second + [1, 2, 3], fileName: "winamp.q1")
    #expect(result.format == .winampLibrary)
    #expect(result.presets.map(\.name.text) == ["Warm", "Café", "Café (2)"])
    #expect(result.notes.contains { $0.place == .byte(31 + 3 * 268) })
    let again = try PresetExport(result.presets, as: .winampLibrary)
    #expect(again.deviation.maximum < 1e-9)
    #expect(try PresetImport(again.bytes, fileName: "winamp.q1").presets == result.presets)
  }

  @Test func `values above 63 are noted with their offset`() throws {
    var bytes = PresetFiles.winamp
    bytes[31 + 257] = 200
    let result = try PresetImport(bytes, fileName: "x.eqf")
    #expect(result.presets.first?.chain.equalizer.bands.first?.gain == -12)
    #expect(result.notes.map(\.place) == [.byte(288)])
  }

  @Test func `the example of Audacious is read correctly`() throws {
    let result = try PresetImport(Array(PresetFiles.audacious.utf8), fileName: "eq.preset")
    let preset = try #require(result.presets.first)
    #expect(result.format == .audaciousLibrary && preset.name.text == "Warm" && result.notes.isEmpty)
    #expect(preset.chain.equalizer.bands.map(\.gain) == [6, 4, 2, 0, -1, -2, 0, 1, 3, 3])
    #expect(preset.chain.equalizer.gain == -4)
    #expect(
      String(decoding: try PresetExport([preset], as: .audaciousLibrary).bytes, as: UTF8.self) == PresetFiles.audacious)
    let single = try PresetExport([preset], as: .audacious).bytes
    #expect(String(decoding: single, as: UTF8.self).hasPrefix("[Equalizer preset]\nPreamp=-4\n"))
    #expect(try PresetImport(single, fileName: "Mild.preset").presets.map(\.name.text) == ["Mild"])
  }

  @Test func `what a file of Audacious lacks is noted`() throws {
    let text = "[Presets]\nPreset0=A\nPreset1=B\n[A]\nPreamp=x\nBand0=3\nColour=red\n[Odd]\nx=1\n"
    let result = try PresetImport(Array(text.utf8), fileName: "eq.preset")
    #expect(result.presets.map(\.name.text) == ["A"])
    let notes = result.notes.map(\.description).joined(separator: "\n")
    for part in [
      "line 5: preamp is \"x\"", "band9 is missing", "line 7: \"colour\"", "line 8: the section \"Odd\"",
      "\"B\" is listed",
    ] {
      #expect(notes.contains(part))
    }
  }

  @Test func `options of VLC are read correctly`() throws {
    let result = try PresetImport(Array(PresetFiles.vlc.utf8), fileName: "vlcrc")
    let equalizer = try #require(result.presets.first).chain.equalizer
    #expect(result.format == .vlc && result.notes.isEmpty)
    #expect(equalizer.bands.map(\.gain) == [6, 4, 2, 0, -1, -2, 0, 1, 3, 3])
    // In VLC, 12 dB means no change.
    #expect(equalizer.gain == -4)
    #expect(equalizer.bands.map(\.frequency) == Self.winampCenters)
  }

  @Test func `typed options, named presets, ISO frequencies and two passes are read`() throws {
    func read(_ text: String) throws -> PresetImport {
      try PresetImport(Array(text.utf8), format: .vlc, fileName: "x")
    }
    let typed = try read(
      "vlc --audio-filter=equalizer --equalizer-bands \"1 2 3 4 5 6 7 8 9 10\" --no-equalizer-vlcfreqs --equalizer-preamp=12 a.mp3"
    )
    #expect(typed.presets.first?.chain.equalizer.bands.map(\.gain) == (1...10).map(Double.init))
    #expect(typed.presets.first?.chain.equalizer.bands.first?.frequency == 31.25)
    #expect(typed.presets.first?.chain.equalizer.gain == 0)
    let named = try read("equalizer-preset=techno")
    #expect(named.presets.first?.name.text == "techno" && named.presets.first?.chain.equalizer.gain == -7)
    #expect(named.presets.first?.chain.equalizer.bands.first?.gain == 8)
    let twice = try read("equalizer-bands=1 1 1 1 1 1 1 1 1 1\nequalizer-2pass=1")
    #expect(twice.presets.first?.chain.equalizer.bands.first?.gain == 2)
    #expect(twice.presets.first?.chain.equalizer.gain == 0)
    #expect(twice.notes.count == 1)
    let lower = try read("equalizer-bands=1 1 1 1 1 1 1 1 1 1\nequalizer-2pass=1\nequalizer-preamp=6")
    #expect(lower.presets.first?.chain.equalizer.gain == -12)
    #expect(throws: ExchangeError.self) { try read("equalizer-preset=nosuch") }
  }

  @Test(arguments: [PresetFormat.winamp, .audacious, .vlc, .autoEQFixed])
  func `any equalizer becomes sliders, and the deviation is reported`(format: PresetFormat) throws {
    let bands = [
      try EqualizerBand(.resonantLowShelf, frequency: 120, gain: 5, width: .quality(0.7)),
      try EqualizerBand(.parametric, frequency: 2_000, gain: -4, width: .quality(1)),
      try EqualizerBand(.allPass, frequency: 500, width: .quality(1)),
    ]
    let preset = Preset(
      name: try PresetName("Odd"), chain: try EffectChain(equalizer: try Equalizer(bands: bands, gain: -5)))
    let result = try PresetExport([preset], as: format)
    #expect(result.notes.contains { $0.text.contains("all-pass at 500 Hz") })
    #expect(result.notes.contains { $0.text.contains("became ten") })
    #expect(result.deviation.maximum > 0.05 && result.deviation.maximum < 6)
    // The reported deviation is that of the file.
    let again = try #require(PresetImport(result.bytes, format: format, fileName: "x").presets.first)
    let grid = (0...480).map { 20 * pow(1_000, Double($0) / 480) }
    let before = preset.chain.equalizer.response(at: grid, sampleRate: 48_000)
    let after = again.chain.equalizer.response(at: grid, sampleRate: 48_000)
    let worst = zip(before, after).map { abs($0 - $1) }.max() ?? 0
    #expect(abs(worst - result.deviation.maximum) < 0.05)
  }

  @Test func `equal sliders give a nearly flat curve`() throws {
    let text = "equalizer-bands=6 6 6 6 6 6 6 6 6 6\n"
    let equalizer = try #require(PresetImport(Array(text.utf8), fileName: "x").presets.first).chain.equalizer
    let grid = (0...200).map { 60 * pow(16_000 / 60.0, Double($0) / 200) }
    let response = equalizer.response(at: grid, sampleRate: 44_100)
    #expect((response.max() ?? 0) < 6.4 && (response.min() ?? 0) > 5.2)
  }

  @Test func `octave sliders are written for VLC unchanged`() throws {
    let sliders = [3.0, 2, 1, 0, 0, 0, -1, -1, 0, 1]
    let preset = Preset(
      name: try PresetName("G"),
      chain: try EffectChain(equalizer: try GraphicEqualizer.equalizer(sliders: sliders, gain: -3)))
    let text = String(decoding: try PresetExport([preset], as: .vlc).bytes, as: UTF8.self)
    #expect(text.contains("equalizer-bands=3 2 1 0 0 0 -1 -1 0 1\n"))
    #expect(text.contains("equalizer-preamp=9\n") && text.contains("equalizer-vlcfreqs=0\n"))
  }
}
