internal import Base
internal import MediaModel

/// Presets of EasyEffects, and of PulseEffects before it: JSON documents with an equalizer among their effects.
enum EasyEffectsPreset {
  /// The mode in which the filters are those of the Audio EQ Cookbook.
  static let mode = "APO (DR)"
  /// For writing, the first name of a shape counts.
  static let types: [(name: String, shape: FilterShape)] = [
    ("Bell", .parametric), ("Hi-pass", .resonantHighPass), ("Hi-shelf", .resonantHighShelf),
    ("Lo-pass", .resonantLowPass), ("Lo-shelf", .resonantLowShelf), ("Notch", .bandStop), ("Allpass", .allPass),
    ("Bandpass", .bandPass), ("Resonance", .parametric),
  ]
  /// The range of the input gain, and of the output gain.
  private static let gains = -36.0...36.0

  static func write(_ equalizer: Equalizer) -> [UInt8] {
    let isSplit = equalizer.bands.contains { $0.channels != .all }
    let left = equalizer.bands.filter { $0.channels.contains(0) }
    let right = equalizer.bands.filter { $0.channels.contains(1) }
    // EasyEffects refuses a preset without bands.
    let count = max(1, left.count, right.count)
    let input = min(max(equalizer.gain, gains.lowerBound), gains.upperBound)
    let plugin = JSONValue.object([
      "bypass": .bool(false), "input-gain": .number(input), "output-gain": .number(equalizer.gain - input),
      "mode": .string("IIR"), "split-channels": .bool(isSplit), "balance": .number(0), "pitch-left": .number(0),
      "pitch-right": .number(0), "num-bands": .integer(count), "left": side(left, count: count),
      "right": side(right, count: count),
    ])
    let document = JSONValue.object([
      "output": .object([
        "blocklist": .array([]), "plugins_order": .array([.string("equalizer#0")]), "equalizer#0": plugin,
      ])
    ])
    return Array((document.prettyText + "\n").utf8)
  }

  private static func side(_ bands: [EqualizerBand], count: Int) -> JSONValue {
    .object(
      (0..<count).map { index in
        JSONValue.Member("band\(index)", index < bands.count ? document(of: bands[index]) : off)
      })
  }

  private static func document(of band: EqualizerBand) -> JSONValue {
    let name = types.first { $0.shape == band.shape.resonant }?.name ?? "Off"
    return .object([
      "type": .string(name), "mode": .string(mode), "slope": .string("x1"), "solo": .bool(false),
      "mute": .bool(band.isBypassed), "gain": .number(band.gain), "frequency": .number(band.frequency),
      "q": .number(band.width.quality), "width": .number(4),
    ])
  }

  /// Not a constant: LeakSanitizer does not see what a constant of this type points to.
  private static var off: JSONValue {
    .object([
      "type": .string("Off"), "mode": .string(mode), "slope": .string("x1"), "solo": .bool(false), "mute": .bool(false),
      "gain": .number(0), "frequency": .number(1_000), "q": .number(4.36), "width": .number(4),
    ])
  }
}
