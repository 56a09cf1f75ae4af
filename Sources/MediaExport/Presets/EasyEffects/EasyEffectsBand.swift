internal import MediaModel

/// A band of EasyEffects' equalizer, as its document says it.
struct EasyEffectsBand {
  private let type: String
  private let frequency: Double
  private let gain: Double
  private let quality: Double
  private let isMuted: Bool
  /// The kind of filter: only Equalizer APO's is the cookbook's.
  let mode: String

  init(_ value: JSONValue, path: String, notes: inout ExchangeNotes) {
    func number(_ key: String, absent: Double, _ notes: inout ExchangeNotes) -> Double {
      guard let member = value[key] else { return absent }
      guard let number = member.double, number.isFinite else {
        notes.add("is no number: \(DecimalText.number(absent, places: 2)) is taken", at: .key("\(path).\(key)"))
        return absent
      }
      return number
    }
    type = value["type"]?.string ?? "Bell"
    if value["type"] == nil { notes.add("is missing: a bell is taken", at: .key("\(path).type")) }
    mode = value["mode"]?.string ?? "RLC (BT)"
    frequency = number("frequency", absent: 1_000, &notes)
    gain = number("gain", absent: 0, &notes)
    quality = number("q", absent: 4.36, &notes)
    isMuted = value["mute"]?.bool ?? false
    guard type != "Off" else { return }
    if let slope = value["slope"]?.string, slope != "x1" {
      notes.add("a slope of \(ExchangeNote.quoted(slope)) cannot be said: x1 is read", at: .key("\(path).slope"))
    }
    if value["solo"]?.bool == true { notes.add("is not read", at: .key("\(path).solo")) }
    let known: Set<String> = ["type", "mode", "slope", "solo", "mute", "gain", "frequency", "q", "width"]
    for member in value.members ?? [] where !known.contains(member.key) {
      notes.add("is not known, not read", at: .key("\(path).\(member.key)"))
    }
  }

  var isForeign: Bool { type != "Off" && mode != EasyEffectsPreset.mode }

  func add(
    to draft: inout EqualizerDraft, channels: BandChannels, isBypassed: Bool, path: String, notes: inout ExchangeNotes
  ) {
    guard type != "Off" else { return }
    guard let shape = EasyEffectsPreset.types.first(where: { $0.name == type })?.shape else {
      return notes.add("the type \(ExchangeNote.quoted(type)) cannot be said by a preset, not read", at: .key(path))
    }
    if !shape.hasGain, gain != 0 { notes.add("a \(type) has no gain: not read", at: .key("\(path).gain")) }
    draft.add(
      shape.plain(quality: quality), frequency: frequency, gain: gain, width: .quality(quality), channels: channels,
      isBypassed: isMuted || isBypassed, at: .key(path), notes: &notes)
  }
}
