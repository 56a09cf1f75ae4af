internal import Glibc
internal import MediaModel

/// What stands behind `Filter:` in a configuration of Equalizer APO: `ON PK Fc 220 Hz Gain -2.4 dB Q 0.9`.
struct APOFilterLine {
  var isOn = true
  /// As it is written there; case counts.
  var type = ""
  /// In decibels an octave, of a shelf.
  var slope: Double?
  var frequency: Double?
  var gain: Double?
  var quality: Double?
  /// Bandwidth.
  var octaves: Double?
  /// What came behind and is no part of a filter.
  var rest = ""
  /// Values that are no numbers.
  var faults: [String] = []

  /// nil where it does not begin with ON or OFF.
  init?(_ text: Substring) {
    // As the program does: a comma is a decimal point.
    var words = SettingWords(text.map { $0 == "," ? "." : $0 }.reduce(into: "") { $0.append($1) })
    if words.take("off") { isOn = false } else if !words.take("on") { return nil }
    type = words.takeName() ?? ""
    if case .number = words.words.first {
      slope = takeNumber(&words, of: "slope")
      _ = words.take("dB")
    }
    var unknown: [String] = []
    while !words.isEmpty {
      if words.take("Fc") {
        frequency = takeFrequency(&words)
        if words.take("kHz") { frequency = frequency.map { $0 * 1_000 } } else { _ = words.take("Hz") }
      } else if words.take("Gain") {
        gain = takeNumber(&words, of: "Gain")
        _ = words.take("dB")
      } else if words.take("Q") {
        quality = takeNumber(&words, of: "Q")
      } else if words.take("BW") {
        _ = words.take("Oct")
        octaves = takeNumber(&words, of: "BW")
      } else {
        unknown.append(words.takeName() ?? words.takeNumberText() ?? "")
      }
    }
    rest = unknown.joined(separator: " ")
  }

  private mutating func takeNumber(_ words: inout SettingWords, of name: String) -> Double? {
    if let value = words.takeNumber() { return value }
    let found = words.takeNumberText().map { ExchangeNote.quoted($0) } ?? "missing"
    faults.append("\(name) is \(found)")
    return nil
  }

  /// Room EQ Wizard groups the digits of large numbers by a point: `1.250` is 1250, though `31.25` is what it says.
  private mutating func takeFrequency(_ words: inout SettingWords) -> Double? {
    guard let text = words.takeNumberText() else {
      faults.append("Fc is missing")
      return nil
    }
    let scalars = Array(text.unicodeScalars)
    let isGrouped = scalars.count >= 5 && scalars[scalars.count - 4] == "."
    var digits = text
    if isGrouped {
      var view = String.UnicodeScalarView()
      for (index, scalar) in scalars.enumerated() where index != scalars.count - 4 { view.append(scalar) }
      digits = String(view)
    }
    guard let value = DecimalText.parse(digits) else {
      faults.append("Fc is \(ExchangeNote.quoted(text))")
      return nil
    }
    return value
  }
}
