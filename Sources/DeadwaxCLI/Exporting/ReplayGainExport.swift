internal import Base
internal import LibraryTracks
internal import MediaExchange
internal import MediaStore
internal import QueryLanguage
internal import TagWriting

/// The loudness of files and their albums as ReplayGain, as a table; `tags write --replaygain` writes it into tags.
///
/// Files without a loudness, because they are too short, too quiet or were not decoded, are counted on standard error.
struct ReplayGainExport: ExportContent {
  static let formats = ["csv", "jsonl", "json", "tsv"]

  let inputs: [BytePath]
  private let files: [FileLoudness]
  private let choices: ExportChoices

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    self.choices = choices
    files = try store.files.loudness(of: query)
    inputs = choices.file == nil ? [] : files.map(\.path)
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws {
    let measured = files.compactMap { file in ReplayGainTags(file).map { (file, $0) } }
    if measured.count < files.count {
      tell("\(NumberText.count(files.count - measured.count, "file")) without a loudness")
    }
    switch choices.format {
    case "csv", "tsv": try writeTable(measured, to: sink)
    default:
      for (index, (file, tags)) in measured.enumerated() {
        let object = JSONValue.object(JSONValue.path(file.path) + tags.members).text
        try sink(choices.format == "jsonl" ? object + "\n" : (index == 0 ? "[\n" : ",\n") + object)
      }
      if choices.format == "json" { try sink(measured.isEmpty ? "[]\n" : "\n]\n") }
    }
  }

  private func writeTable(_ measured: [(FileLoudness, ReplayGainTags)], to sink: (String) throws -> Void) throws {
    let line = choices.format == "csv" ? SeparatedText.csv : SeparatedText.tsv
    try sink(line(["path"] + ReplayGainTags.columns))
    for (file, tags) in measured {
      let path = file.path.displayString
      let numbers = tags.numbers.map { $0.map(NumberText.short) ?? "" }
      try sink(line([choices.format == "csv" ? SpreadsheetCell.text(path, choices.formulas) : path] + numbers))
    }
  }

  private func tell(_ text: String) {
    if !choices.isQuiet { StandardError.line(text) }
  }
}

extension ReplayGainTags {
  fileprivate static let columns = ["track_gain_db", "track_peak", "album_gain_db", "album_peak"]

  fileprivate var numbers: [Double?] { [track.gainInDB, track.peak, album?.gainInDB, album?.peak] }

  fileprivate var members: [JSONValue.Member] { zip(Self.columns, numbers).map { .init($0, .number($1)) } }
}
