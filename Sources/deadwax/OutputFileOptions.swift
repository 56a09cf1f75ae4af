internal import ArgumentParser
internal import Glibc
internal import MediaExport
internal import MediaModel

/// Where results go, and in which format.
struct OutputFileOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output"), .customLong("output-filename")],
    help: ArgumentHelp(
      """
      The file to write; its ending says the format. `-` is standard output; where many tracks can be meant, a folder takes \
      a file for each.
      """,
      valueName: "file"),
    completion: .file())
  var output: String?

  @Option(
    name: [.customLong("format"), .customLong("output-format")],
    help: "The format, where the file's ending does not say it.")
  var format: String?

  /// nil where nothing but the terminal is drawn on.
  var resolvedFormat: String? {
    if let format { return format.lowercased() }
    guard let output else { return nil }
    if folder != nil { return nil }
    return output == "-" ? "" : BytePath(argument: output).pathExtension
  }

  /// The folder that many files are written into; nil where the output is one file.
  ///
  /// A folder is what exists as one or ends in a slash.
  var folder: BytePath? {
    guard let output, output != "-" else { return nil }
    let path = BytePath(argument: output)
    var status = stat()
    let isFolder = path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isFolder || path.bytes.last == UInt8(ascii: "/") ? path : nil
  }

  /// Refuses a folder, where there is one file to write.
  func requireFile() throws {
    if folder != nil { throw ValidationError("-o is one file here, not a folder") }
  }

  /// Refuses a format that is none of `formats`.
  func require(_ formats: [String]) throws {
    guard let resolvedFormat, !formats.contains(resolvedFormat) else { return }
    let known = formats.joined(separator: ", ")
    throw resolvedFormat.isEmpty
      ? ValidationError("--format is needed, because the output has no ending: \(known); a new folder ends with /")
      : ValidationError("there is no format '\(TerminalText.escaped(resolvedFormat))' here; there are \(known)")
  }

  /// Whether results go to standard output.
  var isStandardOutput: Bool { output == nil || output == "-" }

  /// Writes to the file, or to standard output where a format but no file was given.
  func write(_ bytes: [UInt8], protecting inputs: [BytePath]) throws {
    if let output, output != "-" {
      return try OutputFile(BytePath(argument: output)).write(bytes, protecting: inputs)
    }
    if StandardOutput.isTerminal, ["png", "pdf", "dat"].contains(resolvedFormat) {
      throw ValidationError("\(resolvedFormat ?? "") is not for a terminal; name a file with -o")
    }
    try StandardOutput.write(bytes: bytes)
  }
}
