internal import ArgumentParser
internal import Base
internal import MediaModel
internal import UserData

struct PresetListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ls",
    abstract: "List all presets, or their assignments.",
    aliases: ["list"])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Flag(help: "List tracks, albums and artists with their presets.")
  var assignments = false

  func run() throws {
    try library.reading { store in
      if assignments { return try list(try store.presets.assignments()) }
      try list(try store.presets.all(), counts: try store.presets.assignmentCounts())
    }
  }

  private func list(_ presets: [StoredPreset], counts: [PresetName: Int]) throws {
    if document.isWanted {
      let items = presets.map { Self.json($0, count: counts[$0.name] ?? 0) }
      return try document.write(items, under: "presets")
    }
    var table = TextTable([
      .init(title: "NAME"), .init(title: "BANDS", isAlignedRight: true, canShrink: false),
      .init(title: "GAIN", isAlignedRight: true, canShrink: false),
      .init(title: "ASSIGNED", isAlignedRight: true, canShrink: false), .init(title: ""),
    ])
    for stored in presets {
      let count = counts[stored.name].map { "\($0)" } ?? ""
      guard let preset = try? stored.preset() else {
        try table.add([stored.name.text, "", "", count, "this version cannot read it"])
        continue
      }
      let equalizer = preset.chain.equalizer
      let remark = [stored.isBuiltIn ? "built-in" : nil, PresetText.effects(preset.chain)]
      try table.add([
        stored.name.text, "\(equalizer.bands.count)", NumberText.decimal(equalizer.gain, 2), count,
        remark.compactMap { $0 }.joined(separator: "; "),
      ])
    }
    try table.finish()
  }

  private static func json(_ stored: StoredPreset, count: Int) -> JSONValue {
    let chain = try? stored.preset().chain
    return .object([
      "name": .string(stored.name.text), "built_in": .bool(stored.isBuiltIn), "readable": .bool(chain != nil),
      "bands": .integer(chain?.equalizer.bands.count), "gain_db": .number(chain?.equalizer.gain),
      "pitch_cents": .number(chain?.pitch), "reverb": .string(chain?.reverberation?.room.rawValue),
      "rate": .number(chain?.rate), "assignments": .integer(count),
      "changed_at": .string(stored.changedAt.map { Timestamp(secondsSince1970: $0).description }),
    ])
  }

  private func list(_ assignments: [PresetAssignment]) throws {
    if document.isWanted { return try document.write(assignments.map(PresetDocuments.json), under: "assignments") }
    var table = TextTable([.init(title: "PRESET"), .init(title: "", canShrink: false), .init(title: "FOR")])
    for assignment in assignments {
      try table.add([
        assignment.presetName ?? "none", assignment.isOn ? "" : "off", assignment.text,
      ])
    }
    try table.finish()
    if assignments.isEmpty { output.tellNothing("no preset is assigned yet; `deadwax preset assign` assigns one") }
  }
}
