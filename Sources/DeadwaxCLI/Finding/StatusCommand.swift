internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show a summary of the library: folders, files, hours of audio, stored analyses.")

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  func run() throws {
    try library.reading { store in
      let status = try store.status()
      if document.isWanted {
        try document.write(Self.document(status, path: store.path))
      } else {
        try StandardOutput.write(Self.text(status, path: store.path))
      }
    }
  }

  static func text(_ status: LibraryStatus, path: BytePath) -> String {
    let fileCount = status.files.values.reduce(0, +)
    let hours = NumberText.decimal(status.audioInSeconds / 3600, status.audioInSeconds < 36_000 ? 2 : 0)
    var rows = [
      ("Library", "\(path.displayString) (\(NumberText.size(status.libraryByteCount)))"),
      ("Files", "\(fileCount), \(NumberText.size(status.mediaByteCount))"),
      ("Audio", "\(NumberText.count(status.recordingCount, "recording")), \(hours) hours"),
    ]
    if status.orphanCount > 0 { rows.append(("", "\(status.orphanCount) of them without a file")) }
    for state in FileState.allCases {
      guard let count = status.files[state] else { continue }
      let isSplit = state == .unsupported && status.unlistedCount > 0
      let rest = isSplit ? ", \(status.unlistedCount) of them not audio, so not listed" : ""
      rows.append(("  \(state.rawValue)", "\(count)\(rest)"))
    }
    for root in status.roots {
      let missing = root.missingCount > 0 ? ", \(root.missingCount) missing" : ""
      let size = NumberText.size(root.byteCount)
      rows.append(
        ("Folder", "\(root.root.path.displayString): \(NumberText.count(root.fileCount, "file")), \(size)\(missing)"))
    }
    if status.roots.isEmpty { rows.append(("Folder", "none yet; `deadwax scan FOLDER` adds one")) }
    if !status.products.isEmpty {
      rows.append(("Analyses", "of \(NumberText.count(status.recordingCount, "recording"))"))
    }
    for product in status.products {
      let stale = product.staleCount > 0 ? ", \(product.staleCount) stale" : ""
      let size = product.byteCount > 0 ? " (\(NumberText.size(product.byteCount)))" : ""
      rows.append(("  \(product.kind.rawValue)", "\(product.currentCount) of \(status.recordingCount)\(stale)\(size)"))
    }
    if let presets = presets(status) { rows.append(("Presets", presets)) }
    rows.append(("Last scan", lastScan(status.lastScan)))
    let width = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
    return rows.map { name, value in
      DisplayWidth.padded(name, toWidth: width + 2) + TerminalText.escaped(value) + "\n"
    }.joined()
  }

  /// nil if there is nothing to show.
  private static func presets(_ status: LibraryStatus) -> String? {
    guard status.presetCount + status.presetAssignmentCount > 0 || !status.arePresetsOn else { return nil }
    let assigned = "assigned \(NumberText.count(status.presetAssignmentCount, "time"))"
    return "\(status.presetCount), \(assigned)" + (status.arePresetsOn ? "" : "; switched off for the library")
  }

  private static func lastScan(_ scan: LibraryStatus.Scan?) -> String {
    guard let scan else { return "never" }
    let start = NumberText.moment(scan.startedAt)
    if scan.isRunning { return "running since \(start) (pid \(scan.processID))" }
    guard let summary = scan.summary else { return "\(start), did not finish" }
    let counts = [
      ("new", summary.new), ("changed", summary.changed), ("moved", summary.moved), ("missing", summary.missing),
      ("unchanged", summary.unchanged),
    ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
    return ([start + (summary.isInterrupted ? ", interrupted" : "")] + counts).joined(separator: ", ")
  }

  static func document(_ status: LibraryStatus, path: BytePath) -> JSONValue {
    let states = FileState.allCases.map { JSONValue.Member($0.rawValue, .integer(status.files[$0] ?? 0)) }
    let object: JSONValue = .object([
      "library_bytes": .integer(status.libraryByteCount),
      "roots": .array(status.roots.map(root)),
      "files": .object(states),
      // These are some of the unsupported.
      "files_in_no_list": .integer(status.unlistedCount),
      "recordings": .integer(status.recordingCount),
      "recordings_without_file": .integer(status.orphanCount),
      "audio_seconds": .number(status.audioInSeconds),
      "media_bytes": .integer(status.mediaByteCount),
      "products": .array(status.products.map(product)),
      "presets": .integer(status.presetCount),
      "preset_assignments": .integer(status.presetAssignmentCount),
      "presets_on": .bool(status.arePresetsOn),
      "last_scan": status.lastScan.map(scan) ?? .null,
    ])
    return object.preceded(by: [.init("schema", .integer(1))] + JSONValue.path(path, key: "library"))
  }

  private static func root(_ status: LibraryStatus.RootStatus) -> JSONValue {
    let object: JSONValue = .object([
      "volume": .string(status.root.volume),
      "files": .integer(status.fileCount),
      "missing": .integer(status.missingCount),
      "bytes": .integer(status.byteCount),
      "added_at": .string(Timestamp(secondsSince1970: status.root.addedAt).description),
    ])
    return object.preceded(by: [.init("id", .integer(status.root.id))] + JSONValue.path(status.root.path))
  }

  private static func product(_ product: LibraryStatus.ProductStatus) -> JSONValue {
    .object([
      "kind": .string(product.kind.rawValue),
      "current": .integer(product.currentCount),
      "stale": .integer(product.staleCount),
      "bytes": .integer(product.byteCount),
    ])
  }

  private static func scan(_ scan: LibraryStatus.Scan) -> JSONValue {
    .object([
      "started_at": .string(Timestamp(secondsSince1970: scan.startedAt).description),
      "ended_at": .string(scan.endedAt.map { Timestamp(secondsSince1970: $0).description }),
      "running": .bool(scan.isRunning),
      "interrupted": .bool(scan.summary?.isInterrupted ?? !scan.isRunning),
    ])
  }
}
