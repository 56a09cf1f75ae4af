internal import MediaModel
internal import MediaStore

/// What a merge did, as text or as a document.
struct MergeText {
  var report: MergeReport
  var output: OutputOptions
  var isDryRun: Bool
  var json: Bool

  /// Lines of one kind that are shown unless more is asked for, where they concern files only.
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
        library.damaged.map { "damaged there, not taken: the \($0.kind) of the sound \($0.recording)" },
        isCut: !output.verbose)
    }
    if report.isInterrupted {
      StandardError.line(
        report.isChanged
          ? "interrupted; some sounds are there already, and the same command goes on"
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
      (counts.added, "new"), (counts.same, "here already"), (counts.replaced, "better there"),
      (counts.different, "different"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }

  private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(1, count)) }
}

extension MergeReport.Library {
  /// In the order in which they are shown; the names are keys of the document.
  var counts: [(name: String, MergeCounts)] {
    [
      ("roots", roots), ("files", files), ("recordings", recordings), ("products", products), ("pictures", pictures),
      ("presets", presets), ("assignments", assignments), ("lists", lists), ("attributes", attributes),
      ("preset_changes", presetChanges),
    ]
  }
}

extension MergeConflict {
  /// Whether it is about what a user decided, rather than about files, which a scan can read again.
  var isOfUser: Bool {
    switch self {
    case .file, .recording: false
    case .preset, .list, .assignment, .attribute: true
    }
  }

  var text: String {
    switch self {
    case .file(let path, _, _): "another sound there, this one's stays: \(path.displayString)"
    case .recording(let hash):
      "decoded to another length, rate or number of channels there, this one's analyses stay: the sound \(hash)"
    case .preset(let name, let newName): "another preset '\(name)' there, kept as '\(newName)'"
    case .list(let name, let newName): "another list '\(name)' there, kept as '\(newName)'"
    case .assignment(let subject, let kept, let other):
      "another preset for \(subject) there: '\(kept)' stays, '\(other)' there"
    case .attribute(let name, let hash, let label, let kept, let other):
      "another \(name) of \(label.isEmpty ? "the sound \(hash)" : "'\(label)'") there: '\(kept)' stays, '\(other)' there"
    }
  }
}
