internal import ArgumentParser
internal import Base
internal import Glibc
internal import LibraryMerging
internal import LibraryTracks
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax merge`: adds the contents of other libraries to this one.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Add the files, analyses, presets, lists and attributes of other libraries.",
    discussion: """
      For collections that were analysed on several machines. The other libraries are only read; if this library \
      does not exist, it is created. Recordings are the same if their encoded audio is the same; of two analyses it \
      keeps the one that this version of Deadwax would compute, else the newer one. Folders keep their paths unless \
      --map changes them.

      Your own data is never replaced. If two libraries differ, this one wins, and the difference is listed; a \
      preset or list with the same name but different contents is kept as "NAME (2)". `undo` reverts the changes to \
      presets, lists and attributes. A copy of the previous library is kept next to it, unless --no-backup is given.

      You can stop it at any time: some recordings and files may then already be merged, and running the same \
      command again completes the rest. Exits with status 75 while a scan of this library runs, or a command that \
      excludes scans.

      A library that does not exist yet is created in one pass, which is several times faster: it appears only when \
      it is complete. --output names it.

      Analyses left out by --without-products are read from the other libraries, which are registered as shards of \
      this one (`deadwax help shards`).

      Examples: deadwax merge laptop.sqlite --dry-run
                deadwax merge laptop.sqlite --map /home/me/Music=/srv/music
                deadwax merge -o all.sqlite shards/*
                deadwax merge -L all.sqlite shards/* --without-products waveform

      List the libraries before --without-products: arguments after it are kinds of analyses.
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The libraries to add.", completion: .file(extensions: ["sqlite"]))
  var libraries: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Create this new library from the others, instead of adding to one.", valueName: "new"),
    completion: .file(extensions: ["sqlite"]))
  var newLibrary: String?

  @Option(
    help: ArgumentHelp(
      "Replace the folder OLD in paths of the other libraries with NEW; may be repeated.", valueName: "old=new"))
  var map: [PathMapping] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Leave these analyses in the other libraries, for a small catalogue.", valueName: "kind"))
  var withoutProducts: [ProductKind] = []

  @Flag(inversion: .prefixedNo, help: "Register libraries as shards if products are left in them.")
  var shards = true

  @Flag(help: "Show what would be added without changing anything; meanwhile other commands cannot write.")
  var dryRun = false

  @Flag(inversion: .prefixedNo, help: "Keep a copy of the previous library next to it.")
  var backup = true

  @Flag(help: "Print one JSON document.")
  var json = false

  @OptionGroup var events: ProgressEventOptions

  @Flag(help: "Exit with status 3 if libraries differ or products in them are damaged.")
  var strict = false

  func validate() throws {
    if libraries.contains("") || newLibrary == "" { throw ValidationError("merge needs paths of libraries") }
    guard let newLibrary else { return }
    if dryRun { throw ValidationError("--output creates a library, so it cannot be a --dry-run") }
    if library.library != nil {
      throw ValidationError("--output creates a new library, --library adds to an existing one: give only one of them")
    }
    let path = BytePath(argument: newLibrary)
    guard try !MediaStore.exists(at: path) else { return }
    // A folder of a mistyped name is not made.
    let folder = path.bytes.contains(UInt8(ascii: "/")) ? path.folder : BytePath(".")
    do throws(SystemError) { _ = try FolderDescriptor(opening: folder) } catch {
      throw ValidationError("\(newLibrary): \(error)")
    }
  }

  func run() throws {
    let paths = libraries.map { BytePath(argument: $0) }
    // Before a new library is created.
    for path in paths { try MediaStore.requireLibrary(at: path) }
    let stop = try StopSignal.catchingSignals()
    let report = try merge(paths, until: stop)
    try MergeText(report: report, output: output, isDryRun: dryRun, json: json).write()
    if shards, !withoutProducts.isEmpty, !dryRun, !report.isInterrupted { try register(paths) }
    if !dryRun, !report.isInterrupted, !report.isChanged, !output.quiet {
      StandardError.line("nothing was changed")
    }
    if report.isInterrupted { throw ExitCode(128 + (stop.number ?? SIGINT)) }
    if strict && report.hasProblems { throw ExitCode(ExitStatus.problemsUnderStrict) }
  }

  private var target: BytePath { get throws { try newLibrary.map { BytePath(argument: $0) } ?? library.path() } }

  /// Registers the libraries as shards; one that cannot be one is named.
  private func register(_ paths: [BytePath]) throws {
    let register = try ShardRegister(ofLibraryAt: try target, creating: true)
    for path in paths {
      do throws(StoreError) { try register?.add(path) } catch {
        StandardError.line(TerminalText.escaped("not registered: \(ErrorAdvice.text(of: error))"))
      }
    }
  }

  private func merge(_ paths: [BytePath], until stop: StopSignal) throws -> MergeReport {
    let isShown = output.showsProgress && !events.jsonEvents
    var line = ProgressLine()
    defer { line.clear() }
    var events = events.events(of: "merge")
    let options = MergeOptions(
      mappings: map, isDryRun: dryRun, keepsCopy: backup, omittedKinds: Set(withoutProducts),
      refusal: { ScanFolders.refusal(of: $0) })
    let goesOn: (MergeStep) -> Bool = { step in
      events?.write(Self.members(of: step))
      if isShown {
        line.show { width in
          let name = TerminalText.escaped(step.library.displayString)
          let recordings = step.totalCount.map { "\(step.doneCount)/\($0) recordings" } ?? "reading"
          let work = step.doneFileCount > 0 ? "\(step.doneFileCount) files" : recordings
          return DisplayWidth.truncated("\(work) · \(name)", toWidth: max(width, 0))
        }
      }
      return stop.number == nil
    }
    let target = try target
    let isNew = try newLibrary != nil || !MediaStore.exists(at: target)
    if isNew, !dryRun {
      return try MergedLibrary.create(at: target, from: paths, options: options, goesOn: goesOn)
    }
    let store = try dryRun ? library.openForDryRun(.readWrite) : library.open(.createIfMissing)
    defer { try? store.close() }
    let report = try store.merge(paths, options: options, didKeep: sayKept, goesOn: goesOn)
    try store.close()
    return report
  }

  /// `total` is unknown while a library is only read.
  private static func members(of step: MergeStep) -> [JSONValue.Member] {
    JSONValue.path(step.library) + [
      .init("recordings", .integer(step.doneCount)), .init("files", .integer(step.doneFileCount)),
      .init("total", step.totalCount.map { .integer($0) } ?? .null),
    ]
  }

  /// Says so at once, because it matters most if the merge fails.
  private func sayKept(at place: BytePath) {
    guard !output.quiet else { return }
    StandardError.line("the previous library is now \(TerminalText.escaped(place.displayString))")
  }
}
