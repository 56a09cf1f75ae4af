internal import Glibc
internal import MediaModel

/// AutoEq's three files, which are parts of Equalizer APO's language.
enum AutoEQFiles {
  /// Of GraphicEQ.txt: 127 whole numbers from 20 Hz on, each 1.0563 times the one before.
  static let graphicFrequencies = (0..<127).map { Double(Int(20 * pow(1.0563, Double($0)))) }
  /// As FixedBandEQ.txt prints them.
  static let fixedFrequencies = GraphicEqualizer.centers.map { $0.rounded(.down) }

  static let fixedScale = SliderScale(gains: -12...12, globalGains: -99.9...24) { ($0 * 10).rounded() / 10 }

  /// `Preamp:` first, then peaks and shelves, as PipeWire wants it, too.
  ///
  /// - Parameter profile: Says how many decimals are written.
  static func parametric(_ equalizer: Equalizer, profile: BandProfile) -> [UInt8] {
    var lines = ["Preamp: \(fixed(equalizer.gain, profile.gainPlaces)) dB"]
    for (index, band) in equalizer.bands.enumerated() {
      let type =
        switch band.shape {
        case .resonantLowShelf: "LSC"
        case .resonantHighShelf: "HSC"
        default: "PK"
        }
      let frequency = DecimalText.number(band.frequency, places: profile.frequencyPlaces)
      lines.append(
        "Filter \(index + 1): ON \(type) Fc \(frequency) Hz Gain \(fixed(band.gain, profile.gainPlaces)) dB "
          + "Q \(fixed(band.width.quality, profile.qualityPlaces))")
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  static func graphic(_ equalizer: Equalizer, notes: inout ExchangeNotes) -> ([UInt8], CurveDeviation) {
    let rate = CurveFit.sampleRate
    let channels = [0, 1].map { equalizer.response(at: graphicFrequencies, sampleRate: rate, channel: $0) }
    if channels[0] != channels[1] { notes.add("left and right cannot differ: their mean is written") }
    let gains = zip(channels[0], channels[1]).map { (($0 + $1) / 2 * 10).rounded() / 10 }
    for band in equalizer.bands where band.shape == .allPass && band.isAudible {
      notes.add("the \(band.title) changes phases only and cannot be said: left out")
    }
    for band in equalizer.bands where band.isBypassed {
      notes.add("the \(band.title), which is bypassed, is left out")
    }
    let points = zip(graphicFrequencies, gains)
    notes.add("\(equalizer.bands.count) bands became a curve of \(gains.count) points")
    let text = points.map { "\(DecimalText.number($0, places: 0)) \(fixed($1, 1))" }.joined(separator: "; ")
    let curve = GainCurve(points.map { GainCurve.Point(frequency: $0, gain: $1) })
    let grid = FrequencyGrid.audible
    let deviations = [0, 1].map { channel in
      let wanted = equalizer.response(at: grid, sampleRate: rate, channel: channel)
      return CurveDeviation(zip(grid, wanted).map { curve.gain(at: $0) - $1 }, at: grid)
    }
    return (
      Array("GraphicEQ: \(text)\n".utf8), deviations[1].maximum > deviations[0].maximum ? deviations[1] : deviations[0]
    )
  }

  static func fixedBands(_ equalizer: Equalizer, notes: inout ExchangeNotes) -> ([UInt8], CurveDeviation) {
    let conversion = FixedBandConversion(equalizer, scale: fixedScale, notes: &notes)
    var lines = ["Preamp: \(fixed(conversion.gain, 1)) dB"]
    for (index, (frequency, gain)) in zip(fixedFrequencies, conversion.gains).enumerated() {
      lines.append(
        "Filter \(index + 1): ON PK Fc \(DecimalText.number(frequency, places: 0)) Hz Gain \(fixed(gain, 1)) dB Q 1.41")
    }
    return (Array((lines.joined(separator: "\n") + "\n").utf8), conversion.deviation)
  }

  /// The octave bands that FixedBandEQ.txt prints without their decimals; nil for any other equalizer.
  static func withOctaveCenters(_ equalizer: Equalizer) -> Equalizer? {
    guard equalizer.bands.count == GraphicEqualizer.centers.count,
      let values = SliderBank.octaves.values(of: equalizer),
      equalizer.bands.allSatisfy({ !$0.isBypassed && abs($0.width.quality - 2.squareRoot()) < 0.01 }),
      equalizer.bands.map(\.frequency) != GraphicEqualizer.centers
    else { return nil }
    let bands = zip(GraphicEqualizer.centers, values).map { try? EqualizerBand(.parametric, frequency: $0, gain: $1) }
    return try? Equalizer(bands: bands.compactMap(\.self), gain: equalizer.gain)
  }

  /// With as many decimals as asked for, also where they are zeros.
  private static func fixed(_ value: Double, _ places: Int) -> String {
    var text = DecimalText.number(value, places: places)
    guard places > 0 else { return text }
    if !text.contains(".") { text += "." }
    let decimals = text.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.count
    return text + String(repeating: "0", count: max(0, places - decimals))
  }
}
