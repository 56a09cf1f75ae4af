internal import ArgumentParser
internal import Base
internal import Glibc

/// Where results go, and in which format.
struct OutputFileOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output"), .customLong("output-filename")],
    help: ArgumentHelp(
      """
      The file to write; its extension selects the format. `-` is standard output. If the command takes many tracks, \
      a folder receives a file for each.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: [.customLong("format"), .customLong("output-format")],
    help: "The format, if the file's extension does not determine it.")
  var format: String?

  /// nil for a drawing in the terminal.
  var resolvedFormat: String? {
    if let format { return format.lowercased() }
    guard let output else { return nil }
    if folder != nil { return nil }
    return output == "-" ? "" : BytePath(argument: output).pathExtension
  }

  /// The folder that gets many files; nil if the output is one file.
  ///
  /// A path is a folder if it exists as one or ends in a slash.
  var folder: BytePath? {
    output.flatMap(OutputFolder.named)
  }

  /// Refuses a folder if there is one file to write.
  func requireFile() throws {
    if folder != nil { throw ValidationError("-o takes a file here, not a folder") }
  }

  /// Refuses a format that is not in `formats`.
  func require(_ formats: [String]) throws {
    guard let resolvedFormat, !formats.contains(resolvedFormat) else { return }
    let known = formats.joined(separator: ", ")
    throw resolvedFormat.isEmpty
      ? ValidationError(
        "the output has no extension: choose a format with --format (\(known)), or end the name of a new folder with /")
      : ValidationError("unknown format '\(TerminalText.escaped(resolvedFormat))'; the formats are \(known)")
  }

  /// Whether results go to standard output.
  var isStandardOutput: Bool { output == nil || output == "-" }

  /// Writes to the file, or to standard output if a format but no file was given.
  func write(_ bytes: [UInt8], protecting inputs: [BytePath]) throws {
    if let output, output != "-" {
      return try OutputFile(BytePath(argument: output)).write(bytes, protecting: inputs)
    }
    if StandardOutput.isTerminal, ["png", "pdf", "dat"].contains(resolvedFormat) {
      throw ValidationError("\(resolvedFormat ?? "") cannot be shown in a terminal; name a file with -o")
    }
    try StandardOutput.write(bytes: bytes)
  }
}

/// Whether a file that exists is replaced by a sound file or a table.
struct OverwriteOption: ParsableArguments {
  @Flag(help: "Replace files that exist.")
  var overwrite = false
}

/// What a dry run prints of a file that would be written.
enum OutputPreview {
  static func write(_ track: BytePath, as output: BytePath, replaces: Bool) throws {
    let remark = OutputFile(output).exists ? (replaces ? " (replaces a file)" : " (already exists)") : ""
    try StandardOutput.line(TerminalText.escaped("\(track.displayString) -> \(output.displayString)\(remark)"))
  }
}

/// Folders for results.
enum OutputFolder {
  /// The folder that an output names, if it is one: it exists as a folder or ends in a slash.
  static func named(_ output: String) -> BytePath? {
    guard output != "-" else { return nil }
    let path = BytePath(argument: output)
    var status = stat()
    let isFolder = path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder || path.bytes.last == UInt8(ascii: "/") ? path : nil
  }

  /// The folder of a file, absolute and without symbolic links.
  static func of(_ file: BytePath) throws -> BytePath {
    let folder = file.parent.bytes.isEmpty ? BytePath(file.bytes.first == UInt8(ascii: "/") ? "/" : ".") : file.parent
    return try resolved(folder)
  }

  static func resolved(_ folder: BytePath) throws -> BytePath {
    guard let real = folder.withCString({ realpath($0, nil) }) else {
      throw OutputError.writing(path: folder.displayString, code: errno)
    }
    defer { free(real) }
    return BytePath(UnsafeRawBufferPointer(start: real, count: strlen(real)))
  }

  /// Creates a folder if there is none.
  static func make(_ folder: BytePath) throws {
    guard folder.withCString({ mkdir($0, 0o777) }) != 0, errno != EEXIST else { return }
    throw OutputError.writing(path: folder.displayString, code: errno)
  }

  /// Creates the folders between one that exists and a file, if there are none.
  static func makeParents(of file: BytePath, below folder: BytePath) throws {
    var path = folder
    for name in file.relative(to: folder).bytes.split(separator: UInt8(ascii: "/")).dropLast() {
      path = path.appending(BytePath(name))
      try make(path)
    }
  }
}
