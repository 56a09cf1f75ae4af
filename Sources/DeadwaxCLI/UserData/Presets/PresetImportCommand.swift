internal import ArgumentParser
internal import Base
internal import Glibc
internal import MediaExchange
internal import MediaModel
internal import MediaStore
internal import UserData

struct PresetImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import presets from files of other programs.",
    discussion: """
      The format is detected from the content of the file, or given with --format. Settings that a preset cannot \
      represent are reported on standard error with their line, byte or key. Curves of any length (GraphicEQ) are \
      approximated with bands, and the error is reported. Either all presets are imported, or none.

      Formats:
      \(PresetFormatName.list)

      Examples: deadwax preset import 'Phones ParametricEQ.txt'
                deadwax preset import config.txt --name Desk --dry-run
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(help: "The name of the preset (default: the name in the file, else the file's name).")
  var name: String?

  @Option(help: "The format of the files.")
  var format: String?

  @Option(help: ArgumentHelp("Maximum number of bands to approximate a curve, 1 to 64.", valueName: "count"))
  var bands = 20

  @Flag(help: "Replace presets with the same names; their assignments are kept.")
  var replace = false

  @Flag(help: "Show what would be imported without changing anything.")
  var dryRun = false

  @Flag(help: "Exit with status 3 if a setting could not be imported.")
  var strict = false

  @Flag(help: "Print a JSON document with the presets and all notes.")
  var json = false

  @Argument(help: "The files; - is standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    try ValidationError.require("bands", bands, in: 1...64)
    if let format { _ = try PresetFormatName.format(format) }
  }

  func run() throws {
    let name = try name.map { try PresetName($0) }
    let format = try format.map(PresetFormatName.format)
    var imports: [(path: BytePath, result: PresetImport, presets: [Preset])] = []
    var failures: [Int32] = []
    for file in files {
      let path = BytePath(argument: file)
      do {
        let source = try PresetFile(path)
        let result = try PresetImport(
          source.bytes, format: format, fileName: source.name, identity: source.identity, maximumBandCount: bands,
          find: { source.included($0, by: $1) })
        if name != nil, result.presets.count > 1 {
          throw InputFile.Failure(
            path: path, reason: "contains \(result.presets.count) presets, but --name is for a single one")
        }
        imports.append((path, result, result.presets.map { Preset(name: name ?? $0.name, chain: $0.chain) }))
      } catch {
        failures.append(ExitStatus.of(error) ?? 1)
        let text = error is ExchangeError ? "\(path.displayString): \(error)" : "\(error)"
        StandardError.line(TerminalText.escaped(text))
      }
    }
    // A name that is wrong is the lesser failure.
    if let status = failures.min() { throw ExitCode(status) }
    let presets = imports.flatMap(\.presets)
    var names: Set<PresetName> = []
    for preset in presets where !names.insert(preset.name).inserted {
      throw ValidationError(
        "several files contain a preset '\(TerminalText.escaped(preset.name.text))'; import them separately")
    }
    if !dryRun {
      try library.writing(.createIfMissing) { try $0.presets.importAll(presets, replacing: replace) }
    }
    try report(imports)
    if strict, imports.contains(where: { !$0.result.notes.isEmpty }) {
      throw ExitCode(ExitStatus.problemsUnderStrict)
    }
  }

  private func report(_ imports: [(path: BytePath, result: PresetImport, presets: [Preset])]) throws {
    if json {
      let items = imports.map { item in
        JSONValue.object(
          JSONValue.path(item.path) + [
            .init("format", .string(item.result.format.rawValue)),
            .init("presets", .array(item.presets.map(\.document))),
            .init("notes", .array(item.result.notes.map(ExchangeReport.json))),
          ])
      }
      return try StandardOutput.line(JSONValue.object(["schema": .integer(1), "files": .array(items)]).prettyText)
    }
    for item in imports {
      ExchangeReport.write(item.result.notes, about: item.path.displayString, output: output)
      guard !output.quiet else { continue }
      for preset in item.presets {
        let text = "\(preset.name): \(PresetText.summary(preset.chain)) (\(item.result.format.title))"
        try StandardOutput.line(TerminalText.escaped(text))
      }
    }
  }
}

/// A file of presets, and the files that it includes.
struct PresetFile {
  let path: BytePath
  let bytes: [UInt8]

  /// - Parameter path: `-` is standard input.
  init(_ path: BytePath) throws(InputFile.Failure) {
    self.path = path
    bytes = try InputFile.bytes(of: path, limit: PresetImport.maximumByteCount)
  }

  /// The name for a preset without one.
  var name: String { path == InputFile.standardInput ? "Imported" : path.lastComponent.displayString }

  /// The path without symbolic links; nil for standard input.
  var identity: String? {
    guard path != InputFile.standardInput, let real = path.withCString({ realpath($0, nil) }) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The file that `includer` includes as `name`: a path relative to its folder, with slashes or backslashes and in any
  /// case, as on Windows.
  func included(_ name: String, by includer: String?) -> IncludedFile? {
    let unquoted = name.trimmingPrefix("\"").prefix { $0 != "\"" }
    let asked = BytePath(String(unquoted.map { $0 == "\\" ? "/" : $0 }))
    guard !asked.bytes.isEmpty, !asked.bytes.contains(0) else { return nil }
    let folder = includer.map { BytePath($0).parent } ?? (path == InputFile.standardInput ? BytePath("") : path.parent)
    let isAbsolute = asked.bytes.first == UInt8(ascii: "/")
    let exact = isAbsolute ? asked : folder.appending(asked)
    return Self.regularFile(exact)
      ?? Self.inAnyCase(asked, below: isAbsolute ? BytePath("/") : folder).flatMap(Self.regularFile)
  }

  private static func regularFile(_ path: BytePath) -> IncludedFile? {
    // Without waiting for the writer of a pipe.
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let bytes = try? InputFile.bytes(from: descriptor, of: path, limit: PresetImport.maximumByteCount),
      let real = path.withCString({ realpath($0, nil) })
    else { return nil }
    defer { free(real) }
    return IncludedFile(identity: String(cString: real), bytes: bytes)
  }

  /// The first path whose components differ only in case.
  private static func inAnyCase(_ path: BytePath, below folder: BytePath) -> BytePath? {
    var found = folder
    for component in path.bytes.split(separator: UInt8(ascii: "/")) {
      if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
        found = found.appending(BytePath(component))
        continue
      }
      let wanted = String(decoding: component, as: UTF8.self).lowercased()
      let folder = found.bytes.isEmpty ? BytePath(".") : found
      guard let entries = folder.withCString({ opendir($0) }) else { return nil }
      defer { closedir(entries) }
      var names: [BytePath] = []
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
            BytePath(UnsafeRawBufferPointer(start: $0, count: strnlen($0, 256)))
          }
        }
        if name.displayString.lowercased() == wanted { names.append(name) }
      }
      guard let name = names.min() else { return nil }
      found = found.appending(name)
    }
    return found
  }
}
