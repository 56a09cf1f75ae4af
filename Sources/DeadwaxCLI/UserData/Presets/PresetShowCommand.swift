internal import ArgumentParser
internal import Base
internal import MediaDrawing
internal import MediaModel
internal import UserData

struct PresetShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a preset, its bands and its curve.",
    discussion: "`preset import` reads the document that --json prints.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Print the preset as a JSON document.")
  var json = false

  @Argument(help: "The preset.", completion: Completions.presets)
  var name: String

  func run() throws {
    try library.reading { store in
      let stored = try store.presets.preset(named: name)
      // A preset of a newer version is printed as it is stored.
      if json { return try StandardOutput.line((try? stored.preset())?.document.prettyText ?? stored.document) }
      let preset = try stored.preset()
      let assignments = try store.presets.assignmentsBesidesTracks(of: stored)
      let lines = PresetText.lines(
        preset, isBuiltIn: stored.isBuiltIn, trackCount: try store.presets.assignedTrackCount(of: stored),
        assignments: assignments)
      for line in lines {
        try StandardOutput.line(TerminalText.escaped(line))
      }
      guard !preset.chain.equalizer.bands.isEmpty else { return }
      let chart = EqualizerChart(equalizer: preset.chain.equalizer)
      try StandardOutput.write(
        "\n" + TerminalPictures.equalizer(chart, width: Terminal.width, capabilities: output.capabilities))
    }
  }
}

/// Presets for people.
enum PresetText {
  /// Prints the result of `create` and `edit`.
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

  /// nil if there are none.
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
    var lines = [preset.name.text + (isBuiltIn ? "  (built-in)" : "")]
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
      lines.append("assigned  to \(assignment.text)" + (assignment.isOn ? "" : ", switched off"))
    }
    return lines
  }

  static func number(_ value: Double) -> String { DecimalText.number(value, places: 3) }
}
