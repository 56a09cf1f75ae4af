internal import Base
internal import DecodingService
internal import LibraryRecovery
internal import LibraryTracks
internal import MediaStore
internal import Speech

/// The results of `doctor`, as lines and as a document.
struct DoctorReport {
  let path: BytePath
  let library: Result<LibraryCheck, any Error>
  let shards: Result<[Shard], any Error>
  let workers: Result<WorkerStatus, any Error>
  /// Empty if there are no workers.
  let decoders: [DecoderCheck.Result]

  private let libraries = UsedLibraries.all

  var lines: [String] {
    var lines: [String]
    switch library {
    case .success(let check): lines = self.lines(of: check)
    case .failure(let error):
      lines = ["library   NOT CHECKED: \(ErrorAdvice.text(of: error))"]
      if case StoreError.notALibrary = error {
        lines.append("  if it was one, `deadwax doctor --repair -o FILE` recovers the readable parts")
      }
    }
    lines += shardLines
    switch workers {
    case .success(let workers):
      lines.append("sandbox   " + workers.sandbox.line)
    case .failure(let error):
      lines.append("workers   FAIL: \(error); their sandbox and the decoders were not checked")
    }
    lines += decoders.map { "decoder   \($0.name): " + ($0.problem.map { "FAILS: " + $0 } ?? $0.absence ?? "ok") }
    lines.append(
      "libraries "
        + libraries.compactMap { library in library.version.map { "\(library.name) \($0)" } }.joined(separator: ", "))
    lines += libraries.compactMap(\.problem).map { "MISSING   " + $0 }
    lines.append(
      "speech    " + (SpeechSynthesizer.installed ?? "none: espeak-ng is not installed (optional, for announcements)"))
    if !missingPackages.isEmpty {
      lines.append("install   sudo apt install " + missingPackages.joined(separator: " "))
    }
    return lines
  }

  /// Debian's packages of everything that is not installed, in order of their names.
  private var missingPackages: [String] {
    // As the loader of libraries says it. One that is installed but cannot be loaded needs more than its package.
    let packages = libraries.compactMap(\.problem).compactMap { problem in
      problem.firstMatch(of: #/ is not installed \(Debian package ([^)]+)\)/#).map { String($0.1) }
    }
    return Set(packages + (SpeechSynthesizer.installed == nil ? ["espeak-ng"] : [])).sorted()
  }

  private func lines(of check: LibraryCheck) -> [String] {
    var lines = ["library   \(path.displayString): \(check.isSound ? "intact" : "DAMAGED")"]
    lines += check.problems.map { "  " + $0 }
    if check.needsRepair { lines.append("  `deadwax doctor --repair -o FILE` recovers the readable parts") }
    if check.needsReanalysis {
      lines.append(
        "  `deadwax reanalyze --damaged` recomputes products; `deadwax doctor --repair -o FILE` drops those "
          + "without a file"
      )
    }
    lines += check.remarks.map { "note      " + $0 }
    lines.append("recordings without a file: \(check.orphanCount) (kept on purpose)")
    lines.append("products of another version: \(check.staleProductCount)")
    return lines
  }

  /// Whether all shards are at hand and whole. A library that cannot be opened says so itself.
  var shardsAreSound: Bool {
    switch shards {
    case .success(let shards): shards.allSatisfy(\.isUsable)
    case .failure: (try? library.get()) == nil
    }
  }

  private var shardLines: [String] {
    switch shards {
    case .success(let shards) where shards.isEmpty: return []
    case .success(let shards):
      let count = shards.count(where: \.isUsable)
      let lines = shards.filter { !$0.isUsable }.map { "  \($0.path.displayString): \(ShardText.state($0))" }
      return ["shards    \(count) of \(shards.count) are available"] + lines
    case .failure(let error): return shardsAreSound ? [] : ["shards    NOT CHECKED: \(ErrorAdvice.text(of: error))"]
    }
  }

  /// Values that were not checked are null.
  var document: JSONValue {
    func list(_ texts: [String]?) -> JSONValue { texts.map { .array($0.map { .string($0) }) } ?? .null }
    func problem(_ result: Result<some Any, any Error>) -> JSONValue {
      if case .failure(let error) = result { .string(ErrorAdvice.text(of: error)) } else { .null }
    }
    let (check, workers) = (try? library.get(), try? workers.get())
    return JSONValue.object([
      "library_problem": problem(library), "sound": .bool(check?.isSound == true),
      "integrity_problems": list(check?.integrityProblems), "dangling_references": list(check?.danglingReferences),
      "schema_differences": list(check?.schemaDifferences), "impossible_rows": list(check?.impossibleRows),
      "journal_problems": list(check?.journalProblems), "remarks": list(check?.remarks),
      "orphans": .integer(check?.orphanCount), "artwork_without_file": .integer(check?.artworkWithoutFileCount),
      "products_without_bytes": .integer(check?.productsWithoutBytesCount),
      "stale_products": .integer(check?.staleProductCount), "damaged_products": .integer(check?.damagedProductCount),
      "search_problems": .integer(check?.searchProblemCount),
      "shards": (try? shards.get()).map { .array($0.map(ShardText.document)) } ?? .null,
      "workers_problem": problem(self.workers),
      "sandbox": workers.map {
        .object([
          "active": .bool($0.sandbox.opensAreRefused), "landlock_version": .integer($0.sandbox.landlockVersion),
          "calls_filtered": .bool($0.sandbox.callsAreFiltered),
        ])
      } ?? .null,
      "decoders": .array(
        decoders.map {
          .object(["name": .string($0.name), "problem": .string($0.problem), "absence": .string($0.absence)])
        }),
      "libraries": .object(libraries.map { .init($0.name, .string($0.version)) }),
      "library_problems": .object(
        libraries.filter { $0.problem != nil }.map { .init($0.name, .string($0.problem)) }),
      "espeak_ng": .string(SpeechSynthesizer.installed),
      "missing_packages": .array(missingPackages.map { .string($0) }),
      "chromaprint": .string(workers?.chromaprintVersion),
    ]).preceded(by: [.init("schema", .integer(1))] + JSONValue.path(path, key: "library"))
  }
}

extension LibraryCheck {
  /// One line for each problem.
  var problems: [String] {
    let counts = [
      (artworkWithoutFileCount, "pictures without a file"),
      (productsWithoutBytesCount, "products without their bytes"),
      (damagedProductCount ?? 0, "products whose checksum is wrong"),
      (searchProblemCount ?? 0, "groups of files with incorrect search index entries"),
    ]
    return integrityProblems + danglingReferences.map { "rows that refer to missing rows: " + $0 }
      + schemaDifferences + impossibleRows + journalProblems
      + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}

extension RepairReport {
  /// The lines of `doctor --repair`: the total, then each table that lost rows.
  var lines: [String] {
    var lines = [
      "\(path.displayString): \(NumberText.count(rowCount, "row")) recovered, "
        + "\(userRowCount) of them your own data; \(check.isSound ? "intact" : "NOT INTACT")"
    ]
    if hadForeignLog { lines.append("the -wal file next to the library belongs to another file and was ignored") }
    lines += tables.filter { !$0.isWhole }.map(\.line)
    lines += contradictions.map { "\($0) is not the version that was last written; it was recovered as found" }
    if !contradictions.isEmpty { lines.append("`deadwax undo` restores it from the journal") }
    if tables.allSatisfy(\.isWhole), contradictions.isEmpty { lines.append("nothing was lost") }
    lines += check.problems.map { "  " + $0 }
    return lines
  }

