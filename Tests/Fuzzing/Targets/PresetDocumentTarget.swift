internal import MediaModel

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
