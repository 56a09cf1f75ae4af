internal import Base
internal import MediaModel

extension EasyEffectsPreset {
  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExchangeError) -> [NamedEqualizer] {
    let document: JSONValue
    do throws(ByteReader.Failure) { document = try JSONValue(parsing: bytes) } catch {
      throw .unreadable("not JSON: \(error)")
    }
    let pipelines = ["output", "input"].filter { isPipeline(document[$0]) }
    guard let name = pipelines.first, let pipeline = document[name] else {
      throw .unreadable("the EasyEffects preset has no equalizer")
    }
    if pipelines.count > 1 { notes.add("the equalizer for audio input is ignored", at: .key("input")) }
    if name == "input" { notes.add("the equalizer is for audio input", at: .key("input")) }
    for member in document.members ?? [] where member.key != "output" && member.key != "input" {
      notes.add("ignored", at: .key(member.key))
    }
    let unplayed = unplayed(in: pipeline)
    let isAnyPlayed = (pipeline.members ?? []).contains { isEqualizer($0.key) && !unplayed.contains($0.key) }
    var draft = EqualizerDraft()
    for member in pipeline.members ?? [] {
      let path = "\(name).\(member.key)"
      switch member.key {
      case "plugins_order": break
      case "blocklist", "blacklist":
        if member.value.array?.isEmpty == false || member.value.string?.isEmpty == false {
          notes.add("ignored", at: .key(path))
        }
      case _ where unplayed.contains(member.key) && isAnyPlayed:
        notes.add("is not in plugins_order, so EasyEffects does not play it; ignored", at: .key(path))
      case _ where isEqualizer(member.key):
        if unplayed.contains(member.key) {
          notes.add("is not in plugins_order, so EasyEffects does not play it; its bands are bypassed", at: .key(path))
        }
        read(member.value, path: path, isPlayed: isAnyPlayed, into: &draft, notes: &notes)
      default: notes.add("a preset cannot hold this effect; ignored", at: .key(path))
      }
    }
    try draft.requireContent(of: "EasyEffects preset")
    return [NamedEqualizer(name: nil, equalizer: draft.equalizer(notes: &notes))]
  }

  static func isPipeline(_ value: JSONValue?) -> Bool {
    value?.members?.contains { isEqualizer($0.key) && $0.value.members != nil } ?? false
  }

  private static func isEqualizer(_ key: String) -> Bool { key == "equalizer" || key.hasPrefix("equalizer#") }

  /// The equalizers that the pipeline has but does not play. Without a number, as before version 7, the first is meant.
  private static func unplayed(in pipeline: JSONValue) -> Set<String> {
    guard let order = pipeline["plugins_order"]?.array?.compactMap(\.string) else { return [] }
    func instance(_ name: String) -> String { name == "equalizer" ? "equalizer#0" : name }
    let played = Set(order.map(instance))
    return Set(
      (pipeline.members ?? []).map(\.key).filter { isEqualizer($0) && !played.contains(instance($0)) })
  }

  private static func read(
    _ plugin: JSONValue, path: String, isPlayed: Bool, into draft: inout EqualizerDraft, notes: inout ExchangeNotes
  ) {
    func number(_ key: String, _ notes: inout ExchangeNotes) -> Double {
      guard let value = plugin[key] else { return 0 }
      guard let number = SettingValue.number(value) else {
        notes.add("is not a number; 0 is used", at: .key("\(path).\(key)"))
        return 0
      }
      return number
    }
    // PulseEffects had the opposite.
    let isOff = SettingValue.isOn(plugin["bypass"]) ?? SettingValue.isOn(plugin["state"]).map { !$0 } ?? false
    let gain = number("input-gain", &notes) + number("output-gain", &notes)
    if isOff { notes.add("the equalizer is bypassed; so are its bands", at: .key("\(path).bypass")) }
    let isBypassed = isOff || !isPlayed
    if !isBypassed {
      draft.add(gain: gain)
    } else if gain != 0 {
      notes.add("the gains of a bypassed equalizer are ignored", at: .key(path))
    }
    for key in ["balance", "pitch-left", "pitch-right"] where number(key, &notes) != 0 {
      notes.add("a preset cannot hold this; ignored", at: .key("\(path).\(key)"))
    }
    if let mode = plugin["mode"]?.string, mode != "IIR" {
      notes.add("the mode \(ExchangeNote.quoted(mode)) is read as IIR, whose phase differs", at: .key("\(path).mode"))
    }
    let known: Set<String> = [
      "bypass", "state", "input-gain", "output-gain", "balance", "pitch-left", "pitch-right", "mode", "num-bands",
      "split-channels", "left", "right", "decramp",
    ]
    for member in plugin.members ?? [] where !known.contains(member.key) {
      notes.add("is unknown; ignored", at: .key("\(path).\(member.key)"))
    }
    if let decramp = plugin["decramp"]?.string, decramp != "Off" {
      notes.add("a preset cannot hold this; ignored", at: .key("\(path).decramp"))
    }
    let count = bandCount(plugin, path: path, notes: &notes)
    let isSplit = SettingValue.isOn(plugin["split-channels"]) ?? false
    let isEqual = bands(plugin["left"], count) == bands(plugin["right"], count)
    let sides: [(key: String, channels: BandChannels)] =
      isSplit && !isEqual ? [("left", .left), ("right", .right)] : [("left", .all)]
    for side in sides {
      let sidePath = "\(path).\(side.key)"
      guard let bands = plugin[side.key], bands.members != nil else {
        draft.lose("is missing", at: .key(sidePath), notes: &notes)
        continue
      }
      var foreignModes: [String: Int] = [:]
      for index in 0..<count {
        let bandPath = "\(sidePath).band\(index)"
        guard let value = bands["band\(index)"], value.members != nil else {
          draft.lose("is missing", at: .key(bandPath), notes: &notes)
          continue
        }
        let band = EasyEffectsBand(value, index: index, path: bandPath, notes: &notes)
        if band.isApproximate { foreignModes[band.mode, default: 0] += 1 }
        band.add(to: &draft, channels: side.channels, isBypassed: isBypassed, path: bandPath, notes: &notes)
      }
      for (mode, count) in foreignModes.sorted(by: { $0.key < $1.key }) {
        notes.add(
          "\(count) bands of mode \(ExchangeNote.quoted(mode)) are read as \(EasyEffectsBand.nearestMode(to: mode))",
          at: .key(sidePath))
      }
    }
  }

  private static func bands(_ side: JSONValue?, _ count: Int) -> [JSONValue?] {
    (0..<count).map { side?["band\($0)"] }
  }

  private static func bandCount(_ plugin: JSONValue, path: String, notes: inout ExchangeNotes) -> Int {
    let present = plugin["left"]?.members?.count { $0.key.hasPrefix("band") } ?? 0
    guard let value = plugin["num-bands"] else { return min(present, Equalizer.maximumBandCount) }
    guard let number = SettingValue.number(value).flatMap({ Int(exactly: $0) }),
      (0...Equalizer.maximumBandCount).contains(number)
    else {
      notes.add("is not a number of bands", at: .key("\(path).num-bands"))
      return min(present, Equalizer.maximumBandCount)
    }
    return number
  }
}
