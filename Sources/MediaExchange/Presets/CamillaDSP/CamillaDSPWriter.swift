internal import Base
internal import MediaModel

/// Writes the filters and the pipeline of a configuration of CamillaDSP 3, to which devices have to be added.
enum CamillaDSPWriter {
  static func write(_ preset: Preset, equalizer: Equalizer) -> [UInt8] {
    var lines = ["title: \(JSONValue.string(preset.name.text).text)", "filters:"]
    lines += filter("gain", "Gain", [("gain", number(equalizer.gain))])
    var steps: [(channels: BandChannels, isBypassed: Bool, names: [String])] = [(.all, false, ["gain"])]
    for (index, band) in equalizer.bands.enumerated() {
      let name = "band_\(index + 1)"
      lines += filter(name, "Biquad", parameters(of: band))
      if let step = steps.firstIndex(where: { $0.channels == band.channels && $0.isBypassed == band.isBypassed }) {
        steps[step].names.append(name)
      } else {
        steps.append((band.channels, band.isBypassed, [name]))
      }
    }
    lines.append("pipeline:")
    for step in steps {
      let channels =
        switch step.channels {
        case .all: "[0, 1]"
        case .left: "[0]"
        case .right: "[1]"
        }
      lines += ["  - type: Filter", "    channels: \(channels)"]
      if step.isBypassed { lines.append("    bypassed: true") }
      lines.append("    names:")
      lines += step.names.map { "      - \($0)" }
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static func filter(_ name: String, _ type: String, _ parameters: [(String, String)]) -> [String] {
    ["  \(name):", "    type: \(type)", "    parameters:"] + parameters.map { "      \($0): \($1)" }
  }

  private static func parameters(of band: EqualizerBand) -> [(String, String)] {
    let type =
      switch band.shape {
      case .parametric: "Peaking"
      case .lowPass, .resonantLowPass: "Lowpass"
      case .highPass, .resonantHighPass: "Highpass"
      case .bandPass: "Bandpass"
      case .bandStop: "Notch"
      case .allPass: "Allpass"
      case .lowShelf, .resonantLowShelf: "Lowshelf"
      case .highShelf, .resonantHighShelf: "Highshelf"
      }
    var parameters = [("type", type), ("freq", number(band.frequency))]
    if band.shape.hasGain { parameters.append(("gain", number(band.gain))) }
    switch (band.shape, band.width) {
    case (.lowShelf, _), (.highShelf, _): parameters.append(("slope", "12"))
    case (_, .octaves(let octaves)): parameters.append(("bandwidth", number(octaves)))
    case (_, .quality(let quality)): parameters.append(("q", number(quality)))
    }
    return parameters
  }

  private static func number(_ value: Double) -> String { DecimalText.number(value, places: 6) }
}
