internal import Base
internal import MediaModel

/// Presets of EasyEffects: JSON documents with an equalizer among their effects.
enum EasyEffectsPreset {
  /// The mode in which the filters are those of the Audio EQ Cookbook.
  static let mode = "APO (DR)"
  /// For writing, the first name of a shape counts.
  static let types: [(name: String, shape: FilterShape)] = [
    ("Bell", .parametric), ("Hi-pass", .resonantHighPass), ("Hi-shelf", .resonantHighShelf),
    ("Lo-pass", .resonantLowPass), ("Lo-shelf", .resonantLowShelf), ("Notch", .bandStop), ("Allpass", .allPass),
    ("Bandpass", .bandPass),
  ]
  /// The range of the input gain, and of the output gain.
  private static let gains = -36.0...36.0

  static func write(_ equalizer: Equalizer) -> [UInt8] {
    let isSplit = equalizer.bands.contains { $0.channels != .all }
    let left = equalizer.bands.filter { $0.channels.contains(0) }
    let right = equalizer.bands.filter { $0.channels.contains(1) }
    // EasyEffects refuses a preset without bands.
    let count = max(1, left.count, right.count)
    let input = min(max(equalizer.gain, gains.lowerBound), gains.upperBound)
    let plugin = JSONValue.object([
      "bypass": .bool(false), "input-gain": .number(input), "output-gain": .number(equalizer.gain - input),
      "mode": .string("IIR"), "split-channels": .bool(isSplit), "balance": .number(0), "pitch-left": .number(0),
      "pitch-right": .number(0), "num-bands": .integer(count), "left": side(left, count: count),
      "right": side(right, count: count),
    ])
    let document = JSONValue.object([
      "output": .object([
        "blocklist": .array([]), "plugins_order": .array([.string("equalizer#0")]), "equalizer#0": plugin,
      ])
    ])
    return Array((document.prettyText + "\n").utf8)
  }

  private static func side(_ bands: [EqualizerBand], count: Int) -> JSONValue {
    .object(
      (0..<count).map { index in
        JSONValue.Member("band\(index)", index < bands.count ? document(of: bands[index]) : off)
      })
  }

  private static func document(of band: EqualizerBand) -> JSONValue {
    let name = types.first { $0.shape == band.shape.resonant }?.name ?? "Off"
    return .object([
      "type": .string(name), "mode": .string(mode), "slope": .string("x1"), "solo": .bool(false),
      "mute": .bool(band.isBypassed), "gain": .number(band.gain), "frequency": .number(band.frequency),
      "q": .number(band.width.quality), "width": .number(4),
    ])
  }

  /// Not a constant: LeakSanitizer does not see what a constant of this type points to.
  private static var off: JSONValue {
    .object([
      "type": .string("Off"), "mode": .string(mode), "slope": .string("x1"), "solo": .bool(false), "mute": .bool(false),
      "gain": .number(0), "frequency": .number(1_000), "q": .number(4.36), "width": .number(4),
    ])
  }
}

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
    var draft = EqualizerDraft()
    for member in pipeline.members ?? [] {
      let path = "\(name).\(member.key)"
      switch member.key {
      case "plugins_order": break
      case "blocklist":
        if member.value.array?.isEmpty == false { notes.add("ignored", at: .key(path)) }
      case _ where isEqualizer(member.key): read(member.value, path: path, into: &draft, notes: &notes)
      default: notes.add("a preset cannot hold this effect; ignored", at: .key(path))
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
        notes.add("is not a number; 0 is used", at: .key("\(path).\(key)"))
        return 0
      }
      return number
    }
    let isBypassed = plugin["bypass"]?.bool ?? false
    let gain = number("input-gain", &notes) + number("output-gain", &notes)
    if isBypassed {
      notes.add("the equalizer is bypassed; so are its bands", at: .key("\(path).bypass"))
      if gain != 0 { notes.add("the gains of a bypassed equalizer are ignored", at: .key(path)) }
    } else {
      draft.add(gain: gain)
    }
    for key in ["balance", "pitch-left", "pitch-right"] where number(key, &notes) != 0 {
      notes.add("a preset cannot hold this; ignored", at: .key("\(path).\(key)"))
    }
    if let mode = plugin["mode"]?.string, mode != "IIR" {
      notes.add("the mode \(ExchangeNote.quoted(mode)) is read as IIR, whose phase differs", at: .key("\(path).mode"))
    }
    let known: Set<String> = [
      "bypass", "input-gain", "output-gain", "balance", "pitch-left", "pitch-right", "mode", "num-bands",
      "split-channels", "left", "right",
    ]
    for member in plugin.members ?? [] where !known.contains(member.key) {
      notes.add("is unknown; ignored", at: .key("\(path).\(member.key)"))
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
      notes.add("is not a number of bands", at: .key("\(path).num-bands"))
      return min(present, Equalizer.maximumBandCount)
    }
    return Int(number)
  }
}

/// A band of an EasyEffects equalizer.
struct EasyEffectsBand {
  private let type: String
  private let frequency: Double
  private let gain: Double
  private let quality: Double
  private let isMuted: Bool
  /// The filter design; only that of Equalizer APO follows the Audio EQ Cookbook.
  let mode: String

  init(_ value: JSONValue, path: String, notes: inout ExchangeNotes) {
    func number(_ key: String, absent: Double, _ notes: inout ExchangeNotes) -> Double {
      guard let member = value[key] else { return absent }
      guard let number = member.double, number.isFinite else {
        notes.add("is not a number; \(DecimalText.number(absent, places: 2)) is used", at: .key("\(path).\(key)"))
        return absent
      }
      return number
    }
    type = value["type"]?.string ?? "Bell"
    if value["type"] == nil { notes.add("is missing; a bell is used", at: .key("\(path).type")) }
    mode = value["mode"]?.string ?? "RLC (BT)"
    frequency = number("frequency", absent: 1_000, &notes)
    gain = number("gain", absent: 0, &notes)
    quality = number("q", absent: 4.36, &notes)
    isMuted = value["mute"]?.bool ?? false
    guard type != "Off" else { return }
    if let slope = value["slope"]?.string, slope != "x1" {
      notes.add("a slope of \(ExchangeNote.quoted(slope)) cannot be read; x1 is used", at: .key("\(path).slope"))
    }
    if value["solo"]?.bool == true { notes.add("ignored", at: .key("\(path).solo")) }
    let known: Set<String> = ["type", "mode", "slope", "solo", "mute", "gain", "frequency", "q", "width"]
    for member in value.members ?? [] where !known.contains(member.key) {
      notes.add("is unknown; ignored", at: .key("\(path).\(member.key)"))
    }
  }

  var isForeign: Bool { type != "Off" && mode != EasyEffectsPreset.mode }

  func add(
    to draft: inout EqualizerDraft, channels: BandChannels, isBypassed: Bool, path: String, notes: inout ExchangeNotes
  ) {
    guard type != "Off" else { return }
    guard let shape = EasyEffectsPreset.types.first(where: { $0.name == type })?.shape else {
      return notes.add("a preset cannot hold the type \(ExchangeNote.quoted(type)); ignored", at: .key(path))
    }
    if !shape.hasGain, gain != 0 { notes.add("a \(type) has no gain; ignored", at: .key("\(path).gain")) }
    draft.add(
      shape.plain(quality: quality), frequency: frequency, gain: gain, width: .quality(quality), channels: channels,
      isBypassed: isMuted || isBypassed, at: .key(path), notes: &notes)
  }
}
