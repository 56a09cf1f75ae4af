internal import Base
internal import MediaModel

/// The equalizer in the settings of Rockbox: `eq peak filter 1: 220, 9, -24` in hertz, tenths of Q, tenths of a decibel.
///
/// Versions 3.13 to 4.0 know only `eq low shelf filter`, `eq peak filter 1` to `8` and `eq high shelf filter`, and skip
/// other names (`apps/settings_list.c`; also the manual's "Config File Options"). Since July 2026 (commit e764656ab7)
/// any of the ten filters may have any type, as in `eq filter 0: 105, 7, 45, LOW_SHELF`; the older names are still read.
enum RockboxSettings {
  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExchangeError) -> [NamedEqualizer] {
    var draft = EqualizerDraft()
    var others: [String] = []
    var isFound = false
    for line in TextLines(bytes).lines where line.text.first != "#" {
      let place = ExchangeNote.Place.line(line.number)
      guard let setting = SettingLine(line.text, separator: ":") else {
        notes.add("\(ExchangeNote.quoted(line.text)) is not a setting", at: place)
        continue
      }
      let words = setting.name.lowercased().split(whereSeparator: \.isWhitespace)
      switch words {
      case ["eq", "enabled"]:
        isFound = true
        if setting.value.lowercased() != "on" {
          notes.add("the equalizer is switched off there; its bands are read anyway", at: place)
        }
      case ["eq", "precut"]:
        isFound = true
        guard let precut = SettingValue.number(setting.value) else {
          draft.lose("eq precut is \(ExchangeNote.quoted(setting.value)), not a number", at: place, notes: &notes)
          continue
        }
        draft.add(gain: -min(max(precut, -10_000), 10_000) / 10)
      case _ where words.count == 3 && words[0] == "eq" && words[1] == "filter",
        _ where words.count == 4 && words[0] == "eq" && words[3] == "filter",
        _ where words.count == 4 && words[0] == "eq" && words[1] == "peak" && words[2] == "filter":
        isFound = true
        addFilter(setting, oldName: words[1] == "filter" ? nil : String(words[1]), at: place, to: &draft, notes: &notes)
      default: others.append(String(setting.name))
      }
    }
    guard isFound else { throw .unreadable("the file has no Rockbox equalizer") }
    if !others.isEmpty {
      let names = others.prefix(5).map { ExchangeNote.quoted($0) }.joined(separator: ", ")
      notes.add("\(others.count) other settings of the player are ignored: \(names)")
    }
    try draft.requireContent(of: "Rockbox .cfg")
    return [NamedEqualizer(name: nil, equalizer: draft.equalizer(notes: &notes))]
  }

  /// - Parameter oldName: The type from the name of the setting, as older versions write it: low, high or peak.
  private static func addFilter(
    _ setting: SettingLine, oldName: String?, at place: ExchangeNote.Place, to draft: inout EqualizerDraft,
    notes: inout ExchangeNotes
  ) {
    let parts = setting.value.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingBlanks() }
    let numbers = parts.prefix(3).compactMap { SettingValue.number($0) }
    guard numbers.count == 3, parts.count >= (oldName == nil ? 4 : 3) else {
      return draft.lose(
        "\(setting.name): \(ExchangeNote.quoted(setting.value)) is not a filter", at: place, notes: &notes)
    }
    let shape: FilterShape
    let type = oldName ?? parts[3].lowercased()
    switch type {
    case "low_shelf", "low": shape = .resonantLowShelf
    case "peak": shape = .parametric
    case "high_shelf", "high": shape = .resonantHighShelf
    default:
      return draft.lose(
        "\(setting.name): the type \(ExchangeNote.quoted(type)) is unknown", at: place, notes: &notes)
    }
    draft.add(
      shape, frequency: numbers[0], gain: numbers[2] / 10, width: .quality(numbers[1] / 10), at: place, notes: &notes)
  }

  /// Uses the names that all versions read, if at most one shelf of each kind and eight peaks are needed.
  static func write(_ preset: Preset, equalizer: Equalizer, notes: inout ExchangeNotes) -> [UInt8] {
    let settings: [(name: String, value: String)]
    if let slots = fixedSlots(equalizer.bands) {
      settings = zip(fixedNames, slots).map { ($0, values($1)) }
    } else {
      notes.add("these types of filters need a Rockbox newer than 4.0; others ignore them")
      settings = filled(equalizer).enumerated().map { index, band in
        ("eq filter \(index)", "\(values(band)), \(typeName(band.shape))")
      }
    }
    var lines = ["# \(preset.name.text)", "eq enabled: on", "eq precut: \(tenths(-equalizer.gain))"]
    lines += settings.map { "\($0.name): \($0.value)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  private static let fixedNames =
    ["eq low shelf filter"] + (1...8).map { "eq peak filter \($0)" } + ["eq high shelf filter"]

  /// A shelf, eight peaks and a shelf, in the order of ``fixedNames``, of which those without a band have no gain; nil
  /// if there are more bands of a type.
  private static func fixedSlots(_ bands: [EqualizerBand]) -> [EqualizerBand]? {
    let types: [(shape: FilterShape, unused: ArraySlice<Double>)] = [
      (.resonantLowShelf, GraphicEqualizer.centers.prefix(1)), (.parametric, GraphicEqualizer.centers[1...8]),
      (.resonantHighShelf, GraphicEqualizer.centers.suffix(1)),
    ]
    var slots: [EqualizerBand] = []
    for (shape, unused) in types {
      var bands = bands.filter { $0.shape == shape }
      guard bands.count <= unused.count else { return nil }
      let width = FilterWidth.quality(shape == .parametric ? 1 : 0.7)
      bands += unused.dropFirst(bands.count).compactMap {
        try? EqualizerBand(shape, frequency: $0.rounded(), width: width)
      }
      // As the order of an equalizer that is read.
      slots += bands.sorted { $0.frequency < $1.frequency }
    }
    return slots
  }

  private static func values(_ band: EqualizerBand) -> String {
    "\(DecimalText.number(band.frequency, places: 0)), \(tenths(band.width.quality)), \(tenths(band.gain))"
  }

  private static func typeName(_ shape: FilterShape) -> String {
    switch shape {
    case .resonantLowShelf: "LOW_SHELF"
    case .resonantHighShelf: "HIGH_SHELF"
    default: "PEAK"
    }
  }

  private static func tenths(_ value: Double) -> String { DecimalText.number(value * 10, places: 0) }

  /// Always ten bands: the player would keep its current setting of a filter that is missing.
  private static func filled(_ equalizer: Equalizer) -> [EqualizerBand] {
    let missing = GraphicEqualizer.centers.suffix(max(0, 10 - equalizer.bands.count)).compactMap {
      try? EqualizerBand(.parametric, frequency: $0.rounded(), width: .quality(1))
    }
    return (try? Equalizer(bands: equalizer.bands + missing))?.bands ?? equalizer.bands
  }
}
