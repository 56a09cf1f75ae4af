internal import MediaModel
internal import MediaStore

/// A question in the words of the command and in SQL, as somebody who knows the schema would put it to the shell.
struct LibraryQuestion {
  var name: String
  var arguments: [String]
  var sql: String
  var goalInMilliseconds: Double?
  var rowCount: Int?

  /// Long ones are asked less often.
  func repetitions(_ count: Int) -> Int { (rowCount ?? 0) > 100_000 ? max(1, count / 5) : count }

  /// With words and names that the library has: those of a track in its middle.
  static func all(about store: MediaStore) throws -> [LibraryQuestion] {
    let total = try store.count(of: .everything)
    let (word, artist) = try names(in: store, total: total)
    let columns = "file.audio_id, path_text, artist, title, album, duration_s, codec, file.state"
    let tables = "LEFT JOIN audio ON audio.id = file.audio_id"
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
          SELECT \(columns) FROM file INDEXED BY file_by_year \(tables) JOIN measures USING (audio_id)
           WHERE loudness_lufs BETWEEN -14 AND -12 ORDER BY year DESC, root_id, path LIMIT 50
          """, goalInMilliseconds: 25, rowCount: 50),
      LibraryQuestion(
        name: "ls 'duration:>10m lufs-' --limit 50", arguments: ls("duration:>10m lufs-", "--limit", "50"),
        sql: """
          SELECT \(columns) FROM measures JOIN file USING (audio_id) \(tables)
           WHERE duration_s > 600 ORDER BY loudness_lufs DESC LIMIT 50
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

  /// A word that some hundred files have, if there is one, and an artist.
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
