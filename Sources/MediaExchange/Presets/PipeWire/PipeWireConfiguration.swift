internal import Base
internal import Glibc
internal import MediaModel

/// Writes a configuration of PipeWire: a filter chain with an equalizer.
enum PipeWireConfiguration {
  /// A high shelf at 0 Hz is a global gain.
  static let gainType = "bq_highshelf"
  static let types: [(name: String, shape: FilterShape)] = [
    ("bq_peaking", .parametric), ("bq_lowpass", .resonantLowPass), ("bq_highpass", .resonantHighPass),
    ("bq_bandpass", .bandPass), ("bq_lowshelf", .resonantLowShelf), ("bq_highshelf", .resonantHighShelf),
    ("bq_notch", .bandStop), ("bq_allpass", .allPass),
  ]

  static func write(_ preset: Preset, equalizer: Equalizer) -> [UInt8] {
    let title = JSONValue.string(preset.name.text).text
    var lines = [
      "context.modules = [", "  { name = libpipewire-module-filter-chain", "    args = {",
      "      node.description = \(title)", "      media.name = \(title)", "      filter.graph = {", "        nodes = [",
      "          { type = builtin name = eq label = param_eq", "            config = {",
    ]
    let isSplit = equalizer.bands.contains { $0.channels != .all }
    for (channel, key) in isSplit ? [(0, "filters1"), (1, "filters2")] : [(0, "filters")] {
      lines.append("              \(key) = [")
      // Without any filter, PipeWire would output nothing, not even silence.
      if equalizer.gain != 0 || !equalizer.bands.contains(where: { $0.channels.contains(channel) }) {
        lines.append("                { type = \(gainType) freq = 0 gain = \(number(equalizer.gain)) q = 1 }")
      }
      for band in equalizer.bands where band.channels.contains(channel) {
        let type = types.first { $0.shape == band.shape.resonant }?.name ?? types[0].name
        let quality = band.width.quality
        let q = band.shape.family == .pass ? resonance(ofQuality: quality) : quality
        lines.append(
          "                { type = \(type) freq = \(number(band.frequency)) gain = \(number(band.gain)) "
            + "q = \(number(q)) }")
      }
      lines.append("              ]")
    }
    lines += [
      "            }", "          }", "        ]", "      }", "      audio.channels = 2",
      "      audio.position = [ FL FR ]",
      "      capture.props = { node.name = effect_input.deadwax media.class = Audio/Sink }",
      "      playback.props = { node.name = effect_output.deadwax node.passive = true }", "    }", "  }", "]",
    ]
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// The Q of a low or high pass whose `q` is `decibels`: PipeWire has the height of the resonance peak where other
  /// filters have Q. Negative values count as 0 dB, which is a Q of √½.
  static func quality(ofResonance decibels: Double) -> Double {
    let g = pow(10, max(0, decibels) / 20)
    return (2 / (4 - (16 - 16 / (g * g)).squareRoot())).squareRoot()
  }

  /// The inverse, in decibels; 0 if Q is less than √½.
  static func resonance(ofQuality quality: Double) -> Double {
    let d = min(1 / quality, 2.0.squareRoot())
    return max(0, -20 * log10(d * (1 - d * d / 4).squareRoot()))
  }

  private static func number(_ value: Double) -> String { DecimalText.number(value, places: 4) }
}
