internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// What can be exported: a case here, and a type in a file of its own that writes it.
enum ExportSubject: String, CaseIterable, ExpressibleByArgument {
  case fingerprints

  /// The first is taken where none is asked for.
  var formats: [String] {
    switch self {
    case .fingerprints: FingerprintExport.formats
    }
  }

  func content(of query: Query, in store: MediaStore, _ choices: ExportChoices) throws -> any ExportContent {
    switch self {
    case .fingerprints: try FingerprintExport(query, in: store, choices)
    }
  }
}

/// How a subject is to be written.
struct ExportChoices {
  /// One of the subject's formats.
  var format: String
  var isRaw = false
}

/// A subject that knows what it will write.
protocol ExportContent {
  static var formats: [String] { get }

  /// Media files that the export is about, and that it must never be written onto.
  var inputs: [BytePath] { get }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws
}
