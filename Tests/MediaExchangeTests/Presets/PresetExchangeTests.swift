import Foundation
import MediaExchange
import MediaModel
import Testing
import TestSupport

@Suite("Exchange of presets")
struct PresetExchangeTests {
  @Test(arguments: PresetFiles.all.indices)
  func `formats are recognized by their content`(index: Int) throws {
    let file = PresetFiles.all[index]
    #expect(PresetFormat.detect(file.bytes, fileName: file.name) == file.format)
    #expect(try PresetImport(file.bytes, fileName: file.name).format == file.format)
  }

  @Test func `other files are refused`() {
    for text in ["", "hello", "{}", "[1, 2]", "<html>", "%PDF-1.4", "#EXTM3U\nsong.mp3"] {
      #expect(throws: ExchangeError.self) { try PresetImport(Array(text.utf8), fileName: "x.txt") }
    }
    #expect(throws: ExchangeError.self) { try PresetImport([UInt8](repeating: 0x41, count: 5 << 20), fileName: "x") }
  }

  @Test(arguments: PresetFormat.allCases)
  func `a flat preset is read back from every format`(format: PresetFormat) throws {
    let flat = Preset(name: try PresetName("Flat one"), chain: try EffectChain(equalizer: try Equalizer(bands: [])))
    let export = try PresetExport([flat], as: format)
    let again = try PresetImport(export.bytes, format: format, fileName: "Flat one.txt")
    #expect(difference(flat.chain.equalizer, try #require(again.presets.first).chain.equalizer) == 0)
  }

  @Test(arguments: PresetFormat.allCases)
  func `the number of bands can be limited in formats with free bands, and only there`(format: PresetFormat) throws {
    let bands = try (0..<6).map { number in
      try EqualizerBand(
        .parametric, frequency: 60 * exp2(Double(number)), gain: number.isMultiple(of: 2) ? 6 : -6, width: .quality(2))
    }
    let preset = Preset(name: try PresetName("Six"), chain: try EffectChain(equalizer: try Equalizer(bands: bands)))
    let all = try PresetExport([preset], as: format)
    let few = try PresetExport([preset], as: format, maximumBandCount: 2)
    #expect((few.bytes != all.bytes) == format.hasFreeBands)
  }

  @Test func `a Rockbox filter of unknown type is noted`() throws {
    let text = "eq enabled: on\neq odd shelf filter: 60, 7, 30\neq filter 0: 105, 7, 45, LOW_SHELF\n"
    let read = try PresetImport(Array(text.utf8), fileName: "x.cfg")
    #expect(read.notes.contains { "\($0)".contains("odd") })
    #expect(try #require(read.presets.first).chain.equalizer.bands.count == 1)
  }

  /// What a format may lose: the largest difference of the curves in decibels.
  private static let tolerances: [PresetFormat: Double] = [
    .json: 0, .apo: 0.01, .easyEffects: 0.01, .pipeWire: 0.01, .camillaDSP: 1e-4, .autoEQParametric: 1,
    .pipeWireFile: 0.2, .rockbox: 5,
  ]

