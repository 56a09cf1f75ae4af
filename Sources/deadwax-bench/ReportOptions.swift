internal import ArgumentParser

/// What becomes of the tables.
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
