internal import AudioDecoding
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// What `doctor` found, in lines and as a document.
struct DoctorReport {
  let path: BytePath
  let library: LibraryCheck
  let workers: WorkerStatus
  let decoders: [DecoderCheck.Result]

  private static var libraries: [(name: String, version: String)] {
    DecoderLibraries.versions + [("SQLite", MediaStore.databaseVersion)]
  }

  var lines: [String] {
    var lines = ["library   \(path.displayString): \(library.isSound ? "sound" : "DAMAGED")"]
    lines +=
      (library.integrityProblems + library.danglingReferences.map { "rows without what they belong to: " + $0 }
      + library.schemaDifferences + library.impossibleRows + library.journalProblems).map { "  " + $0 }
    let wrongs = [
      (library.artworkWithoutFileCount, "pictures that no file has"),
      (library.productsWithoutBytesCount, "products without their bytes"),
      (library.damagedProductCount ?? 0, "products whose checksum is wrong; they must be made anew"),
      (library.searchProblemCount ?? 0, "groups of files that the search index does not know as they are"),
    ]
    lines += wrongs.filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    if !library.isSound { lines.append("  `deadwax doctor --repair -o FILE` saves what can be read") }
    lines += library.remarks.map { "note      " + $0 }
    lines.append("recordings without a file: \(library.orphanCount) (kept on purpose)")
    lines.append("products of an older version: \(library.staleProductCount)")
    lines.append(
      workers.sandbox.opensAreRefused
        ? "sandbox   active: workers cannot open files (Landlock version \(workers.sandbox.landlockVersion))"
        : "sandbox   NOT ACTIVE: this kernel has no Landlock; workers are confined by resource limits only")
    lines += decoders.map { "decoder   \($0.name): " + ($0.problem.map { "FAILS: " + $0 } ?? "right") }
    lines.append("libraries " + Self.libraries.map { "\($0.name) \($0.version)" }.joined(separator: ", "))
    lines.append(
      workers.chromaprintVersion.map { "Chromaprint \($0)" }
        ?? "Chromaprint NOT FOUND: scans make no fingerprints; install libchromaprint1")
    return lines
  }

  var document: JSONValue {
    func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
    return .object([
      "schema": .integer(1), "library": .string(path.displayString), "sound": .bool(library.isSound),
      "integrity_problems": list(library.integrityProblems), "dangling_references": list(library.danglingReferences),
      "schema_differences": list(library.schemaDifferences), "impossible_rows": list(library.impossibleRows),
      "journal_problems": list(library.journalProblems), "remarks": list(library.remarks),
      "orphans": .integer(library.orphanCount), "artwork_without_file": .integer(library.artworkWithoutFileCount),
      "products_without_bytes": .integer(library.productsWithoutBytesCount),
      "stale_products": .integer(library.staleProductCount), "damaged_products": .integer(library.damagedProductCount),
      "search_problems": .integer(library.searchProblemCount),
      "sandbox": .object([
        "active": .bool(workers.sandbox.opensAreRefused), "landlock_version": .integer(workers.sandbox.landlockVersion),
      ]),
      "decoders": .array(
        decoders.map { .object(["name": .string($0.name), "problem": .string($0.problem)]) }),
      "libraries": .object(Self.libraries.map { .init($0.name, .string($0.version)) }),
      "chromaprint": .string(workers.chromaprintVersion),
    ])
  }
}
