internal import Base
internal import MediaModel

/// Presets of XMMS and Audacious: sections with `Preamp=` and `Band0=` to `Band9=` in decibels.
enum AudaciousPresets {
  static let listSection = "Presets"
  static let singleSection = "Equalizer preset"
  private static let keys = (0..<10).map { "band\($0)" }

  static let scale = SliderScale(gains: -12...12, globalGains: -12...12) { ($0 * 1_000).rounded() / 1_000 }

  private struct Section {
    var name: String
    var line: Int
    var values: [String: (text: Substring, line: Int)] = [:]
  }

  static func read(_ bytes: [UInt8], notes: inout ExchangeNotes) throws(ExchangeError) -> [NamedEqualizer] {
    var sections: [Section] = []
    for line in TextLines(bytes).lines where !line.text.hasPrefix("#") && !line.text.hasPrefix(";") {
      if line.text.first == "[", line.text.last == "]", line.text.count >= 2 {
        sections.append(Section(name: String(line.text.dropFirst().dropLast()), line: line.number))
      } else if let setting = SettingLine(line.text, separator: "=") {
        guard !sections.isEmpty else {
          notes.add("\(ExchangeNote.quoted(setting.name)) belongs to no section; ignored", at: .line(line.number))
          continue
        }
        sections[sections.count - 1].values[setting.name.lowercased()] = (setting.value, line.number)
      } else {
        notes.add("\(ExchangeNote.quoted(line.text)) is not a setting", at: .line(line.number))
      }
    }
    var names: Set<String> = []
    var presets: [NamedEqualizer] = []
    for section in sections where section.name == listSection {
      for (key, value) in section.values {
        if key.hasPrefix("preset") { names.insert(String(value.text)) }
      }
    }
    for section in sections where section.name != listSection {
      if let equalizer = try equalizer(of: section, notes: &notes) {
        let isSingle = section.name == singleSection && !names.contains(singleSection)
        presets.append(NamedEqualizer(name: isSingle ? nil : section.name, equalizer: equalizer))
      }
    }
    for name in names.subtracting(sections.map(\.name)).sorted() {
      notes.add("the preset \(ExchangeNote.quoted(name)) is listed but missing")
    }
    guard !presets.isEmpty else { throw .unreadable("the file has no Audacious or XMMS preset") }
    return presets
  }

  private static func equalizer(
    of section: Section, notes: inout ExchangeNotes
  ) throws(ExchangeError) -> Equalizer? {
    guard section.values.keys.contains(where: { $0 == "preamp" || keys.contains($0) }) else {
      notes.add("the section \(ExchangeNote.quoted(section.name)) is not a preset; ignored", at: .line(section.line))
      return nil
    }
    var isAnyNumber = false
    func number(_ key: String, _ notes: inout ExchangeNotes) -> Double {
      guard let (text, line) = section.values[key] else {
        notes.add("\(key) is missing in \(ExchangeNote.quoted(section.name)); 0 is used", at: .line(section.line))
        return 0
      }
      if let value = SettingValue.number(text) {
        isAnyNumber = true
        return value
      }
      notes.add("\(key) is \(ExchangeNote.quoted(text)), not a number; 0 is used", at: .line(line))
      return 0
    }
    var values: [Double] = []
    for key in keys { values.append(number(key, &notes)) }
    let gain = number("preamp", &notes)
    guard isAnyNumber else {
      throw .unreadable("line \(section.line): the preset \(ExchangeNote.quoted(section.name)) has no number")
    }
    for (key, value) in section.values.sorted(by: { $0.value.line < $1.value.line })
    where key != "preamp" && !keys.contains(key) {
      notes.add("\(ExchangeNote.quoted(key)) is not part of a preset; ignored", at: .line(value.line))
    }
    return SliderBank.winamp.equalizer(values, gain: gain, at: .line(section.line), notes: &notes)
  }

  static func write(_ presets: [Preset], isLibrary: Bool, notes: inout ExchangeNotes) -> ([UInt8], CurveDeviation) {
    var lines: [String] = []
    var worst = CurveDeviation.none
    var names: [String] = []
    // Two sections with the same name would be one preset; the name of the list itself is reserved.
    var taken: Set = [listSection]
    for preset in presets {
      // A bracket would end the name of the section.
      var name = String(preset.name.text.map { $0 == "[" || $0 == "]" ? "_" : $0 })
      while !taken.insert(name).inserted { name += "_" }
      if name != preset.name.text { notes.add("the name \(ExchangeNote.quoted(preset.name.text)) became \(name)") }
      names.append(name)
    }
    if isLibrary {
      lines.append("[\(listSection)]")
      for (index, name) in names.enumerated() { lines.append("Preset\(index)=\(name)") }
    }
    for (preset, name) in zip(presets, names) {
      let conversion = SliderConversion(
        preset.chain.equalizer, to: .winamp, scale: scale, notes: &notes,
        asEqualizer: { values, gain in
          var notes = ExchangeNotes()
          return SliderBank.winamp.equalizer(values, gain: gain, at: nil, notes: &notes)
        })
      lines.append("[\(isLibrary ? name : singleSection)]")
      lines.append("Preamp=\(DecimalText.number(conversion.gain, places: 3))")
      for (index, value) in conversion.values.enumerated() {
        lines.append("Band\(index)=\(DecimalText.number(value, places: 3))")
      }
      if conversion.deviation.maximum > worst.maximum { worst = conversion.deviation }
    }
    return (Array((lines.joined(separator: "\n") + "\n").utf8), worst)
  }
}
