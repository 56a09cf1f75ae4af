internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// A CUE sheet of the files that a query finds, with the parts of each; missing files and those without a recording are
/// left out.
struct CueExport: ExportContent {
  static let formats = ["cue"]

  let inputs: [BytePath]
  private let text: String

  init(_ query: Query, in store: MediaStore, _ choices: ExportChoices) throws {
    let folder = choices.usesAbsolutePaths ? nil : try choices.file.map(OutputFolder.of)
    let names = ["title", "artist", "album", "albumartist", "genre", "date", "rate", "state"]
    let fields = [QueryField("path", .path)] + names.compactMap { name in MediaStore.fields.first { $0.name == name } }
    var found: [(path: BytePath, texts: [String?])] = []
    try store.forEachRow(of: query, fields: fields) { values in
      guard case .path(let path) = values[0] else { return }
      found.append((path, values.dropFirst().map { $0 == .none ? nil : $0.plain }))
    }
    found.removeAll { $0.texts[7] == "missing" || $0.texts[6] == nil }
    inputs = found.map(\.path)
    let ids = try store.files.ids(at: inputs)
    let files = try zip(found, ids).map { file, id in
      var tags = PartTags(title: file.texts[0] ?? file.path.stem.displayString, artist: file.texts[1])
      tags.genre = file.texts[4]
      let path = folder.flatMap { PlaylistPath.relative(file.path, to: $0) } ?? file.path
      let parts = try id.map { id throws(StoreError) in try store.files.parts(ofFile: id) } ?? []
      return CueSheet.WrittenFile(
        name: path.displayString, sampleRateInHz: file.texts[6].flatMap { Int($0) } ?? 0, parts: parts.map(\.part),
        tags: tags)
    }
    text = CueSheet.text(tags: Self.common(found.map(\.texts)), files: files)
  }

  /// What all files have in common.
  private static func common(_ texts: [[String?]]) -> PartTags {
    func value(_ index: Int) -> String? {
      let values = Set(texts.map { $0[index] })
      return values.count == 1 ? values.first ?? nil : nil
    }
    var tags = PartTags(
      title: value(2) ?? (texts.count == 1 ? value(0) : nil), artist: value(3) ?? value(1))
    tags.genre = value(4)
    tags.date = value(5)
    return tags
  }

  func write(from store: MediaStore, to sink: (String) throws -> Void) throws { try sink(text) }
}
