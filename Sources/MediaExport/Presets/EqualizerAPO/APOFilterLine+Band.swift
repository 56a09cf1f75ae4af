internal import Glibc
internal import MediaModel

extension APOFilterLine {
  /// What a filter is, in the words of a preset.
  struct Meaning {
    var shape: FilterShape
    var frequency: Double
    var gain = 0.0
    var width: FilterWidth?
    /// What the line says and this shape does not need.
    var unused: [String] = []
  }

  /// A line that is no filter, and why.
  struct Fault: Error {
    let reason: String
  }

  /// - Throws: ``Fault`` for a type that is not known, or a value that its type needs and the line lacks.
  func meaning() throws(Fault) -> Meaning {
    var meaning: Meaning
    switch type {
    case "PK", "PEQ", "Modal":
      meaning = Meaning(shape: .parametric, frequency: try needed(frequency, "Fc"), gain: try needed(gain, "Gain"))
      meaning.width = try neededWidth()
    case "LP", "HP":
      meaning = Meaning(shape: type == "LP" ? .lowPass : .highPass, frequency: try needed(frequency, "Fc"))
      if quality != nil { meaning.unused.append("Q") }
    case "LPQ", "HPQ":
      meaning = Meaning(
        shape: type == "LPQ" ? .resonantLowPass : .resonantHighPass, frequency: try needed(frequency, "Fc"))
      meaning.width = quality.map(FilterWidth.quality)
    case "BP":
      meaning = Meaning(shape: .bandPass, frequency: try needed(frequency, "Fc"))
      meaning.width = quality.map(FilterWidth.quality) ?? octaves.map(FilterWidth.octaves)
    case "NO":
      meaning = Meaning(shape: .bandStop, frequency: try needed(frequency, "Fc"))
      meaning.width = quality.map(FilterWidth.quality)
    case "AP":
      meaning = Meaning(shape: .allPass, frequency: try needed(frequency, "Fc"))
      meaning.width = .quality(try needed(quality, "Q"))
    case "LS", "LSC", "HS", "HSC":
      meaning = try shelf()
    case "IIR":
      throw Fault(reason: "a filter of given coefficients cannot be a band")
    case "":
      throw Fault(reason: "a filter without a type")
    default:
      throw Fault(reason: "the filter type \(ExchangeNote.quoted(type)) is not known")
    }
    if !meaning.shape.hasGain, gain ?? 0 != 0 { meaning.unused.append("Gain") }
    if slope != nil, meaning.shape.family != .shelf { meaning.unused.append("slope") }
    if octaves != nil, meaning.width == nil || meaning.width != octaves.map(FilterWidth.octaves) {
      meaning.unused.append("BW")
    }
    return meaning
  }

  /// Without the C of the type and with a slope or Q, Fc is the corner: the centre lies where half the gain is reached.
  private func shelf() throws(Fault) -> Meaning {
    let isLow = type.hasPrefix("L")
    let level = try needed(gain, "Gain")
    let written = try needed(frequency, "Fc")
    let given: Double? =
      if let slope { slope / 12 } else { quality.map { FilterWidth.shelfSlope(quality: $0, gain: level) } }
    // What the program takes where nothing is given.
    let steepness = given ?? 0.9
    guard steepness > 0, steepness.isFinite else { throw Fault(reason: "a shelf without a slope") }
    var centre = written
    if !type.hasSuffix("C"), given != nil {
      let factor = pow(10, abs(level) / 80 / steepness)
      centre = isLow ? written * factor : written / factor
    }
    guard centre.isFinite, centre > 0 else { throw Fault(reason: "a shelf whose centre is no frequency") }
    var meaning = Meaning(shape: isLow ? .resonantLowShelf : .resonantHighShelf, frequency: centre, gain: level)
    if slope == 12 {
      meaning.shape = isLow ? .lowShelf : .highShelf
      if quality != nil { meaning.unused.append("Q") }
    } else if slope == nil, let quality {
      meaning.width = .quality(quality)
    } else {
      let found = FilterWidth.shelfQuality(slope: steepness, gain: level)
      // Steeper than any shelf of this gain: as steep as a band can be.
      meaning.width = .quality(found.isFinite ? found : FilterWidth.qualities.upperBound)
    }
    return meaning
  }

  private func needed(_ value: Double?, _ name: String) throws(Fault) -> Double {
    guard let value else { throw Fault(reason: faults.first ?? "the filter lacks \(name)") }
    return value
  }

  private func neededWidth() throws(Fault) -> FilterWidth {
    if let quality { return .quality(quality) }
    if let octaves { return .octaves(octaves) }
    throw Fault(reason: faults.first ?? "the filter lacks Q or BW")
  }
}
