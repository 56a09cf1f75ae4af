internal import ArgumentParser
internal import Base
internal import DecodingService
internal import LibraryRecovery
internal import LibraryTracks

/// `deadwax doctor`: checks the library and the program, and repairs a damaged library.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check the library, the decoders and the sandbox of the workers; repair a damaged library.",
    discussion: """
      Exits with status 5 if the library is damaged or cannot be used, else with 1 if workers cannot be started, a \
      decoder fails, or a shard of the library is unavailable or damaged. If one check fails, the others still run. \
      If packages are missing, the last line is the command that installs them on Debian and Ubuntu.

      --repair recovers the readable parts of a damaged library into a new file, presets, assignments and lists \
      first, and reports what is lost; the damaged library itself is not changed. `deadwax restore FILE` then \
      replaces the library with the new one, and `deadwax scan` and `deadwax reanalyze --missing` recompute lost \
      files and analyses.

      Examples: deadwax doctor --deep
                deadwax doctor --repair -o saved.sqlite
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Also read every stored product and the search index, and compare them with checksums and tags.")
  var deep = false

  @Flag(help: "Recover the readable parts of the library into a new file.")
  var repair = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file that --repair writes; it must not exist.", valueName: "file"), completion: .file())
  var file: String?

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    if repair && ["", "-"].contains(file ?? "") {
      throw ValidationError("--repair needs -o with the name of a new file")
    }
    if !repair && file != nil { throw ValidationError("-o needs --repair") }
    if repair && deep { throw ValidationError("--deep cannot be used with --repair, which reads everything anyway") }
  }

  func run() throws {
    if repair { return try runRepair() }
    let workers = Result { try WorkerCheck.run() }
    let check = Result {
      try output.showing("checking the library") { try library.reading { try $0.check(isDeep: deep) } }
    }
    let shards = Result { try library.reading { try $0.shardRegister()?.shards(isDeep: deep) } ?? [] }
    let report = DoctorReport(
      path: try library.path(), library: check, shards: shards, workers: workers.map { $0.status },
      decoders: (try? workers.get()).map { DecoderCheck.run(in: $0.worker) } ?? [])
    if json {
      try StandardOutput.line(report.document.prettyText)
    } else {
      for line in report.lines { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard try report.library.get().isSound else { throw ExitCode(ExitStatus.libraryUnusable) }
    _ = try report.workers.get()
    guard report.decoders.allSatisfy({ $0.problem == nil }), report.shardsAreSound else { throw ExitCode(1) }
  }

  private func runRepair() throws {
    let report = try output.showing("recovering the readable parts of the library") {
      try LibraryRepair.repair(try library.path(), to: BytePath(argument: file ?? ""))
    }
    if json {
      try StandardOutput.line(report.document.prettyText)
    } else if !output.quiet {
      for line in report.lines { try StandardOutput.line(TerminalText.escaped(line)) }
    }
    guard report.check.isSound else {
      StandardError.line("\(TerminalText.escaped(report.path.displayString)): the new library failed its check")
      throw ExitCode(ExitStatus.libraryUnusable)
    }
  }
}
