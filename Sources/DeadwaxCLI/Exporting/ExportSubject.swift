internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// What can be exported. Each case has a type that writes it.
enum ExportSubject: String, CaseIterable, ExpressibleByArgument {
  case tracks
  case tags
  case playlist
  case cue
  case fingerprints
  case replaygain
  case beats
  case waveforms
  case spectra
  case presets
  case library

  /// The first is the default.
  var formats: [String] {
    switch self {
    case .tracks: TrackExport.formats
    case .tags: TagExport.formats
    case .playlist: PlaylistExport.formats
    case .cue: CueExport.formats
    case .fingerprints: FingerprintExport.formats
    case .replaygain: ReplayGainExport.formats
    case .beats: BeatExport.formats
    case .waveforms: FolderExport.formats(.waveform)
    case .spectra: FolderExport.formats(.spectrum)
    case .presets: PresetFolderExport.formats
    case .library: ["folder"]
    }
  }

  /// Whether many files are written, into a folder.
  var needsFolder: Bool {
    switch self {
    case .waveforms, .spectra, .presets, .library: true
    case .tracks, .tags, .playlist, .cue, .fingerprints, .replaygain, .beats: false
    }
  }

  /// nil for subjects that need a folder.
  func content(of query: Query, in store: MediaStore, _ choices: ExportChoices) throws -> (any ExportContent)? {
    switch self {
    case .tracks: try TrackExport(query, in: store, choices)
    case .tags: try TagExport(query, in: store, choices)
    case .playlist: try PlaylistExport(query, in: store, choices)
    case .cue: try CueExport(query, in: store, choices)
    case .fingerprints: try FingerprintExport(query, in: store, choices)
    case .replaygain: try ReplayGainExport(query, in: store, choices)
    case .beats: try BeatExport(query, in: store, choices)
    case .waveforms, .spectra, .presets, .library: nil
    }
  }
}

/// How a subject is written.
struct ExportChoices {
  /// One of the subject's formats.
  var format: String
  var isRaw = false
  /// The fields of tracks; nil for all.
  var fields: String?
  /// The output file; nil for standard output.
  var file: BytePath?
  var usesAbsolutePaths = false
  /// Of a playlist; the file's name without it.
  var title: String?
  /// Whether files that were left out are not reported.
  var isQuiet = false
  /// What is done about texts in csv that spreadsheets would compute.
  var formulas = SpreadsheetCell.Formulas.escape

  /// The format with that name, else that of the file extension; the first one if there is neither.
  static func format(_ name: String?, ending: String, of formats: [String]) throws -> String {
    var usual = ["": formats[0], "txt": "text", "xml": "rekordbox"]
    // JSON of which each line is a document.
    if !formats.contains("jsonl") { usual["jsonl"] = "json" }
    let chosen = name?.lowercased() ?? usual[ending] ?? ending
    guard formats.contains(chosen) else {
      let known = formats.joined(separator: ", ")
      throw ValidationError(
        name.map { "unknown format '\(TerminalText.escaped($0))'; --format takes \(known)" }
          ?? "no format is called '\(TerminalText.escaped(ending))'; the formats are \(known)")
    }
    return chosen
  }
}

/// The contents of an export to one file or standard output.
protocol ExportContent {
  static var formats: [String] { get }

  /// The media files of the export, which its output must not replace.
  var inputs: [BytePath] { get }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws
}
