internal import Base
internal import MediaModel

/// `.eqf` and `winamp.q1` files of Winamp: a signature, then 268 bytes for each preset.
enum WinampPresets {
  static let signature = Array("Winamp EQ library file v1.1".utf8)
  private static let mark: [UInt8] = [0x1A, 0x21, 0x2D, 0x2D]
  private static let nameCount = 257
  private static let recordCount = 268
  private static let headerCount = 31
  /// The name in an `.eqf` file, which says nothing about the preset.
  private static let customaryName = "Entry1"

  static let scale = SliderScale(gains: -12...12, globalGains: -12...12) { decibels(of: byte(for: $0)) }

  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExchangeError) -> [NamedEqualizer] {
    guard bytes.starts(with: signature) else {
      throw .unreadable("not a Winamp preset: the signature is missing")
    }
    guard bytes.count >= headerCount else { throw .unreadable("the file ends inside its header") }
    if Array(bytes[signature.count..<headerCount]) != mark {
      notes.add("the bytes after the signature are not those of Winamp", at: .byte(signature.count))
    }
    var presets: [NamedEqualizer] = []
    var start = headerCount
    while bytes.count - start >= recordCount {
      let name = LegacyText.decoded(bytes[start..<start + nameCount].prefix { $0 != 0 })
      let values = bytes[start + nameCount..<start + recordCount]
      for (index, value) in values.enumerated() where value > 63 {
        notes.add("the value \(value) is more than 63; 63 is used", at: .byte(start + nameCount + index))
      }
      let gains = values.map { decibels(of: min($0, 63)) }
      let equalizer = SliderBank.winamp.equalizer(
        Array(gains.prefix(10)), gain: gains[10], at: .byte(start), notes: &notes)
      let isCustomary = name.isEmpty || name == customaryName
      presets.append(NamedEqualizer(name: isCustomary ? nil : name, equalizer: equalizer))
      start += recordCount
    }
    if start < bytes.count {
      notes.add("\(bytes.count - start) bytes at the end are less than a preset; ignored", at: .byte(start))
    }
    return presets
  }

  /// - Parameter isLibrary: Whether the records get the names of the presets.
  static func write(_ presets: [Preset], isLibrary: Bool, notes: inout ExchangeNotes) -> ([UInt8], CurveDeviation) {
    var bytes = signature + mark
    var worst = CurveDeviation.none
    for preset in presets {
      var (name, isWhole) = LegacyText.encoded(isLibrary ? preset.name.text : customaryName)
      if name.count > nameCount - 1 {
        name = Array(name.prefix(nameCount - 1))
        isWhole = false
      }
      if !isWhole { notes.add("the name \(ExchangeNote.quoted(preset.name.text)) cannot be written in full") }
      let conversion = SliderConversion(
        preset.chain.equalizer, to: .winamp, scale: scale, notes: &notes, asEqualizer: equalizer)
      bytes += name + [UInt8](repeating: 0, count: nameCount - name.count)
      bytes += conversion.values.map(byte(for:)) + [byte(for: conversion.gain)]
      if conversion.deviation.maximum > worst.maximum { worst = conversion.deviation }
    }
    return (bytes, worst)
  }

  private static func equalizer(_ values: [Double], gain: Double) -> Equalizer {
    var notes = ExchangeNotes()
    return SliderBank.winamp.equalizer(values, gain: gain, at: nil, notes: &notes)
  }

  /// - Parameter byte: 0 (loudest) to 63; 31 is exactly 0 dB, although it is not quite in the middle.
  static func decibels(of byte: UInt8) -> Double { byte == 31 ? 0 : (31.5 - Double(byte)) * 12 / 31.5 }

  static func byte(for decibels: Double) -> UInt8 {
    guard decibels != 0 else { return 31 }
    let middle = UInt8(min(max((31.5 - decibels * 31.5 / 12).rounded(), 0), 63))
    // The steps around 0 dB are uneven.
    let candidates = (middle == 0 ? 0 : middle - 1)...min(63, middle + 1)
    return candidates.min { abs(self.decibels(of: $0) - decibels) < abs(self.decibels(of: $1) - decibels) } ?? middle
  }
}
