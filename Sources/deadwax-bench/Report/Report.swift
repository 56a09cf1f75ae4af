internal import ArgumentParser
internal import Base
internal import Foundation

/// Tables and the machine they were measured on.
struct Report {
  enum Form {
    case text, markdown, jsonLines
  }

  let machine: Machine
  let tables: [ResultTable]

  /// Writes to standard output, and appends JSON lines to the file at `path`, if given.
  func write(_ form: Form, appendingTo path: String?) throws {
    FileHandle.standardOutput.write(Data(text(form).utf8))
    guard let path else { return }
    if !FileManager.default.fileExists(atPath: path) {
      guard FileManager.default.createFile(atPath: path, contents: nil) else {
        throw BenchFailure("cannot write to \(path)")
      }
    }
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    defer { try? file.close() }
    try file.seekToEnd()
    try file.write(contentsOf: Data(text(.jsonLines).utf8))
  }

  func text(_ form: Form) -> String {
    switch form {
    case .text: ([machine.text + "\n"] + tables.map(\.text)).joined(separator: "\n")
    case .markdown: ([machine.text + "\n"] + tables.map(\.markdown)).joined(separator: "\n")
    case .jsonLines: ([machine.json] + tables.flatMap(\.jsonLines)).map { $0.text + "\n" }.joined()
    }
  }
}

/// The options of how the tables are written.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Write JSON lines instead of tables: the machine, then one line a row.")
  var json = false

  @Flag(help: "Write the tables as Markdown, as docs/performance.md has them.")
  var markdown = false

  @Option(help: ArgumentHelp("Also append the JSON lines to a file.", valueName: "file"))
  var jsonl: String?

  func validate() throws {
    if json && markdown { throw ValidationError("--json and --markdown exclude each other") }
  }

  /// Writes the machine and the tables that were measured on it.
  func write(_ tables: [ResultTable]) throws {
    try Report(machine: Machine.current(), tables: tables).write(form, appendingTo: jsonl)
  }

  private var form: Report.Form { json ? .jsonLines : markdown ? .markdown : .text }
}
