internal import Base
internal import Glibc
internal import MediaModel

/// The value of `Filter:` in a configuration of Equalizer APO: `ON PK Fc 220 Hz Gain -2.4 dB Q 0.9`.
struct APOFilterLine {
  var isOn = true
  /// As it is written; case matters.
  var type = ""
  /// The slope of a shelf, in decibels per octave.
  var slope: Double?
  var frequency: Double?
  var gain: Double?
  var quality: Double?
  /// The bandwidth.
  var octaves: Double?
  /// The words that are not part of a filter.
  var rest = ""
  /// Descriptions of values that are not numbers.
  var faults: [String] = []

  /// nil if it does not begin with ON or OFF.
  init?(_ text: Substring) {
    // As in Equalizer APO, a comma is a decimal point.
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
      } else if words.take("Gain") {
        gain = takeNumber(&words, of: "Gain")
        if let level = gain, case .number(let rest) = words.words.first {
          faults.append("Gain is \(ExchangeNote.quoted("\(DecimalText.number(level, places: 6)) \(rest)"))")
          gain = nil
        }
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

  /// Takes a frequency with its unit.
  ///
  /// Room EQ Wizard groups the digits of large numbers by points, and other programs by blanks: `1.250` and `1 250` are
  /// 1250, but `31.25` is 31.25. Kilohertz (`1.2 kHz`,
  /// `1.2k`) have decimals instead, and so have numbers with an exponent.
  private mutating func takeFrequency(_ words: inout SettingWords) -> Double? {
    var groups: [String] = []
    while let group = words.takeNumberText() { groups.append(group) }
    guard let first = groups.first else {
      faults.append("Fc is missing")
      return nil
    }
    let written = groups.joined(separator: " ")
    let isSpaced =
      (1...3).contains(first.utf8.count) && Self.isDigits(first)
      && groups.dropFirst().enumerated().allSatisfy { index, group in
        let whole = group.prefix { $0 != "." }
        return whole.utf8.count == 3 && Self.isDigits(whole) && (whole == group || index == groups.count - 2)
      }
    let text = groups.count == 1 ? first : isSpaced ? groups.joined() : written
    let hasPrefix = words.take("k")
    let isInKilohertz = words.take("kHz") || hasPrefix
    if hasPrefix || !isInKilohertz { _ = words.take("Hz") }
    // Of 1k5, as of resistors, one part would be lost.
    if hasPrefix, let more = words.takeNumberText() {
      faults.append("Fc is \(ExchangeNote.quoted("\(written)k\(more)"))")
      return nil
    }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let last = parts[parts.count - 1]
    let isGrouped =
      groups.count == 1 && !isInKilohertz && parts.count > 1 && !parts[0].isEmpty && last.utf8.count == 3
      && Self.isDigits(last)
    let digits = isGrouped ? parts.dropLast().joined(separator: ".") + last : text
    guard let value = DecimalText.parse(digits) else {
      faults.append("Fc is \(ExchangeNote.quoted(written))")
      return nil
    }
    return isInKilohertz ? value * 1_000 : value
  }

  private static func isDigits(_ text: some StringProtocol) -> Bool { text.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
}

extension APOFilterLine {
  private static let types: Set<String> = [
    "PK", "PEQ", "LP", "HP", "LPQ", "HPQ", "BP", "NO", "AP", "LS", "LSC", "LSQ", "HS", "HSC", "HSQ",
  ]

  /// A filter in terms of a preset.
  struct Meaning {
    var shape: FilterShape
    var frequency: Double
    var gain = 0.0
    var width: FilterWidth?
    /// The names of values that this shape does not use.
    var unused: [String] = []
  }

  /// Why a line is not a filter.
  struct Fault: Error {
    let reason: String
  }

  /// - Throws: ``Fault`` for an unknown type, or if the line lacks a value that its type needs.
  func meaning() throws(Fault) -> Meaning {
    var meaning: Meaning
    switch type {
    case "PK", "PEQ", "Modal":
      meaning = Meaning(shape: .parametric, frequency: try needed(frequency, "Fc"), gain: try needed(gain, "Gain"))
      meaning.width = try neededWidth()
    case "LP", "HP", "LPQ", "HPQ":
      let isLow = type.hasPrefix("L")
      let isPlain = type.count == 2 && width == nil
      let shape: FilterShape =
        isPlain ? isLow ? .lowPass : .highPass : isLow ? .resonantLowPass : .resonantHighPass
      meaning = Meaning(shape: shape, frequency: try needed(frequency, "Fc"), width: width)
    case "BP":
      meaning = Meaning(shape: .bandPass, frequency: try needed(frequency, "Fc"), width: width)
    case "NO":
      meaning = Meaning(shape: .bandStop, frequency: try needed(frequency, "Fc"), width: width)
    case "AP":
      meaning = Meaning(shape: .allPass, frequency: try needed(frequency, "Fc"))
      meaning.width = .quality(try needed(quality == 0 ? nil : quality, "Q"))
    case "LS", "LSC", "LSQ", "HS", "HSC", "HSQ":
      meaning = try shelf()
    case "IIR":
      throw Fault(reason: "a filter with given coefficients cannot be a band")
    case "":
      throw Fault(reason: "a filter without a type")
    default:
      let isMiscased = Self.types.contains(type.uppercased())
      throw Fault(
        reason: "the filter type \(ExchangeNote.quoted(type)) is unknown"
          + (isMiscased ? "; Equalizer APO accepts types only in upper case" : ""))
    }
    if !meaning.shape.hasGain, gain ?? 0 != 0 { meaning.unused.append("Gain") }
    if slope != nil, meaning.shape.family != .shelf { meaning.unused.append("slope") }
    if octaves ?? 0 != 0, meaning.width != octaves.map(FilterWidth.octaves) { meaning.unused.append("BW") }
    if quality ?? 0 != 0, octaves ?? 0 != 0, !meaning.unused.contains("BW") { meaning.unused.append("Q beside BW") }
    return meaning
  }

  /// As in Equalizer APO, a bandwidth counts rather than a Q, and 0 stands for the default.
  private var width: FilterWidth? {
    if let octaves { return octaves == 0 ? nil : .octaves(octaves) }
    return quality.flatMap { $0 == 0 ? nil : .quality($0) }
  }

  /// LSQ and HSQ, which Room EQ Wizard and squig.link write, are LSC and HSC with a Q: Fc is the centre.
  ///
  /// If the type ends in neither C nor Q and there is a slope or Q, Fc is the corner frequency; the centre is where half the
  /// gain is reached.
  private func shelf() throws(Fault) -> Meaning {
    let quality = quality == 0 ? nil : quality
    let isLow = type.hasPrefix("L")
    let isCentered = type.hasSuffix("C") || type.hasSuffix("Q")
    let level = try needed(gain, "Gain")
    let written = try needed(frequency, "Fc")
    let given: Double? =
      if let slope { slope / 12 } else { quality.map { FilterWidth.shelfSlope(quality: $0, gain: level) } }
    // The default of Equalizer APO.
    let steepness = given ?? 0.9
    guard steepness > 0, steepness.isFinite else { throw Fault(reason: "a shelf without a slope") }
    var centre = written
    if !isCentered, given != nil {
      let factor = pow(10, abs(level) / 80 / steepness)
      centre = isLow ? written * factor : written / factor
    }
    guard centre.isFinite, centre > 0 else { throw Fault(reason: "a shelf whose centre is not a valid frequency") }
    var meaning = Meaning(shape: isLow ? .resonantLowShelf : .resonantHighShelf, frequency: centre, gain: level)
    if slope == 12 {
      meaning.shape = isLow ? .lowShelf : .highShelf
      if quality != nil { meaning.unused.append("Q") }
    } else if slope == nil, let quality {
      meaning.width = .quality(quality)
    } else {
      let found = FilterWidth.shelfQuality(slope: steepness, gain: level)
      // Steeper than any shelf with this gain: use the steepest.
      meaning.width = .quality(found.isFinite ? found : FilterWidth.qualities.upperBound)
    }
    return meaning
  }

  private func needed(_ value: Double?, _ name: String) throws(Fault) -> Double {
    guard let value else { throw Fault(reason: faults.first ?? "the filter lacks \(name)") }
    return value
  }

  private func neededWidth() throws(Fault) -> FilterWidth {
    if let width { return width }
    throw Fault(reason: faults.first ?? "the filter lacks Q or BW")
  }
}
