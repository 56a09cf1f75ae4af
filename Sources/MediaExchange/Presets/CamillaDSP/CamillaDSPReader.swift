internal import Base
internal import Glibc
internal import MediaModel

/// Reads a configuration of CamillaDSP: the filters that its pipeline names. Their formulas are the Audio EQ Cookbook's.
struct CamillaDSPReader {
  private(set) var notes: ExchangeNotes
  private var draft = EqualizerDraft()

  /// How often the steps of the pipeline use a filter on each channel.
  private struct Use {
    var left = 0
    var right = 0
    var isBypassed: Bool
  }

  init(notes: ExchangeNotes) { self.notes = notes }

  mutating func read(_ text: String) throws(ExchangeError) -> [NamedEqualizer] {
    let document: JSONValue
    do throws(YAMLDocument.Fault) { document = try YAMLDocument.parse(text) } catch {
      throw .unreadable("not a CamillaDSP configuration: \(error)")
    }
    guard let filters = document["filters"]?.members else {
      throw .unreadable("the CamillaDSP configuration has no filters")
    }
    if let steps = document["pipeline"]?.array {
      let uses = readPipeline(steps, devices: document["devices"] ?? .null)
      for filter in filters {
        guard let all = uses[filter.key] else {
          notes.add("no step of the pipeline has this filter; ignored", at: .key("filters.\(filter.key)"))
          continue
        }
        for use in all { add(filter, use) }
      }
      for name in uses.keys.sorted() where !filters.contains(where: { $0.key == name }) {
        draft.lose("the filter \(ExchangeNote.quoted(name)) is missing", at: .key("pipeline"), notes: &notes)
      }
    } else {
      notes.add("the configuration has no pipeline; all filters are read, for both channels", at: .key("filters"))
      for filter in filters { add(filter, Use(left: 1, right: 1, isBypassed: false)) }
    }
    try draft.requireContent(of: "CamillaDSP configuration")
    return [NamedEqualizer(name: document["title"]?.string, equalizer: draft.equalizer(notes: &notes))]
  }

  private mutating func readPipeline(_ steps: [JSONValue], devices: JSONValue) -> [String: [Use]] {
    var uses: [String: [Use]] = [:]
    for (index, step) in steps.enumerated() {
      let path = "pipeline[\(index)]"
      let type = step["type"]?.string ?? ""
      guard type == "Filter" else {
        notes.add("a preset cannot hold a step of type \(ExchangeNote.quoted(type)); ignored", at: .key(path))
        continue
      }
      let isBypassed = SettingValue.isOn(step["bypassed"]) ?? false
      // Up to version 2 a step has one channel.
      let list = step["channels"]?.array ?? step["channel"].map { [$0] }
      let channels = (list ?? [.integer(0), .integer(1)]).compactMap { SettingValue.number($0) }
      let others = channels.filter { $0 != 0 && $0 != 1 }
      if !others.isEmpty {
        let names = others.prefix(8).map { DecimalText.number($0, places: 0) }.joined(separator: ", ")
        notes.add("a preset has only the channels 0 and 1, not \(names)", at: .key("\(path).channels"))
      }
      for name in step["names"]?.array ?? [] {
        guard let name = name.string ?? name.double.map({ DecimalText.number($0, places: 6) }) else { continue }
        let isLeft = channels.contains(0)
        let isRight = channels.contains(1)
        guard isLeft || isRight else { continue }
        var all = uses[Self.replacingTokens(name, devices), default: []]
        let place = all.firstIndex { $0.isBypassed == isBypassed } ?? all.endIndex
        if place == all.endIndex { all.append(Use(isBypassed: isBypassed)) }
        all[place].left += isLeft ? 1 : 0
        all[place].right += isRight ? 1 : 0
        uses[Self.replacingTokens(name, devices)] = all
      }
    }
    return uses
  }

  private static func replacingTokens(_ name: String, _ devices: JSONValue) -> String {
    guard name.contains("$") else { return name }
    func text(_ value: JSONValue?) -> String { value?.double.map { DecimalText.number($0, places: 0) } ?? "" }
    return name.replacing("$samplerate$", with: text(devices["samplerate"]))
      .replacing("$channels$", with: text(devices["capture"]?["channels"]))
  }

  private mutating func add(_ filter: JSONValue.Member, _ use: Use) {
    let path = "filters.\(filter.key)"
    let both = min(use.left, use.right)
    let rest: (channels: BandChannels, count: Int) =
      use.left > use.right ? (.left, use.left - both) : (.right, use.right - both)
    for (channels, count) in [(.all, both), rest] {
      // More than the bands of a preset are never kept.
      for _ in 0..<min(count, Equalizer.maximumBandCount + 1) {
        add(filter.value, channels: channels, isBypassed: use.isBypassed, path: path)
      }
    }
  }

  private mutating func add(_ filter: JSONValue, channels: BandChannels, isBypassed: Bool, path: String) {
    let type = filter["type"]?.string ?? ""
    let values = CamillaDSPParameters(filter["parameters"] ?? .null, path: "\(path).parameters")
    switch type {
    case "Gain":
      addGain(values, channels: channels, isBypassed: isBypassed)
    case "Biquad", "BiquadCombo":
      do throws(CamillaDSPParameters.Fault) {
        for part in try type == "Biquad" ? [values.biquad()] : values.combination() {
          draft.add(
            part.shape, frequency: part.frequency, gain: part.gain, width: part.width, channels: channels,
            isBypassed: isBypassed, at: .key(path), notes: &notes)
        }
      } catch {
        draft.lose(error.reason, at: .key(path), notes: &notes)
      }
    case "Conv", "DiffEq":
      draft.lose("a preset cannot hold a filter of type \(type)", at: .key(path), notes: &notes)
    default:
      notes.add("a preset cannot hold a filter of type \(ExchangeNote.quoted(type)); ignored", at: .key(path))
    }
  }

  private mutating func addGain(_ values: CamillaDSPParameters, channels: BandChannels, isBypassed: Bool) {
    let place = ExchangeNote.Place.key(values.path)
    if isBypassed { return notes.add("the gain of a bypassed step is ignored", at: place) }
    guard let gain = values.number("gain") else {
      return draft.lose("a gain that is not a number", at: place, notes: &notes)
    }
    if values.isOn("mute") { notes.add("a preset cannot be silent; mute is ignored", at: place) }
    guard values.text("scale") == "linear" else {
      if values.isOn("inverted") { notes.add("a preset cannot invert the sound; ignored", at: place) }
      return draft.add(gain: gain, channels: channels)
    }
    guard gain != 0 else { return draft.lose("a preset cannot be silent", at: place, notes: &notes) }
    if (gain < 0) != values.isOn("inverted") { notes.add("a preset cannot invert the sound; ignored", at: place) }
    draft.add(gain: 20 * log10(abs(gain)), channels: channels)
  }
}