  var document: JSONValue {
    JSONValue.object([
      "sound": .bool(check.isSound),
      "rows": .integer(rowCount), "user_rows": .integer(userRowCount), "foreign_log": .bool(hadForeignLog),
      "contradictions": .array(contradictions.map { .string($0) }),
      "library_schema": .integer(schemaVersion), "tables": .array(tables.map(\.document)),
    ]).preceded(by: [.init("schema", .integer(1))] + JSONValue.path(path))
  }
}

extension RepairReport.Table {
  fileprivate var line: String {
    var parts = [NumberText.count(rowCount, "row") + " recovered"]
    if rebuiltCount > 0 { parts.append("\(rebuiltCount) of them rebuilt from an index or the journal") }
    if brokenRowCount > 0 { parts.append("\(brokenRowCount) of them with damaged text") }
    if lostRowCount > 0 { parts.append(NumberText.count(lostRowCount, "damaged row") + " left out") }
    if lostPageCount > 0 { parts.append(NumberText.count(lostPageCount, "page") + " unreadable") }
    if !gaps.isEmpty {
      let shown = gaps.prefix(5).map(Self.text).joined(separator: ", ")
      parts.append("possibly rows with ids \(shown)" + (gaps.count > 5 ? " and \(gaps.count - 5) more ranges" : ""))
    }
    return "  \(name): \(parts.joined(separator: "; "))"
  }

  private static func text(_ gap: ClosedRange<Int64>) -> String {
    if gap.lowerBound == gap.upperBound { return "\(gap.lowerBound)" }
    return gap.upperBound == .max ? "from \(gap.lowerBound)" : "\(gap.lowerBound) to \(gap.upperBound)"
  }

  fileprivate var document: JSONValue {
    .object([
      "name": .string(name), "user": .bool(isOfUser), "rows": .integer(rowCount), "rebuilt": .integer(rebuiltCount),
      "broken_rows": .integer(brokenRowCount), "lost_rows": .integer(lostRowCount),
      "lost_pages": .integer(lostPageCount),
      "gaps": .array(
        gaps.map { gap in
          .object([
            "first": .integer(gap.lowerBound), "last": gap.upperBound == .max ? .null : .integer(gap.upperBound),
          ])
        }),
    ])
  }
}

extension SandboxStatus {
  /// The layers that are in force, and those that are missing.
  fileprivate var line: String {
    var layers: [String] = []
    if landlockVersion > 0 { layers.append("Landlock version \(landlockVersion)") }
    if callsAreFiltered { layers.append("a system call filter") }
    guard !layers.isEmpty else {
      return "NOT ACTIVE: this kernel has neither Landlock nor seccomp; workers are confined by resource limits only"
    }
    let missing =
      landlockVersion == 0
      ? "; this kernel has no Landlock" : callsAreFiltered ? "" : "; NO SYSTEM CALL FILTER (seccomp)"
    return "active: workers cannot open files (\(layers.joined(separator: ", ")))" + missing
  }
}
