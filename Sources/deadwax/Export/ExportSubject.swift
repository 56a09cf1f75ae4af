internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// What can be exported: a case here, and a type in a file of its own that writes it.
enum ExportSubject: String, CaseIterable, ExpressibleByArgument {
  case tracks
  case tags
  case playlist
  case fingerprints
  case waveforms
  case spectra
  case presets
  case library

  /// The first is taken where none is asked for.
  var formats: [String] {
    switch self {
    case .tracks: TrackExport.formats
    case .tags: TagExport.formats
    case .playlist: PlaylistExport.formats
    case .fingerprints: FingerprintExport.formats
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
    case .tracks, .tags, .playlist, .fingerprints: false
    }
  }

  /// nil for what needs a folder.
  func content(of query: Query, in store: MediaStore, _ choices: ExportChoices) throws -> (any ExportContent)? {
    switch self {
    case .tracks: try TrackExport(query, in: store, choices)
    case .tags: try TagExport(query, in: store, choices)
    case .playlist: try PlaylistExport(query, in: store, choices)
    case .fingerprints: try FingerprintExport(query, in: store, choices)
    case .waveforms, .spectra, .presets, .library: nil
    }
  }
}

/// How a subject is to be written.
struct ExportChoices {
  /// One of the subject's formats.
  var format: String
  var isRaw = false
  /// The fields of tracks; all where it is nil.
  var fields: String?
  /// The file that is written; nil for standard output.
  var file: BytePath?
  var usesAbsolutePaths = false
  /// Of a playlist; the file's name without it.
  var title: String?
  /// Whether nobody wants to know what was left out.
  var isQuiet = false

  /// The one of `formats` that is asked for by its name, else by a file's ending; the first where neither is there.
  static func format(_ name: String?, ending: String, of formats: [String]) throws -> String {
    let usual = ["": formats[0], "txt": "text", "xml": "rekordbox"]
    let chosen = name?.lowercased() ?? usual[ending] ?? ending
    guard formats.contains(chosen) else {
      let unknown = TerminalText.escaped(name ?? ending)
      throw ValidationError(
        "there is no format '\(unknown)' here; --format takes \(formats.joined(separator: ", "))")
    }
    return chosen
  }
}

/// A subject that knows what it will write.
protocol ExportContent {
  static var formats: [String] { get }

  /// Media files that the export is about, and that it must never be written onto.
  var inputs: [BytePath] { get }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws
}
