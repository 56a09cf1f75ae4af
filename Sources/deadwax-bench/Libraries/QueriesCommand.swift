internal import ArgumentParser
internal import Foundation
internal import MediaModel
internal import MediaStore

/// `deadwax-bench queries`: whole commands on a large library, beside the sqlite3 shell.
struct QueriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queries",
    abstract: "Time questions to a large library, from start to end of the process, beside the sqlite3 shell.",
    discussion: "The library is one of `deadwax-bench library`. Both programs take turns; output goes to /dev/null.")

  @OptionGroup var built: CommandOptions
  @OptionGroup var report: ReportOptions

  @Argument(help: ArgumentHelp("The library.", valueName: "file"))
  var library: String

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("Measure so often; medians are reported.", valueName: "count"))
  var count = 15

  func validate() throws {
    if count < 1 { throw ValidationError("--repeat takes a number from 1 on") }
  }

  func run() throws {
    guard let shell = ChildProcess.path(of: "sqlite3") else { throw BenchFailure("sqlite3 is not installed") }
    let command = try built.path()
    var table = ResultTable(
      "queries", title: "Questions to \(library)",
      columns: [
        .init("question", "question"), .init("rows", "rows"), .init("wall_ms", "wall ms"), .init("goal_ms", "goal"),
        .init("cpu_ms", "cpu ms"), .init("shell_ms", "sqlite3 ms"), .init("ratio", "ratio"),
      ])
    let store = try MediaStore(at: BytePath(library), access: .readOnly)
    let questions = try LibraryQuestion.all(about: store)
    try store.close()
    for question in questions {
      let ours = ChildProcess(executable: command, arguments: question.arguments + ["--library", library])
      let theirs = ChildProcess(
        executable: shell, arguments: ["-readonly", "-json", "file:\(library)?immutable=1", question.sql])
      var wall = Samples()
      var shellWall = Samples()
      var processor = Samples()
      for round in 0...question.repetitions(count) {
        let (mine, other) = (try ours.run(), try theirs.run())
        guard mine.hasSucceeded, other.hasSucceeded else { throw BenchFailure("\(question.name) failed") }
        // The first round fills the system's cache.
        if round > 0 {
          wall.add(mine.wallSeconds * 1_000)
          shellWall.add(other.wallSeconds * 1_000)
          processor.add((mine.userSeconds + mine.systemSeconds) * 1_000)
        }
      }
      table.add([
        .text(question.name), .count(question.rowCount), .number(wall.median, digits: 1),
        .number(question.goalInMilliseconds, digits: 0), .number(processor.median, digits: 1),
        .number(shellWall.median, digits: 1),
        .number(wall.ratios(to: shellWall).median, digits: 2),
      ])
    }
    try report.write([table])
  }
}