  @Test(arguments: UInt64(1)...40)
  func `random presets are read back within the precision of a format`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    let bands = try (0..<Int.random(in: 0...9, using: &random)).map { _ in
      let shape =
        [FilterShape.parametric, .resonantLowShelf, .resonantHighShelf].randomElement(using: &random) ?? .parametric
      return try EqualizerBand(
        shape, frequency: exp2(.random(in: 5...13.8, using: &random)), gain: .random(in: -12...12, using: &random),
        width: .quality(.random(in: 0.4...(shape == .parametric ? 6 : 1), using: &random)))
    }
    let preset = Preset(
      name: try PresetName("Seed \(seed)"),
      chain: try EffectChain(equalizer: try Equalizer(bands: bands, gain: .random(in: -20...0, using: &random))))
    for (format, tolerance) in Self.tolerances {
      let export = try PresetExport([preset], as: format)
      let again = try PresetImport(export.bytes, format: format, fileName: "Seed \(seed).txt")
      #expect(again.notes.isEmpty, "\(format)")
      let equalizer = try #require(again.presets.first).chain.equalizer
      #expect(equalizer.bands.count { abs($0.gain) > 0.05 } >= bands.count { abs($0.gain) > 0.2 }, "\(format)")
      let worst = difference(preset.chain.equalizer, equalizer)
      #expect(worst <= tolerance, "\(format)")
      #expect(abs(worst - export.deviation.maximum) < 0.1, "\(format)")
      // Once stored, nothing more is lost.
      let second = try PresetExport(again.presets, as: format)
      #expect(second.bytes == export.bytes || format == .json, "\(format)")
    }
  }

  @Test(arguments: UInt64(1)...30, [PresetFormat.apo, .camillaDSP])
  func `all that a preset can hold is read back`(seed: UInt64, format: PresetFormat) throws {
    var random = RepeatableRandom(seed: seed)
    let bands = try (0..<20).map { _ in
      try EqualizerBand(
        FilterShape.allCases.randomElement(using: &random) ?? .parametric,
        frequency: Double(Int.random(in: 10_000...200_000_000, using: &random)) / 10_000,
        gain: Double(Int.random(in: -960_000...240_000, using: &random)) / 10_000,
        width: .quality(Double(Int.random(in: 1_000...1_000_000, using: &random)) / 10_000),
        channels: BandChannels.allCases.randomElement(using: &random) ?? .all, isBypassed: .random(using: &random))
    }
    let preset = Preset(
      name: try PresetName("APO"), chain: try EffectChain(equalizer: try Equalizer(bands: bands, gain: -12.3456)))
    let export = try PresetExport([preset], as: format)
    #expect(export.notes.isEmpty)
    let again = try PresetImport(export.bytes, format: format, fileName: "APO.txt")
    #expect(again.notes.isEmpty)
    #expect(again.presets.first?.chain.equalizer == preset.chain.equalizer)
  }

  @Test(arguments: UInt64(1)...20)
  func `sliders are read back as they were stored`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    let values = (0..<10).map { _ in Double(Int.random(in: -120...120, using: &random)) / 10 }
    let text =
      "equalizer-bands=\(values.map { "\($0)" }.joined(separator: " "))\nequalizer-preamp=\(Double(Int(seed)) / 2)"
    let preset = try #require(PresetImport(Array(text.utf8), fileName: "x").presets.first)
    for format in [PresetFormat.vlc, .audacious, .audaciousLibrary, .winamp, .winampLibrary] {
      let export = try PresetExport([preset], as: format)
      let again = try #require(PresetImport(export.bytes, format: format, fileName: "x").presets.first)
      let found = again.chain.equalizer.bands.map(\.gain)
      let step = format == .winamp || format == .winampLibrary ? 18 / 63.0 + 1e-9 : 1e-9
      for (value, wanted) in zip(found, values) { #expect(abs(value - wanted) <= step) }
      #expect(try PresetExport([again], as: format).bytes == export.bytes)
    }
  }

  @Test func `several presets need a library`() throws {
    let presets = try ["A", "B"].map { Preset(name: try PresetName($0), chain: .neutral) }
    for format in PresetFormat.allCases {
      if format.isLibrary {
        let bytes = try PresetExport(presets, as: format).bytes
        #expect(try PresetImport(bytes, format: format, fileName: "x").presets.map(\.name.text) == ["A", "B"])
      } else {
        #expect(throws: ExchangeError.self) { try PresetExport(presets, as: format) }
      }
    }
  }

  @Test(arguments: PresetFiles.all.indices)
  func `damaged files give notes or errors, never a trap`(index: Int) throws {
    let file = PresetFiles.all[index]
    var random = RepeatableRandom(seed: UInt64(index) + 100)
    let pieces = [
      "\u{0}", "{", "}", "[", "]", "\"", ":", ";", "=", "-", "1e308", "1e999", "NaN", "99999999999999999999", "\n",
      "\r\n", "dB", "`", ",",
    ]
    for round in 0..<150 {
      var bytes = file.bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where place < bytes.count: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + .random(in: 0...40, using: &random)))
        case 2: bytes.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").utf8, at: place)
        case 3: bytes.removeSubrange(place...)
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 60)], at: place)
        }
      }
      // Each round fits a curve again, which takes time and shows nothing new.
      if file.format == .autoEQGraphic, round > 15 { break }
      for format in [nil, file.format] {
        guard let result = try? PresetImport(bytes, format: format, fileName: file.name, maximumBandCount: 4) else {
          continue
        }
        #expect(!result.presets.isEmpty)
        #expect(Set(result.presets.map(\.name)).count == result.presets.count)
      }
    }
  }

  @Test func `any file is refused or read as any format`() throws {
    for file in PresetFiles.all {
      for format in PresetFormat.allCases {
        guard let result = try? PresetImport(file.bytes, format: format, fileName: "x", maximumBandCount: 4) else {
          continue
        }
        #expect(!result.presets.isEmpty)
      }
    }
    for depth in [100, 100_000] {
      for mark in ["{\"a\":", "[", "{a=", "{\"output\":{\"equalizer#0\":"] {
        let bytes = Array(String(repeating: mark, count: depth).utf8)
        for format in [PresetFormat.json, .easyEffects, .pipeWire] {
          #expect(throws: ExchangeError.self) { try PresetImport(bytes, format: format, fileName: "x") }
        }
      }
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "[]\n", "[a]\nPreamp=0\n", "Filter: ON PK Fc 100 Hz Gain 1 dB Q 1\n", "Preamp: 1 dB\n", "GraphicEQ: 1 1\n",
      "1e-320 1; ",
      "--equalizer-bands 1 ", "equalizer-bands=1\n", "eq filter 0: 1, 2, 3, PEAK\n", "Include: x\n", "If: x\n", "`",
      "9", "\n", "\r",
    ])
  func `large repetitive files are read in bounded time`(piece: String) throws {
    let text = String(repeating: piece, count: (1 << 18) / piece.utf8.count)
    for start in ["", "GraphicEQ: 20 1; ", "Preamp: 1 dB\n"] {
      let result = try? PresetImport(Array((start + text).utf8), fileName: "x", maximumBandCount: 2)
      #expect(result?.presets.isEmpty != true)
    }
  }

  @Test func `notes beyond the limit are only counted`() throws {
    let text =
      "Filter: ON PK Fc 100 Hz Gain 3 dB Q 1\n" + String(repeating: "Filter: ON XX\n", count: 5_000)
    let result = try PresetImport(Array(text.utf8), fileName: "x.txt")
    #expect(result.notes.count == 1_001 && result.notes.last?.text == "and 4000 more")
  }

  private func difference(_ first: Equalizer, _ second: Equalizer) -> Double {
    let grid = (0...480).map { 20 * pow(1_000, Double($0) / 480) }
    return [0, 1].flatMap { channel in
      zip(
        first.response(at: grid, sampleRate: 48_000, channel: channel),
        second.response(at: grid, sampleRate: 48_000, channel: channel)
      ).map { abs($0 - $1) }
    }.max() ?? 0
  }
}
