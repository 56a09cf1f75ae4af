internal import Base
internal import Glibc
internal import MediaModel

/// The three files of AutoEq, which use subsets of Equalizer APO's language.
enum AutoEQFiles {
  /// The frequencies of GraphicEQ.txt: 127 steps by the factor 1.0563 from 20 Hz, rounded down to whole hertz.
  static let graphicFrequencies = (0..<127).map { Double(Int(20 * pow(1.0563, Double($0)))) }
  /// The centres as FixedBandEQ.txt has them, rounded down.
  static let fixedFrequencies = GraphicEqualizer.centers.map { $0.rounded(.down) }

  static let fixedScale = SliderScale(gains: -12...12, globalGains: -99.9...24) { ($0 * 10).rounded() / 10 }

  /// `Preamp:`, then peaks and shelves. PipeWire reads the same form.
  ///
  /// - Parameter profile: Determines how many decimals are written.
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
    if channels[0] != channels[1] { notes.add("left and right cannot differ; their mean is written") }
    let gains = zip(channels[0], channels[1]).map { (($0 + $1) / 2 * 10).rounded() / 10 }
    for band in equalizer.bands where band.shape == .allPass && band.isAudible {
      notes.add("the \(band.title) changes only the phase and cannot be written; left out")
    }
    for band in equalizer.bands where band.isBypassed {
      notes.add("the \(band.title) is bypassed; left out")
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

  /// Restores the exact centres of the octave bands that FixedBandEQ.txt has without decimals; nil for any other
  /// equalizer.
  static func withOctaveCenters(_ equalizer: Equalizer) -> Equalizer? {
    guard equalizer.bands.count == GraphicEqualizer.centers.count,
      let values = SliderBank.octaves.values(of: equalizer),
      equalizer.bands.allSatisfy({ !$0.isBypassed && abs($0.width.quality - 2.squareRoot()) < 0.01 }),
      equalizer.bands.map(\.frequency) != GraphicEqualizer.centers
    else { return nil }
    let bands = zip(GraphicEqualizer.centers, values).map { try? EqualizerBand(.parametric, frequency: $0, gain: $1) }
    return try? Equalizer(bands: bands.compactMap(\.self), gain: equalizer.gain)
  }

  /// A number with exactly `places` decimals.
  private static func fixed(_ value: Double, _ places: Int) -> String {
    var text = DecimalText.number(value, places: places)
    guard places > 0 else { return text }
    if !text.contains(".") { text += "." }
    let decimals = text.utf8.reversed().prefix { $0 != UInt8(ascii: ".") }.count
    return text + String(repeating: "0", count: max(0, places - decimals))
  }
}

/// Approximates an equalizer by ten peaks one octave apart, whose gains add up.
struct FixedBandConversion {
  let gains: [Double]
  /// The global gain.
  let gain: Double
  let deviation: CurveDeviation

  init(_ equalizer: Equalizer, scale: SliderScale, notes: inout ExchangeNotes) {
    let gain = scale.globalGain(nearest: equalizer.gain)
    self.gain = gain
    if !equalizer.isCompensated, let values = SliderBank.octaves.values(of: equalizer),
      equalizer.bands.allSatisfy({ abs($0.width.quality - 2.squareRoot()) < 0.01 }),
      values.allSatisfy(scale.gains.contains)
    {
      gains = values.map(scale.value(nearest:))
    } else {
      let sought = SliderFit.gains(equalizer, gain: gain, bank: .octaves)
      gains = sought.map(scale.value(nearest:))
      for (value, center) in zip(sought, SliderBank.octaves.centers) where !scale.gains.contains(value) {
        notes.add("the band at \(DecimalText.number(center, places: 2)) Hz is at the end of its range")
      }
      if Set(equalizer.bands.filter(\.isAudible).map(\.channels)).contains(where: { $0 != .all }) {
        notes.add("left and right cannot differ; their mean is written")
      }
      for band in equalizer.bands where band.shape == .allPass && band.isAudible {
        notes.add("the \(band.title) changes only the phase and cannot be written; left out")
      }
      notes.add("\(equalizer.bands.count { $0.isAudible }) bands became ten at fixed frequencies")
    }
    let bands = zip(SliderBank.octaves.centers, gains).map { try? EqualizerBand(.parametric, frequency: $0, gain: $1) }
    let result = (try? Equalizer(bands: bands.compactMap(\.self), gain: gain)) ?? .flat
    deviation = CurveDeviation(from: equalizer, to: result, sampleRate: CurveFit.sampleRate)
  }
}
