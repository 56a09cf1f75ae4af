internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax doctor`: is everything as it should be?
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the library, the decoders and the workers' sandbox; save what is left of a damaged library.",
    discussion: """
      Exits with status 5 when the library is damaged or cannot be used, else with 1 when workers cannot be started or a decoder \
      fails. What can be looked at is, whatever of the rest fails.

      With --repair it saves what can be read of a damaged library into a new file, presets, assignments and lists first, and \
      says what is lost; the damaged library is only read. `deadwax restore FILE` puts the new one in its place, and the next \
      `deadwax scan` and `deadwax reanalyze --missing` make again what a scan can.

      Examples: deadwax doctor --deep
                deadwax doctor --repair -o saved.sqlite
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Read every stored product and the search index too, and compare them with checksums and texts.")
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
    if repair && ["", "-"].contains(file ?? "") {
      throw ValidationError("--repair needs -o with the name of a new file")
    }
    if !repair && file != nil { throw ValidationError("-o goes with --repair") }
    if repair && deep { throw ValidationError("--repair reads everything, also without --deep") }
  }

  func run() throws {
    if repair { return try runRepair() }
    let workers = Result { try WorkerCheck.run() }
    let check = Result {
      try output.showing("checking the library") { try library.reading { try $0.check(isDeep: deep) } }
    }
    let report = DoctorReport(
      path: try library.path(), library: check, workers: workers,
      decoders: (try? workers.get()) == nil ? [] : DecoderCheck.run())
    if json {
      try StandardOutput.line(report.document.prettyText)
    } else {
      for line in report.lines { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard try report.library.get().isSound else { throw ExitCode(CommandFailure.libraryUnusable) }
    _ = try report.workers.get()
    guard report.decoders.allSatisfy({ $0.problem == nil }) else { throw ExitCode(1) }
  }

  private func runRepair() throws {
    let report = try output.showing("saving what can be read of the library") {
      try LibraryRepair.repair(try library.path(), to: BytePath(argument: file ?? ""))
    }
    if json {
      try StandardOutput.line(report.document.prettyText)
    } else if !output.quiet {
      for line in report.lines { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard report.check.isSound else {
      StandardError.line("\(TerminalText.escaped(report.path.displayString)): the new library does not pass its check")
      throw ExitCode(CommandFailure.libraryUnusable)
    }
  }
}
