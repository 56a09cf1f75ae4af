internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import UserData

/// Recordings without a file, as people name and see them.
enum OrphanText {
  private static let shownDigitCount = 12
  /// What is said if there are none.
  static let none = "every preset, list entry, attribute and correction has its file"

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
      .init("corrections", .array(orphan.correctedFields.map { .string($0.name.lowercased()) })),
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
      throw ValidationError("'\(name)' matches \(found.count) recordings; choose one by its hash: \(hashes)")
    }
    return orphan
  }
}
