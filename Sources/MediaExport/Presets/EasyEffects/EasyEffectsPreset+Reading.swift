internal import MediaModel

extension EasyEffectsPreset {
  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExportError) -> [NamedEqualizer] {
    let document: JSONValue
    do throws(ByteReader.Failure) { document = try JSONValue(parsing: bytes) } catch {
      throw .preset(reason: "no JSON: \(error)")
    }
    let pipelines = ["output", "input"].filter { isPipeline(document[$0]) }
    guard let name = pipelines.first, let pipeline = document[name] else {
      throw .preset(reason: "the preset of EasyEffects has no equalizer")
    }
    if pipelines.count > 1 { notes.add("the equalizer for recording is not read", at: .key("input")) }
    if name == "input" { notes.add("the equalizer is one for recording", at: .key("input")) }
    for member in document.members ?? [] where member.key != "output" && member.key != "input" {
      notes.add("is not read", at: .key(member.key))
    }
    var draft = EqualizerDraft()
    for member in pipeline.members ?? [] {
      let path = "\(name).\(member.key)"
      switch member.key {
      case "plugins_order": break
      case "blocklist":
        if member.value.array?.isEmpty == false { notes.add("is not read", at: .key(path)) }
      case _ where isEqualizer(member.key): read(member.value, path: path, into: &draft, notes: &notes)
      default: notes.add("this effect cannot be said by a preset, not read", at: .key(path))
      }
    }
    return [NamedEqualizer(name: nil, equalizer: draft.equalizer(notes: &notes))]
  }

  static func isPipeline(_ value: JSONValue?) -> Bool {
    value?.members?.contains { isEqualizer($0.key) && $0.value.members != nil } ?? false
  }

  private static func isEqualizer(_ key: String) -> Bool { key == "equalizer" || key.hasPrefix("equalizer#") }

  private static func read(
    _ plugin: JSONValue, path: String, into draft: inout EqualizerDraft, notes: inout ExchangeNotes
  ) {
    func number(_ key: String, _ notes: inout ExchangeNotes) -> Double {
      guard let value = plugin[key] else { return 0 }
      guard let number = value.double, number.isFinite else {
        notes.add("is no number: 0 is taken", at: .key("\(path).\(key)"))
        return 0
      }
      return number
    }
    let isBypassed = plugin["bypass"]?.bool ?? false
    let gain = number("input-gain", &notes) + number("output-gain", &notes)
    if isBypassed {
      notes.add("the equalizer is bypassed: its bands are, too", at: .key("\(path).bypass"))
      if gain != 0 { notes.add("the gains of a bypassed equalizer are not read", at: .key(path)) }
    } else {
      draft.add(gain: gain)
    }
    for key in ["balance", "pitch-left", "pitch-right"] where number(key, &notes) != 0 {
      notes.add("cannot be said by a preset, not read", at: .key("\(path).\(key)"))
    }
    if let mode = plugin["mode"]?.string, mode != "IIR" {
      notes.add("the mode \(ExchangeNote.quoted(mode)) is read as IIR: phases differ", at: .key("\(path).mode"))
    }
    let known: Set<String> = [
      "bypass", "input-gain", "output-gain", "balance", "pitch-left", "pitch-right", "mode", "num-bands",
      "split-channels", "left", "right",
    ]
    for member in plugin.members ?? [] where !known.contains(member.key) {
      notes.add("is not known, not read", at: .key("\(path).\(member.key)"))
    }
    let count = bandCount(plugin, path: path, notes: &notes)
    let isSplit = plugin["split-channels"]?.bool ?? false
    let isEqual = bands(plugin["left"], count) == bands(plugin["right"], count)
    let sides: [(key: String, channels: BandChannels)] =
      isSplit && !isEqual ? [("left", .left), ("right", .right)] : [("left", .all)]
    for side in sides {
      let sidePath = "\(path).\(side.key)"
      guard let bands = plugin[side.key], bands.members != nil else {
        notes.add("is missing", at: .key(sidePath))
        continue
      }
      var foreignModes: [String: Int] = [:]
      for index in 0..<count {
        let bandPath = "\(sidePath).band\(index)"
        guard let value = bands["band\(index)"], value.members != nil else {
          notes.add("is missing", at: .key(bandPath))
          continue
        }
        let band = EasyEffectsBand(value, path: bandPath, notes: &notes)
        if band.isForeign { foreignModes[band.mode, default: 0] += 1 }
        band.add(to: &draft, channels: side.channels, isBypassed: isBypassed, path: bandPath, notes: &notes)
      }
      for (mode, count) in foreignModes.sorted(by: { $0.key < $1.key }) {
        notes.add("\(count) bands of mode \(ExchangeNote.quoted(mode)) are read as APO (DR)", at: .key(sidePath))
      }
    }
  }

  private static func bands(_ side: JSONValue?, _ count: Int) -> [JSONValue?] {
    (0..<count).map { side?["band\($0)"] }
  }

  private static func bandCount(_ plugin: JSONValue, path: String, notes: inout ExchangeNotes) -> Int {
    let present = plugin["left"]?.members?.count { $0.key.hasPrefix("band") } ?? 0
    guard let value = plugin["num-bands"] else { return min(present, Equalizer.maximumBandCount) }
    guard case .integer(let number) = value, (0...Int64(Equalizer.maximumBandCount)).contains(number) else {
      notes.add("is no count of bands", at: .key("\(path).num-bands"))
      return min(present, Equalizer.maximumBandCount)
    }
    return Int(number)
  }
}
