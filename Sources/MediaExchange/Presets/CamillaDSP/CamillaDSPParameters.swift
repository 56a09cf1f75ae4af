internal import Base
internal import Glibc
internal import MediaModel

/// The parameters of a filter of CamillaDSP.
struct CamillaDSPParameters {
  let path: String
  private let values: JSONValue

  /// A second-order filter.
  struct Part {
    var shape: FilterShape
    var frequency: Double
    var gain = 0.0
    var width: FilterWidth?
  }

  /// Why the parameters are no filter of a preset.
  struct Fault: Error {
    let reason: String
  }

  init(_ values: JSONValue, path: String) { (self.values, self.path) = (values, path) }

  func number(_ key: String) -> Double? { SettingValue.number(values[key]) }

  func text(_ key: String) -> String? { values[key]?.string }

  func isOn(_ key: String) -> Bool { SettingValue.isOn(values[key]) ?? false }

  /// The filter of type `Biquad`.
  func biquad() throws(Fault) -> Part {
    let type = text("type") ?? ""
    switch type {
    case "Peaking": return try part(.parametric, width: width())
    case "Lowshelf": return try shelf(.lowShelf)
    case "Highshelf": return try shelf(.highShelf)
    case "Lowpass": return try part(.resonantLowPass, width: .quality(needed("q")))
    case "Highpass": return try part(.resonantHighPass, width: .quality(needed("q")))
    case "Bandpass": return try part(.bandPass, width: width())
    case "Notch": return try part(.bandStop, width: width())
    case "Allpass": return try part(.allPass, width: width())
    case "": throw Fault(reason: "the filter lacks a type")
    default: throw Fault(reason: "a preset cannot hold a Biquad of type \(ExchangeNote.quoted(type))")
    }
  }

  /// The filters of which one of type `BiquadCombo` consists.
  func combination() throws(Fault) -> [Part] {
    let type = text("type") ?? ""
    switch type {
    case "ButterworthLowpass": return try passes(.resonantLowPass, Self.butterworth(order()))
    case "ButterworthHighpass": return try passes(.resonantHighPass, Self.butterworth(order()))
    case "LinkwitzRileyLowpass": return try passes(.resonantLowPass, Self.linkwitzRiley(order()))
    case "LinkwitzRileyHighpass": return try passes(.resonantHighPass, Self.linkwitzRiley(order()))
    case "Tilt":
      let gain = try needed("gain") / 2
      return [
        Part(shape: .resonantLowShelf, frequency: 110, gain: -gain, width: .quality(0.35)),
        Part(shape: .resonantHighShelf, frequency: 3_500, gain: gain, width: .quality(0.35)),
      ]
    case "FivePointPeq":
      var parts: [Part] = []
      for (suffix, shape) in [
        ("ls", FilterShape.resonantLowShelf), ("p1", .parametric), ("p2", .parametric), ("p3", .parametric),
        ("hs", .resonantHighShelf),
      ] {
        let quality = try needed("q\(suffix)")
        // CamillaDSP leaves out such a filter.
        guard abs(quality) > 0.001 else { continue }
        parts.append(
          Part(
            shape: shape, frequency: try needed("f\(suffix)"), gain: try needed("g\(suffix)"), width: .quality(quality))
        )
      }
      return parts
    case "GraphicEqualizer": return try graphicEqualizer()
    default: throw Fault(reason: "a preset cannot hold a BiquadCombo of type \(ExchangeNote.quoted(type))")
    }
  }

  /// A peak for each gain, at equal distances between two frequencies on a logarithmic scale.
  private func graphicEqualizer() throws(Fault) -> [Part] {
    guard let gains = values["gains"]?.array, !gains.isEmpty, gains.count <= Equalizer.maximumBandCount else {
      throw Fault(reason: "the filter lacks gains, or has too many")
    }
    let lowest = number("freq_min") ?? 20
    let octaves = log2((number("freq_max") ?? 20_000) / lowest) / Double(gains.count)
    guard lowest > 0, octaves.isFinite, octaves > 0 else { throw Fault(reason: "impossible frequencies") }
    var parts: [Part] = []
    for (index, value) in gains.enumerated() {
      guard let gain = SettingValue.number(value) else { throw Fault(reason: "a gain is not a number") }
      parts.append(
        Part(
          shape: .parametric, frequency: lowest * exp2((Double(index) + 0.5) * octaves), gain: gain,
          width: .octaves(octaves)))
    }
    return parts
  }

  private func passes(_ shape: FilterShape, _ qualities: [Double]) throws(Fault) -> [Part] {
    let frequency = try needed("freq")
    return qualities.map { quality in
      Part(shape: shape.plain(quality: quality), frequency: frequency, width: .quality(quality))
    }
  }

  private func order() throws(Fault) -> Int {
    guard let order = Int(exactly: try needed("order")), (1...64).contains(order) else {
      throw Fault(reason: "an impossible order")
    }
    return order
  }

  /// The Q of each pair of poles: 1 / 2 sin((n + ½) π / order).
  private static func butterworth(_ order: Int) throws(Fault) -> [Double] {
    guard order.isMultiple(of: 2) else { throw Fault(reason: "a preset cannot hold a pass of odd order") }
    return (0..<order / 2).map { 1 / (2 * sin((Double($0) + 0.5) * .pi / Double(order))) }
  }

  /// Two Butterworth filters of half the order one after the other. If that is odd, the two single poles are one filter
  /// with a Q of ½.
  private static func linkwitzRiley(_ order: Int) throws(Fault) -> [Double] {
    guard order.isMultiple(of: 2) else { throw Fault(reason: "the order of a Linkwitz-Riley filter must be even") }
    let half = order / 2
    let pairs = (0..<half / 2).map { 1 / (2 * sin((Double($0) + 0.5) * .pi / Double(half))) }
    return pairs + pairs + (half.isMultiple(of: 2) ? [] : [0.5])
  }

  private func part(_ shape: FilterShape, width: FilterWidth) throws(Fault) -> Part {
    var quality = Double.nan
    if case .quality(let value) = width { quality = value }
    let gain = shape.hasGain ? try needed("gain") : 0
    return Part(shape: shape.plain(quality: quality), frequency: try needed("freq"), gain: gain, width: width)
  }

  /// A shelf by its Q, or by its slope in decibels per octave, where 12 is the plain one.
  private func shelf(_ shape: FilterShape) throws(Fault) -> Part {
    if let quality = number("q") { return try part(shape.resonant, width: .quality(quality)) }
    let slope = try needed("slope", or: "q or slope")
    guard slope != 12 else { return try part(shape, width: shape.defaultWidth) }
    let quality = FilterWidth.shelfQuality(slope: slope / 12, gain: try needed("gain"))
    guard quality.isFinite, quality > 0 else { throw Fault(reason: "an impossible slope") }
    return try part(shape.resonant, width: .quality(quality))
  }

  private func width() throws(Fault) -> FilterWidth {
    if let quality = number("q") { return .quality(quality) }
    return .octaves(try needed("bandwidth", or: "q or bandwidth"))
  }

  private func needed(_ key: String, or name: String? = nil) throws(Fault) -> Double {
    if let value = number(key) { return value }
    guard let value = values[key], value != .null else { throw Fault(reason: "the filter lacks \(name ?? key)") }
    throw Fault(reason: "\(key) is \(ExchangeNote.quoted(value.text)), not a number")
  }
}
