internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaStore
internal import UserData

struct PresetOrphansCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "orphans",
    abstract: "List recordings that no file holds any more, and that have presets, list entries or ratings.",
    discussion: """
      A file that is written over with another sound leaves the preset, the lists and the ratings of the former sound \
      behind; a file that is deleted or on a disk that is not there does so, too. They stay in the library, and belong \
      to the sound again when it comes back. `preset reattach` moves them to another track.
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
        .init(title: "MISSING SINCE", canShrink: false, dispensability: 1),
        .init(title: "PATH", overflow: .isCutAsPath, dispensability: 4),
      ])
      for orphan in orphans {
        try table.add([
          OrphanText.shortHash(orphan.hash), orphan.label, OrphanText.preset(orphan.assignment),
          orphan.lists.joined(separator: ", "), orphan.attributeNames.joined(separator: ", "),
          orphan.missingSince.map(NumberText.moment) ?? "", orphan.path?.displayString ?? "",
        ])
      }
      try table.finish()
      if orphans.isEmpty { output.tellNothing(OrphanText.none) }
    }
  }
}
