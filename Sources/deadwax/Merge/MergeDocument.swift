internal import MediaModel
internal import MediaStore

/// `merge --json`.
enum MergeDocument {
  static func value(_ report: MergeReport, isDryRun: Bool) -> JSONValue {
    JSONValue.object([
      "dry_run": .bool(isDryRun), "interrupted": .bool(report.isInterrupted),
      "libraries": .array(report.libraries.map(library)),
    ]).preceded(by: [.init("schema", .integer(1))] + JSONValue.path(report.keptAt, key: "kept_at"))
  }

  private static func library(_ library: MergeReport.Library) -> JSONValue {
    let counts = library.counts.map { name, counts in
      JSONValue.Member(
        name,
        .object([
          "added": .integer(counts.added), "same": .integer(counts.same), "replaced": .integer(counts.replaced),
          "different": .integer(counts.different),
        ]))
    }
    return .object(
      JSONValue.path(library.path) + counts + [
        .init("damaged_products", .array(library.damaged.map(damaged))),
        .init("conflicts", .array(library.conflicts.map(conflict))),
      ])
  }

  private static func damaged(_ product: MergeReport.DamagedProduct) -> JSONValue {
    .object(["hash": .string(product.recording.description), "kind": .string(product.kind)])
  }

  /// Each says what it is `of`; `kept` is what this library has, `other` what the other one has.
  private static func conflict(_ conflict: MergeConflict) -> JSONValue {
    switch conflict {
    case .file(let path, let kept, let other):
      .object(
        [.init("of", .string("file"))] + JSONValue.path(path) + [
          .init("kept", .string(kept?.description)), .init("other", .string(other.description)),
        ])
    case .recording(let hash): .object(["of": .string("recording"), "hash": .string(hash.description)])
    case .preset(let name, let newName):
      .object(["of": .string("preset"), "name": .string(name), "new_name": .string(newName)])
    case .list(let name, let newName):
      .object(["of": .string("list"), "name": .string(name), "new_name": .string(newName)])
    case .assignment(let subject, let kept, let other):
      .object(
        [.init("of", .string("assignment"))] + members(of: subject) + [
          .init("kept", .string(kept)), .init("other", .string(other)),
        ])
    case .attribute(let name, let hash, let label, let kept, let other):
      .object([
        "of": .string("attribute"), "name": .string(name), "hash": .string(hash.description), "label": .string(label),
        "kept": .string(kept), "other": .string(other),
      ])
    }
  }

  private static func members(of subject: PresetSubject) -> [JSONValue.Member] {
    let scope = JSONValue.Member("scope", .string(subject.scope.rawValue))
    switch subject {
    case .track(let hash, let label):
      return [scope, .init("hash", .string(hash.description)), .init("label", .string(label))]
    case .album(let album, let artist):
      return [scope, .init("album", .string(album)), .init("artist", .string(artist))]
    case .artist(let artist): return [scope, .init("artist", .string(artist))]
    case .library: return [scope]
    }
  }
}
