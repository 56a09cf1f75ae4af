internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaStore
internal import UserData

struct PresetOrphansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orphans",
    abstract: "List recordings without a file that still have presets, list entries, ratings or corrections.",
    discussion: """
      When a file is overwritten with another recording, deleted, or on a disk that is missing, the presets, list \
      entries, ratings and corrections of its recording are kept in the library. They apply again when the recording comes back; \
      `preset reattach` moves them to another track.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  func run() throws {
    try library.reading { store in
      let orphans = try store.decisions.orphans()
      if document.isWanted { return try document.write(orphans.map { .object(OrphanText.json($0)) }, under: "orphans") }
      var table = TextTable([
        .init(title: "HASH", canShrink: false), .init(title: "TRACK"), .init(title: "PRESET"),
        .init(title: "LISTS", dispensability: 2), .init(title: "ATTRIBUTES", dispensability: 3),
        .init(title: "CORRECTIONS", dispensability: 3),
        .init(title: "MISSING SINCE", canShrink: false, dispensability: 1),
        .init(title: "PATH", overflow: .isCutAsPath, dispensability: 4),
      ])
      for orphan in orphans {
        try table.add([
          OrphanText.shortHash(orphan.hash), orphan.label, OrphanText.preset(orphan.assignment),
          orphan.lists.joined(separator: ", "), orphan.attributeNames.joined(separator: ", "),
          orphan.correctedFields.map { $0.name.lowercased() }.joined(separator: ", "),
          orphan.missingSince.map(NumberText.moment) ?? "", orphan.path?.displayString ?? "",
        ])
      }
      try table.finish()
      if orphans.isEmpty { output.tellNothing(OrphanText.none) }
    }
  }
}
