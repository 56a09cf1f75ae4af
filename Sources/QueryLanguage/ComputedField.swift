internal import Base
package import MediaModel

/// A field whose name says in parentheses what is computed of a track.
package enum ComputedField: Hashable, Sendable {
  /// `band(1000)`, `band(2.5k)`: the mean level in dB of the spectrum's band that contains a frequency in Hz.
  case band(hertz: Double)
  /// `bpm(88-175)`: the tempo, doubled or halved until it is in the range.
  case tempo(TempoRange)

  /// - Parameter name: in lower case.
  package init?(_ name: String) {
    if let text = Self.parameter(of: name, after: "band") {
      guard let hertz = WrittenNumber(text, units: NumberUnits.frequency)?.value else { return nil }
      self = .band(hertz: hertz)
    } else if let text = Self.parameter(of: name, after: "bpm"), let range = TempoRange(String(text)) {
      self = .tempo(range)
    } else {
      return nil
    }
  }

  /// nil if there is no such value of any track.
  var kind: QueryField.Kind? {
    switch self {
    case .band(let hertz): SpectrumBands.standard.index(ofHz: hertz).map { _ in .real }
    case .tempo: .tempo
    }
  }

  /// Whether a name looks like that of such a field, with any text as its parameter.
  static func isMeant(by name: String) -> Bool { mistake(in: name) != nil }

  /// What to say of a name that looks like that of such a field, and is none; nil for other names.
  static func mistake(in name: String) -> String? {
    let lower = name.lowercased()
    if parameter(of: lower, after: "band") != nil {
      return ComputedField(lower) == nil
        ? "'\(name.prefix(40))': a band is given by its frequency: band(1000), band(2.5k)"
        : "\(name) is outside the spectrum, which is from 100 to 18000 Hz"
    }
    return parameter(of: lower, after: "bpm").map { _ in
      "'\(name.prefix(40))': a tempo range spans at least an octave within 20 to 400: bpm(88-175)"
    }
  }

  private static func parameter(of name: String, after function: String) -> Substring? {
    guard name.hasPrefix(function + "("), name.hasSuffix(")") else { return nil }
    return name.dropFirst(function.count + 1).dropLast()
  }
}
