package import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundIndex

extension RemovalPlan {
  /// What a script would remove, and what it leaves out and why, as `duplicates --json` gives it.
  package var members: [JSONValue.Member] {
    [
      .init(
        "removable",
        .array(
          removals.map { removal in
            .object(
              removal.removed.names + [
                .init("kept_file", .integer(removal.kept.file.id)),
                .init("kept", .object(JSONValue.path(removal.kept.file.path))),
                .init("reason", .string(removal.reason)),
              ])
          })),
      .init(
        "left_out",
        .array(
          leftOut.map { one in
            .object(
              one.file.names + [
                .init("kept_file", .integer(one.kept.file.id)), .init("reason", .string(one.refusal.rawValue)),
                .init("detail", .string(one.detail)),
              ])
          })),
    ]
  }
}

extension DuplicateGroup.Member {
  fileprivate var names: [JSONValue.Member] {
    [.init("file", .integer(file.id)), .init("id", .integer(recordingID))] + JSONValue.path(file.path)
  }
}
