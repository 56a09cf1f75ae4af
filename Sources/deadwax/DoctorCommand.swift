internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax doctor`: is everything as it should be?
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the library, the workers' sandbox and what fingerprints need.",
    discussion: """
      Exits with status 5 when the library is damaged, with 1 when workers cannot be started.

      With --repair it saves what can be read of a damaged library into a new file, presets, assignments and lists first, and \
      says what is lost; the damaged library is only read. `deadwax restore FILE` puts the new one in its place, and the next \
      `deadwax scan` and `deadwax reanalyze --missing` make again what a scan can.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Read every stored product too, and compare its checksum.")
  var deep = false

  @Flag(help: "Write what can be saved of the library to a new file.")
  var repair = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Where --repair writes; nothing may be there yet.", valueName: "file"), completion: .file())
  var file: String?

  @Flag(help: "One JSON document.")
  var json = false

  func validate() throws {
    if repair && file?.isEmpty != false { throw ValidationError("--repair needs -o with the name of a new file") }
    if !repair && file != nil { throw ValidationError("-o goes with --repair") }
  }

  func run() throws {
    if repair { return try runRepair() }
    let path = try library.path()
    let check = try library.open(.readOnly).check(isDeep: deep)
    let workers = try WorkerCheck.run()
    if json {
      try StandardOutput.line(try JSONDocument.text(DoctorDocument(path, check, workers)))
    } else {
      for line in Self.lines(path, check, workers) { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard check.isSound else { throw ExitCode(CommandFailure.libraryUnusable) }
  }

  private func runRepair() throws {
    let report = try LibraryRepair.repair(try library.path(), to: BytePath(argument: file ?? ""))
    if json {
      try StandardOutput.line(report.document.prettyText)
    } else if !output.quiet {
      for line in report.lines { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard report.check.isSound else { throw ExitCode(CommandFailure.libraryUnusable) }
  }

  private static func lines(_ path: BytePath, _ check: LibraryCheck, _ workers: WorkerStatus) -> [String] {
    var lines = ["library   \(path.displayString): \(check.isSound ? "sound" : "DAMAGED")"]
    lines += (check.integrityProblems + check.danglingReferences).map { "  " + $0 }
    let wrongs = [
      (check.artworkWithoutFileCount, "pictures that no file has"),
      (check.productsWithoutBytesCount, "products without their bytes"),
      (check.damagedProductCount ?? 0, "products whose checksum is wrong; they must be made anew"),
    ]
    lines += wrongs.filter { $0.0 > 0 }.map { "  \($0.0) \($0.1)" }
    lines.append("recordings without a file: \(check.orphanCount) (kept on purpose)")
    lines.append("products of an older version: \(check.staleProductCount)")
    lines.append(
      workers.sandbox.opensAreRefused
        ? "sandbox   active: workers cannot open files (Landlock version \(workers.sandbox.landlockVersion))"
        : "sandbox   NOT ACTIVE: this kernel has no Landlock; workers are confined by resource limits only")
    lines.append(
      workers.chromaprintVersion.map { "Chromaprint \($0)" }
        ?? "Chromaprint NOT FOUND: scans make no fingerprints; install libchromaprint1")
    return lines
  }
}

private struct DoctorDocument: Encodable {
  struct Sandbox: Encodable {
    let active: Bool
    let landlock_version: Int
  }

  let schema = 1
  let library: String
  let sound: Bool
  let integrity_problems, dangling_references: [String]
  let orphans, artwork_without_file, products_without_bytes, stale_products: Int
  let damaged_products: Int?
  let sandbox: Sandbox
  let chromaprint: String?

  init(_ path: BytePath, _ check: LibraryCheck, _ workers: WorkerStatus) {
    library = path.displayString
    sound = check.isSound
    integrity_problems = check.integrityProblems
    dangling_references = check.danglingReferences
    orphans = check.orphanCount
    artwork_without_file = check.artworkWithoutFileCount
    products_without_bytes = check.productsWithoutBytesCount
    stale_products = check.staleProductCount
    damaged_products = check.damagedProductCount
    sandbox = Sandbox(
      active: workers.sandbox.opensAreRefused, landlock_version: workers.sandbox.landlockVersion)
    chromaprint = workers.chromaprintVersion
  }
}
