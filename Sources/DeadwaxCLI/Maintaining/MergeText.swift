internal import Base
internal import LibraryMerging
internal import MediaModel
internal import UserData

/// The result of a merge, as text or as a document.
struct MergeText {
  var report: MergeReport
  var output: OutputOptions
  var isDryRun: Bool
  var json: Bool

  /// The number of lines about files that are shown without --verbose.
  private static let shownCount = 10

  func write() throws {
    if json { return try StandardOutput.line(MergeDocument.value(report, isDryRun: isDryRun).prettyText) }
    for library in report.libraries {
      if !output.quiet {
        let verb = isDryRun ? "would be merged" : "merged"
        try StandardOutput.line(TerminalText.escaped("\(library.path.displayString): \(verb)"))
        for (name, counts) in library.counts where !counts.isEmpty {
          try StandardOutput.line(
            "  \(name.replacing("_", with: " "))\(Self.blanks(16 - name.count))\(Self.text(counts))")
        }
      }
      try write(library.conflicts.filter(\.isOfUser).map(\.text), isCut: false)
      try write(library.conflicts.filter { !$0.isOfUser }.map(\.text), isCut: !output.verbose)
      try write(
        library.damaged.map { "damaged there, not merged: \($0.kind) of recording \($0.recording)" },
        isCut: !output.verbose)
    }
    if report.isInterrupted {
      StandardError.line(
        report.isChanged
          ? "interrupted; some recordings are already merged; run the same command again to continue"
          : "interrupted; nothing was changed")
    }
  }

  private func write(_ lines: [String], isCut: Bool) throws {
    let shown = isCut ? lines.prefix(Self.shownCount) : lines[...]
    for line in shown { try StandardOutput.line("  " + TerminalText.escaped(line)) }
    if shown.count < lines.count {
      StandardError.line("… and \(lines.count - shown.count) more; -v shows all")
    }
  }

  private static func text(_ counts: MergeCounts) -> String {
    [
      (counts.added, "new"), (counts.same, "already here"), (counts.replaced, "better there"),
      (counts.different, "different"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}

extension MergeReport.Library {
  /// In the order of the output; the names are keys of the document.
  var counts: [(name: String, MergeCounts)] {
    [
      ("roots", roots), ("files", files), ("recordings", recordings), ("products", products), ("pictures", pictures),
      ("presets", presets), ("assignments", assignments), ("lists", lists), ("attributes", attributes),
      ("corrections", corrections), ("plays", plays), ("changes", changes),
    ]
  }
}

extension MergeConflict {
  /// Whether it is about data of the user, rather than about files, which a scan can read again.
  var isOfUser: Bool {
    switch self {
    case .file, .recording: false
    case .preset, .list, .assignment, .attribute, .groupAttribute, .correction: true
    }
  }

  var text: String {
    switch self {
    case .file(let path, _, _): "different recording there, this library's is kept: \(path.displayString)"
    case .recording(let hash):
      "different length, rate or channel count there, this library's analyses are kept: recording \(hash)"
    case .preset(let name, let newName): "different preset '\(name)' there, kept as '\(newName)'"
    case .list(let name, let newName): "different list '\(name)' there, kept as '\(newName)'"
    case .assignment(let subject, let kept, let other):
      "different preset for \(subject): '\(kept)' is kept, '\(other)' there"
    case .attribute(let name, let hash, let label, let kept, let other):
      "different \(name) of \(label.isEmpty ? "recording \(hash)" : "'\(label)'"): "
        + "'\(kept)' is kept, '\(other)' there"
    case .groupAttribute(let name, let subject, let kept, let other):
      "different \(name) of \(subject): '\(kept)' is kept, '\(other)' there"
    case .correction(let field, let subject, let kept, let other):
      "different correction of \(field) of \(subject): '\(kept.joined(separator: "; "))' is kept, "
        + "'\(other.joined(separator: "; "))' there"
    }
  }
}

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

  /// `of` says what the conflict is about; `kept` is the value of this library, `other` that of the other one.
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
    case .groupAttribute(let name, let subject, let kept, let other):
      .object([
        "of": .string("attribute"), "name": .string(name), "label": .string(subject), "kept": .string(kept),
        "other": .string(other),
      ])
    case .correction(let field, let subject, let kept, let other):
      .object([
        "of": .string("correction"), "name": .string(field.queryName), "label": .string(subject),
        "kept": .array(kept.map { .string($0) }), "other": .array(other.map { .string($0) }),
      ])
    }
  }

  private static func members(of subject: PresetSubject) -> [JSONValue.Member] {
    let scope = JSONValue.Member("scope", .string(subject.scope.rawValue))
    switch subject {
    case .track(let hash, let label), .part(let hash, _, let label):
      return [scope, .init("hash", .string(hash.description)), .init("label", .string(label))]
    case .album(let album, let artist):
      return [scope, .init("album", .string(album)), .init("artist", .string(artist))]
    case .artist(let artist): return [scope, .init("artist", .string(artist))]
    case .library: return [scope]
    }
  }
}
