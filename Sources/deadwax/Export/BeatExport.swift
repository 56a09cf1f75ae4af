internal import Base
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// The beats of tracks, in seconds from their start.
///
/// Tracks without a tempo are counted on standard error.
struct BeatExport: ExportContent {
  static let formats = ["json", "csv"]

  private struct Row {
    var recordingID: Int64
    var path: BytePath
    var beatsPerMinute: Double?
  }

  private let rows: [Row]
  private let choices: ExportChoices

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.choices = choices
    var rows: [Row] = []
    let fields = [.id, QueryField("path", .path), QueryField("bpm", .tempo)]
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .integer(let id) = values[0], case .path(let path) = values[1] else { return }
      var row = Row(recordingID: id, path: path)
      if case .real(let bpm) = values[2] { row.beatsPerMinute = bpm }
      rows.append(row)
    }
    self.rows = rows
  }

  var inputs: [BytePath] { rows.map(\.path) }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    if choices.format == "csv" { try sink("path,bpm,beat,seconds\n") }
    var writtenCount = 0
    for row in rows {
      guard let beats = try beats(of: row, in: store) else { continue }
      writtenCount += 1
      try sink(choices.format == "csv" ? csv(row.path, beats) : json(row.path, beats))
    }
    if writtenCount < rows.count, !choices.isQuiet {
      StandardError.line("\(rows.count - writtenCount) of \(NumberText.count(rows.count, "file")) without a tempo")
    }
  }

  /// nil if there are none; damaged onsets are reported and left out.
  private func beats(of row: Row, in store: MediaStore) throws -> TrackBeats? {
    do {
      return try TrackBeats(ofRecording: row.recordingID, shownTempo: row.beatsPerMinute, from: store)
    } catch let error as StoreError {
      guard case .damagedProduct = error else { throw error }
      StandardError.line(TerminalText.escaped(ErrorAdvice.text(of: error)))
      return nil
    }
  }

  private func json(_ path: BytePath, _ beats: TrackBeats) -> String {
    JSONValue.object(JSONValue.path(path) + beats.members).text + "\n"
  }

  private func csv(_ path: BytePath, _ beats: TrackBeats) -> String {
    let name = SpreadsheetCell.text(path.displayString, choices.formulas)
    return beats.seconds.enumerated().map { number, seconds in
      SeparatedText.csv([
        name, NumberText.decimal(beats.beatsPerMinute, 2), "\(number + 1)", NumberText.decimal(seconds, 3),
      ])
    }.joined()
  }
}

extension TrackBeats {
  /// The tempo, and each beat to a millisecond.
  var members: [JSONValue.Member] {
    [
      .init("bpm", .number(beatsPerMinute)),
      .init("beats_seconds", .array(seconds.map { .number(($0 * 1_000).rounded() / 1_000) })),
    ]
  }
}
