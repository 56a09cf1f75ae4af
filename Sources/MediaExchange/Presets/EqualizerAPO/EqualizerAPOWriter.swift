internal import Base
internal import MediaModel

/// Writes a configuration of Equalizer APO.
struct EqualizerAPOWriter {
  private var lines: [String]

  init(_ preset: Preset, equalizer: Equalizer) {
    lines = ["# \(preset.name.text)"]
    // A file needs at least one command to be recognized as Equalizer APO's.
    if equalizer.gain != 0 || equalizer.bands.isEmpty { lines.append("Preamp: \(Self.number(equalizer.gain)) dB") }
    var channels = BandChannels.all
    for (index, band) in equalizer.bands.enumerated() {
      if band.channels != channels {
        channels = band.channels
        lines.append("Channel: \(Self.name(of: channels))")
      }
      let state = band.isBypassed ? "OFF" : "ON"
      lines.append("Filter \(index + 1): \(state) " + Self.text(of: band))
    }
    if channels != .all { lines.append("Channel: all") }
  }

  var bytes: [UInt8] { Array((lines.joined(separator: "\r\n") + "\r\n").utf8) }

  private static func name(of channels: BandChannels) -> String {
    switch channels {
    case .all: "all"
    case .left: "L"
    case .right: "R"
    }
  }

  private static func text(of band: EqualizerBand) -> String {
    var parts: [String] = []
    switch band.shape {
    case .parametric: parts.append("PK")
    case .lowPass: parts.append("LP")
    case .highPass: parts.append("HP")
    case .resonantLowPass: parts.append("LPQ")
    case .resonantHighPass: parts.append("HPQ")
    case .bandPass: parts.append("BP")
    case .bandStop: parts.append("NO")
    case .allPass: parts.append("AP")
    // A slope of 12 dB per octave is the plain shelf, whatever its gain.
    case .lowShelf: parts.append("LSC 12 dB")
    case .highShelf: parts.append("HSC 12 dB")
    case .resonantLowShelf: parts.append("LSC")
    case .resonantHighShelf: parts.append("HSC")
    }
    parts.append("Fc \(frequency(band.frequency)) Hz")
    if band.shape.hasGain { parts.append("Gain \(number(band.gain)) dB") }
    if band.shape.hasWidth {
      switch band.width {
      case .quality(let quality): parts.append("Q \(number(quality))")
      case .octaves(let octaves): parts.append("BW Oct \(number(octaves))")
      }
    }
    return parts.joined(separator: " ")
  }

  private static func number(_ value: Double) -> String { DecimalText.number(value, places: 4) }

  /// Adds a fourth decimal to exactly three, because those would be read as thousands.
  private static func frequency(_ value: Double) -> String {
    let text = number(value)
    return text.utf8.count >= 5 && text.utf8.dropLast(3).last == UInt8(ascii: ".") ? text + "0" : text
  }
}
