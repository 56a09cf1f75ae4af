internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// Where results go, and in which format.
struct OutputFileOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .customLong("output"), .customLong("output-filename")],
    help: ArgumentHelp("The file to write; its ending says the format. `-` is standard output.", valueName: "file"),
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
    return output == "-" ? "" : BytePath(argument: output).pathExtension
  }

  /// Refuses a format that is none of `formats`.
  func require(_ formats: [String]) throws {
    guard let resolvedFormat, !formats.contains(resolvedFormat) else { return }
    let known = formats.joined(separator: ", ")
    throw resolvedFormat.isEmpty
      ? ValidationError("--format is needed, because the output has no ending: \(known)")
      : ValidationError("there is no format '\(TerminalText.escaped(resolvedFormat))' here; there are \(known)")
  }

  /// Writes to the file, or to standard output where a format but no file was given.
  func write(_ bytes: [UInt8], protecting inputs: [BytePath]) throws {
    if let output, output != "-" {
      return try OutputFile(BytePath(argument: output)).write(bytes, protecting: inputs)
    }
    if StandardOutput.isTerminal, ["png", "dat"].contains(resolvedFormat) {
      throw ValidationError("\(resolvedFormat ?? "") is not for a terminal; name a file with -o")
    }
    try StandardOutput.write(bytes: bytes)
  }
}
