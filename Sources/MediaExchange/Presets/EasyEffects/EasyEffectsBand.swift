internal import Base
internal import Glibc
internal import MediaModel

/// A band of an EasyEffects equalizer, whose filters are those of the Linux Studio Plugins' parametric equalizer
/// (lsp-dsp-units, `Filter.cpp`).
struct EasyEffectsBand {
  private let type: String
  private let frequency: Double
  private let gain: Double
  private let quality: Double
  private let slope: Int
  private let isMuted: Bool
  /// The filter design, and how the analogue filter becomes a digital one.
  let mode: String

  /// The modes in their order; the first is the default.
  private static let modes = [
    "RLC (BT)", "RLC (MT)", "BWC (BT)", "BWC (MT)", "LRX (BT)", "LRX (MT)", EasyEffectsPreset.mode,
  ]
  /// In hertz: where a band lies whose frequency is missing.
  private static let frequencies = [
    22.4, 27.8, 34.51, 42.82, 53.14, 65.95, 81.83, 101.55, 126, 156.38, 194.06, 240.81, 298.834, 370.834, 460.182,
    571.057, 708.647, 879.387, 1091.26, 1354.19, 1680.47, 2085.35, 2587.79, 3211.29, 3985.01, 4945.15, 6136.63, 7615.17,
    9449.96, 11726.8, 14552.2, 18058.4,
  ]
  private static let defaultQuality = 4.36

  /// - Parameter index: Of the band, from 0.
  init(_ value: JSONValue, index: Int, path: String, notes: inout ExchangeNotes) {
    func number(_ key: String, absent: Double, _ notes: inout ExchangeNotes) -> Double {
      guard let member = value[key] else { return absent }
      guard let number = SettingValue.number(member) else {
        notes.add("is not a number; \(DecimalText.number(absent, places: 2)) is used", at: .key("\(path).\(key)"))
        return absent
      }
      return number
    }
    type = value["type"]?.string ?? "Bell"
    if value["type"] == nil { notes.add("is missing; a bell is used", at: .key("\(path).type")) }
    mode = value["mode"]?.string ?? Self.modes[0]
    let usual = index < Self.frequencies.count ? Self.frequencies[index] : 1_000
    frequency = number("frequency", absent: usual, &notes)
    gain = number("gain", absent: 0, &notes)
    quality = number("q", absent: Self.defaultQuality, &notes)
    isMuted = SettingValue.isOn(value["mute"]) ?? false
    let written = value["slope"]?.string ?? "x1"
    let steps = Int(written.dropFirst()).flatMap { written.hasPrefix("x") && (1...4).contains($0) ? $0 : nil }
    slope = Self.hasKnownSlopes(mode) ? steps ?? 1 : 1
    guard type != "Off" else { return }
    if steps != slope {
      notes.add("a slope of \(ExchangeNote.quoted(written)) cannot be read; x1 is used", at: .key("\(path).slope"))
    }
    for (key, used) in [("frequency", frequency), ("gain", gain), ("q", quality)]
    where value[key] == nil && (key != "gain" || shape?.hasGain == true) {
      notes.add(
        "is missing; \(DecimalText.number(used, places: 2)) is used, as in EasyEffects", at: .key("\(path).\(key)"))
    }
    if SettingValue.isOn(value["solo"]) == true { notes.add("ignored", at: .key("\(path).solo")) }
    let known: Set<String> = ["type", "mode", "slope", "solo", "mute", "gain", "frequency", "q", "width"]
    for member in value.members ?? [] where !known.contains(member.key) {
      notes.add("is unknown; ignored", at: .key("\(path).\(member.key)"))
    }
  }

  private var shape: FilterShape? { EasyEffectsPreset.types.first { $0.name == type }?.shape }

  /// Only the modes that are read exactly have slopes that can be; in `APO (DR)` they have no effect.
  private static func hasKnownSlopes(_ mode: String) -> Bool { mode.hasPrefix("RLC") || mode == EasyEffectsPreset.mode }

  /// The mode as which bands of `mode` are read. The variants MT differ from BT only close to half the sample rate.
  static func nearestMode(to mode: String) -> String {
    mode == EasyEffectsPreset.mode ? mode : modes[0]
  }

  /// Whether the band's response differs from that in EasyEffects.
  var isApproximate: Bool {
    guard type != "Off", mode != EasyEffectsPreset.mode, mode != Self.modes[0] else { return false }
    // These are the same in all modes with the bilinear transform.
    return !(["Notch", "Resonance"].contains(type) && mode.hasSuffix("(BT)") && Self.modes.contains(mode))
  }

  func add(
    to draft: inout EqualizerDraft, channels: BandChannels, isBypassed: Bool, path: String, notes: inout ExchangeNotes
  ) {
    guard type != "Off" else { return draft.skip() }
    guard let shape else {
      return draft.lose(
        "a preset cannot hold the type \(ExchangeNote.quoted(type))", at: .key(path), notes: &notes)
    }
    if !shape.hasGain, gain != 0 { notes.add("a \(type) has no gain; ignored", at: .key("\(path).gain")) }
    if shape == .bandPass, mode != EasyEffectsPreset.mode {
      notes.add("a Bandpass of this mode is read as one of mode APO (DR)", at: .key(path))
    }
    let part = cascade
    for _ in 0..<part.count {
      draft.add(
        shape.plain(quality: part.quality), frequency: frequency, gain: part.gain, width: .quality(part.quality),
        channels: channels, isBypassed: isMuted || isBypassed, at: .key(path), notes: &notes)
    }
  }

  /// The equal second-order filters of which the band consists.
  ///
  /// In the mode RLC the analogue prototypes have other damping than the Audio EQ Cookbook's. For a pass, a shelf, a notch
  /// or an all-pass 1/Q is 2 / (1 + q). A bell of linear gain g has the numerator's damping k·sin(atan g), with
  /// k = 2 (g + 1/g) / (1 + 2q), where the cookbook has √g / Q; a resonance has k = 2 / (1 + q). With a slope of n there
  /// are n filters, each with the n-th part of the gain, and for bells q / n.
  private var cascade: (count: Int, gain: Double, quality: Double) {
    guard mode != EasyEffectsPreset.mode, type != "Bandpass" else { return (1, gain, quality) }
    let count = type == "Notch" ? 1 : slope
    let part = gain / Double(count)
    let linear = pow(10, part / 20)
    let damped: (Double) -> Double = { damping in
      (1 + linear * linear).squareRoot() / (linear.squareRoot() * damping)
    }
    return switch type {
    case "Bell": (count, part, damped(2 * (linear + 1 / linear) / (1 + 2 * quality / Double(count))))
    case "Resonance": (count, part, damped(2 / (1 + quality)))
    default: (count, part, (1 + quality) / 2)
    }
  }
}
