internal import ArgumentParser
internal import Base
internal import Foundation
internal import LibraryQueries
internal import MediaStore
internal import QueryLanguage

/// `deadwax-bench queries`: whole commands on a large library, compared with the sqlite3 shell.
struct QueriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queries",
    abstract: "Time queries on a large library, as whole processes, and compare them with the sqlite3 shell.",
    discussion: "Create the library with `deadwax-bench library`. Both programs take turns; output goes to /dev/null.")

  @OptionGroup var built: CommandOptions
  @OptionGroup var report: ReportOptions

  @Argument(help: ArgumentHelp("The library.", valueName: "file"))
  var library: String

  @Option(
    name: .customLong("repeat"), help: ArgumentHelp("How often to measure; medians are reported.", valueName: "count"))
  var count = 15

  func validate() throws {
    if count < 1 { throw ValidationError("--repeat takes a number from 1 up") }
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

/// A query as a command, and as SQL that someone who knows the schema would type into the shell.
struct LibraryQuestion {
  var name: String
  var arguments: [String]
  var sql: String
  var goalInMilliseconds: Double?
  var rowCount: Int?

  /// Queries with many rows are repeated less often.
  func repetitions(_ count: Int) -> Int { (rowCount ?? 0) > 100_000 ? max(1, count / 5) : count }

  /// The queries, with words and names that occur in the library.
  static func all(about store: MediaStore) throws -> [LibraryQuestion] {
    let total = try store.count(of: .everything)
    let (word, artist) = try names(in: store, total: total)
    let columns = "file.audio_id, path_text, artist, title, album, file.duration_s, codec, file.state"
    let tables = "LEFT JOIN stream ON stream.id = file.stream_id"
    func found(_ text: String) -> String {
      let scalars = Array(TextFolding.fold(text).unicodeScalars)
      let runs = (0...max(0, scalars.count - 3)).map { start in
        "\"\(String(String.UnicodeScalarView(scalars[start..<min(start + 3, scalars.count)])))\""
      }
      return "(SELECT rowid FROM search WHERE search MATCH '\(runs.joined(separator: " AND "))')"
    }
    func ls(_ words: String...) -> [String] { ["ls", "--jsonl"] + words }
    func count(_ text: String) throws -> Int { try store.count(of: try store.query(text)) }
    return [
      LibraryQuestion(
        name: "start alone", arguments: ["roots"], sql: "SELECT path_text FROM root", rowCount: 1),
      LibraryQuestion(
        name: "ls \(word)", arguments: ls(word),
        sql: """
          SELECT \(columns) FROM file \(tables)
           WHERE file.id IN \(found(word)) AND instr(search_text, '\(word)') ORDER BY root_id, path
          """, goalInMilliseconds: 25, rowCount: try count(word)),
      LibraryQuestion(
        name: "ls 'artist:=\(artist)'", arguments: ls("artist:=\"\(artist)\""),
        sql: """
          SELECT \(columns) FROM file \(tables)
           WHERE file.id IN \(found(artist)) AND artist = '\(artist.replacing("'", with: "''"))' ORDER BY root_id, path
          """, goalInMilliseconds: 25, rowCount: try count("artist:=\"\(artist)\"")),
      LibraryQuestion(
        name: "ls genre:jazz --limit 50", arguments: ls("genre:jazz", "--limit", "50"),
        sql: "SELECT \(columns) FROM file \(tables) WHERE genre LIKE '%jazz%' ORDER BY root_id, path LIMIT 50",
        goalInMilliseconds: 25, rowCount: 50),
      LibraryQuestion(
        name: "ls 'lufs:-14..-12 year-' --limit 50", arguments: ls("lufs:-14..-12 year-", "--limit", "50"),
        sql: """
          SELECT \(columns) FROM file INDEXED BY file_by_year \(tables) JOIN measures ON measures.audio_id = file.audio_id
           WHERE loudness_lufs BETWEEN -14 AND -12 ORDER BY year DESC, root_id, path LIMIT 50
          """, goalInMilliseconds: 25, rowCount: 50),
      LibraryQuestion(
        name: "ls 'duration:>10m lufs-' --limit 50", arguments: ls("duration:>10m lufs-", "--limit", "50"),
        sql: """
          SELECT \(columns) FROM measures JOIN file ON file.audio_id = measures.audio_id \(tables)
           WHERE file.duration_s > 600 ORDER BY loudness_lufs DESC LIMIT 50
          """, goalInMilliseconds: 25, rowCount: 50),
      LibraryQuestion(
        name: "ls 日本", arguments: ls("日本"),
        sql: "SELECT \(columns) FROM file \(tables) WHERE instr(search_text, '日本') ORDER BY root_id, path",
        rowCount: try count("日本")),
      LibraryQuestion(
        name: "status", arguments: ["status", "--json"],
        sql: "SELECT * FROM file_tally; SELECT * FROM audio_tally; SELECT * FROM product_tally",
        goalInMilliseconds: 50, rowCount: nil),
      LibraryQuestion(
        name: "ls of everything", arguments: ls(),
        sql: "SELECT \(columns) FROM file \(tables) ORDER BY root_id, path",
        goalInMilliseconds: Double(total) / 200, rowCount: total),
    ]
  }

  /// A word that 100 to 500 files have, if there is one, and an artist.
  private static func names(in store: MediaStore, total: Int) throws -> (word: String, artist: String) {
    let fields = [QueryField("title", .text), QueryField("artist", .text)]
    var result = (word: "river", artist: "nobody")
    for step in 1...40 {
      var title = ""
      try store.forEachRow(of: try store.query("id:\(max(1, total / 41 * step))"), fields: fields, limit: 1) { values in
        if case .text(let text) = values[0] { title = text }
        if case .text(let text) = values[1] { result.artist = text }
      }
      for word in title.split(separator: " ") where word.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x27 }) {
        result.word = TextFolding.fold(String(word))
        if (100...500).contains(try store.count(of: Query(condition: .word(result.word)))) { return result }
      }
    }
    return result
  }
}
