internal import Base
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// The beats of tracks, in seconds from their start.
///
/// Tracks without a tempo are counted on standard error.
struct BeatExport: ExportContent {
  static let formats = ["json", "csv"]

  private let files: ProductRows
  private let choices: ExportChoices

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.choices = choices
    files = try ProductRows(query, with: QueryField("bpm", .tempo), in: store, isQuiet: choices.isQuiet)
  }

  var inputs: [BytePath] { files.inputs }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    if choices.format == "csv" { try sink("path,bpm,beat,seconds\n") }
    try files.write("a tempo") { id, tempo in
      try TrackBeats(ofRecording: id, shownTempo: tempo, from: store)
    } entry: { path, beats in
      try sink(choices.format == "csv" ? csv(path, beats) : json(path, beats))
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
      .init("bpm", .number((beatsPerMinute * 1_000).rounded() / 1_000)),
      .init("beats_seconds", .array(seconds.map { .number(($0 * 1_000).rounded() / 1_000) })),
    ]
  }
}
