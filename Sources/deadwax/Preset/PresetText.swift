internal import MediaExport
internal import MediaModel
internal import MediaStore

/// Presets as people read them.
enum PresetText {
  /// What `create` and `edit` say they made.
  static func writeResult(_ preset: Preset, isJSON: Bool, isQuiet: Bool) throws {
    if isJSON {
      try StandardOutput.line(preset.document.prettyText)
    } else if !isQuiet {
      try StandardOutput.line(TerminalText.escaped("\(preset.name): \(summary(preset.chain))"))
    }
  }

  /// `gain -4.47 dB, 4 bands, pitch 100 cents`.
  static func summary(_ chain: EffectChain) -> String {
    let parts = [
      chain.equalizer.gain == 0 ? nil : "gain \(number(chain.equalizer.gain)) dB",
      NumberText.count(chain.equalizer.bands.count, "band"), effects(chain),
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// nil where there are none.
  static func effects(_ chain: EffectChain) -> String? {
    let parts = [
      chain.pitch == 0 ? nil : "pitch \(number(chain.pitch)) cents",
      chain.reverberation.map { "reverb \($0.room.rawValue) \(number($0.mix)) %" },
      chain.rate == 1 ? nil : "rate \(number(chain.rate))",
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Names and values, then the bands by their numbers.
  static func lines(
    _ preset: Preset, isBuiltIn: Bool, trackCount: Int, assignments: [PresetAssignment]
  ) -> [String] {
    let equalizer = preset.chain.equalizer
    var lines = [preset.name.text + (isBuiltIn ? "  (comes with the program)" : "")]
    let highest = equalizer.peakResponse(sampleRate: 48_000)
    lines.append(
      "gain      \(number(equalizer.gain)) dB; the sum is highest at \(DecimalText.number(highest, places: 2)) dB"
        + (equalizer.isCompensated ? "; compensated" : ""))
    if let effects = effects(preset.chain) { lines.append("effects   " + effects) }
    for (index, band) in equalizer.bands.enumerated() {
      let number = String(index + 1)
      lines.append("band" + String(repeating: " ", count: max(1, 4 - number.count)) + number + "  " + band.text)
    }
    if trackCount > 0 { lines.append("assigned  to \(NumberText.count(trackCount, "track"))") }
    for assignment in assignments {
      lines.append("assigned  to \(assignment.subject)" + (assignment.isOn ? "" : ", switched off"))
    }
    return lines
  }

  static func number(_ value: Double) -> String { DecimalText.number(value, places: 3) }
}
