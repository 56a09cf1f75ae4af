internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaStore

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
      let orphans = try store.orphanedRecordings()
      if document.isWanted { return try document.write(orphans.map { .object(OrphanText.json($0)) }, under: "orphans") }
      var table = TextTable([
        .init(title: "HASH", canShrink: false), .init(title: "TRACK"), .init(title: "PRESET"),
        .init(title: "LISTS", dispensability: 2), .init(title: "ATTRIBUTES", dispensability: 3),
        .init(title: "MISSING SINCE", canShrink: false, dispensability: 1),
        .init(title: "PATH", isPath: true, dispensability: 4),
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

/// Recordings without a file, as people name and see them.
enum OrphanText {
  private static let shownDigitCount = 12
  /// What is said if there are none.
  static let none = "every preset, list entry and attribute has its file"

  static func shortHash(_ hash: ContentHash) -> String { String(hash.description.prefix(shownDigitCount)) }

  static func preset(_ assignment: PresetAssignment?) -> String {
    guard let assignment else { return "" }
    return assignment.isOn ? assignment.presetName ?? "" : "off"
  }

  static func json(_ orphan: OrphanedRecording) -> [JSONValue.Member] {
    [
      .init("hash", .string(orphan.hash.description)), .init("id", .integer(orphan.recordingID)),
      .init("track", .string(orphan.label)), .init("preset", .string(orphan.assignment?.presetName)),
      .init("on", orphan.assignment.map { .bool($0.isOn) } ?? .null),
      .init("lists", .array(orphan.lists.map { .string($0) })),
      .init("attributes", .array(orphan.attributeNames.map { .string($0) })),
    ] + JSONValue.path(orphan.path) + [
      .init(
        "missing_since", .string(orphan.missingSince.map { Timestamp(secondsSince1970: $0).description }))
    ]
  }

  /// The one that a user means by its hash, the start of one, or its label.
  static func orphan(named name: String, among orphans: [OrphanedRecording]) throws -> OrphanedRecording {
    let named = orphans.filter { $0.label == name }
    let start = name.lowercased()
    let found = named.isEmpty && !name.isEmpty ? orphans.filter { $0.hash.description.hasPrefix(start) } : named
    guard let orphan = found.first else {
      throw ValidationError("there is no recording '\(name)' without a file; `deadwax preset orphans` lists them")
    }
    guard found.count == 1 else {
      let hashes = found.prefix(5).map { shortHash($0.hash) }.joined(separator: ", ")
      throw ValidationError("'\(name)' means \(found.count) recordings; name one by its hash: \(hashes)")
    }
    return orphan
  }
}
