internal import AudioDecoding
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// What `doctor` found, in lines and as a document.
struct DoctorReport {
  let path: BytePath
  let library: Result<LibraryCheck, any Error>
  let workers: Result<WorkerStatus, any Error>
  /// Of none where there are no workers to decode.
  let decoders: [DecoderCheck.Result]

  private static var libraries: [(name: String, version: String)] {
    DecoderLibraries.versions + [("SQLite", MediaStore.databaseVersion)]
  }

  var lines: [String] {
    var lines: [String]
    switch library {
    case .success(let check): lines = self.lines(of: check)
    case .failure(let error):
      lines = ["library   NOT CHECKED: \(error)"]
      if case StoreError.notALibrary = error {
        lines.append("  if it was one, `deadwax doctor --repair -o FILE` saves what can be read")
      }
    }
    switch workers {
    case .success(let workers):
      lines.append(
        workers.sandbox.opensAreRefused
          ? "sandbox   active: workers cannot open files (Landlock version \(workers.sandbox.landlockVersion))"
          : "sandbox   NOT ACTIVE: this kernel has no Landlock; workers are confined by resource limits only")
    case .failure(let error):
      lines.append("workers   FAIL: \(error); neither their sandbox nor the decoders were checked")
    }
    lines += decoders.map { "decoder   \($0.name): " + ($0.problem.map { "FAILS: " + $0 } ?? "right") }
    lines.append("libraries " + Self.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
    if case .success(let workers) = workers {
      lines.append(
        workers.chromaprintVersion.map { "Chromaprint \($0)" }
          ?? "Chromaprint NOT FOUND: scans make no fingerprints; install libchromaprint1")
    }
    return lines
  }

  private func lines(of check: LibraryCheck) -> [String] {
    var lines = ["library   \(path.displayString): \(check.isSound ? "sound" : "DAMAGED")"]
    lines += check.problems.map { "  " + $0 }
    if check.needsRepair { lines.append("  `deadwax doctor --repair -o FILE` saves what can be read") }
    if check.needsReanalysis {
      lines.append(
        "  `deadwax reanalyze --damaged` makes products anew; `deadwax doctor --repair -o FILE` leaves out those whose "
          + "music is gone")
    }
    lines += check.remarks.map { "note      " + $0 }
    lines.append("recordings without a file: \(check.orphanCount) (kept on purpose)")
    lines.append("products of another version: \(check.staleProductCount)")
    return lines
  }

  /// What was not looked at is null.
  var document: JSONValue {
    func list(_ texts: [String]?) -> JSONValue { texts.map { .array($0.map { .string($0) }) } ?? .null }
    func problem(_ result: Result<some Any, any Error>) -> JSONValue {
      if case .failure(let error) = result { .string("\(error)") } else { .null }
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
      "search_problems": .integer(check?.searchProblemCount), "workers_problem": problem(self.workers),
      "sandbox": workers.map {
        .object([
          "active": .bool($0.sandbox.opensAreRefused), "landlock_version": .integer($0.sandbox.landlockVersion),
        ])
      } ?? .null,
      "decoders": .array(
        decoders.map { .object(["name": .string($0.name), "problem": .string($0.problem)]) }),
      "libraries": .object(Self.libraries.map { .init($0.name, .string($0.version)) }),
      "chromaprint": .string(workers?.chromaprintVersion),
    ]).preceded(by: [.init("schema", .integer(1))] + JSONValue.path(path, key: "library"))
  }
}

extension LibraryCheck {
  /// What is wrong, a line each.
  var problems: [String] {
    let counts = [
      (artworkWithoutFileCount, "pictures that no file has"),
      (productsWithoutBytesCount, "products without their bytes"),
      (damagedProductCount ?? 0, "products whose checksum is wrong"),
      (searchProblemCount ?? 0, "groups of files that the search index does not know as they are"),
    ]
    return integrityProblems + danglingReferences.map { "rows without what they belong to: " + $0 }
      + schemaDifferences + impossibleRows + journalProblems
      + counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
