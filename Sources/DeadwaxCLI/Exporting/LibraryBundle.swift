internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryRecovery
internal import MediaExchange
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// The whole library in a folder: a copy of it, and its tracks, tags and lists as text that other programs can read.
struct LibraryBundle {
  let library: LibraryOptions

  /// - Throws: `ExitCode(1)` at the end if this version could not run the query of a list.
  func write(_ store: MediaStore, into folder: BytePath) throws {
    try OutputFolder.make(folder)
    // The folder may hold backups: one with more data and older ones stay.
    _ = try store.backUp(to: folder.appending(BytePath("library.sqlite")), keeping: nil, replacesMore: false)
    func write(_ name: String, _ content: any ExportContent) throws {
      let path = folder.appending(BytePath(name))
      let output = try OutputFile(path).begin(protecting: library.protectedFiles(among: [path]))
      try content.write(from: store) { try output.append($0.utf8) }
      try output.commit()
    }
    var choices = ExportChoices(format: "jsonl")
    try write("tracks.jsonl", try TrackExport(.everything, in: store, choices))
    try write("tags.jsonl", try TagExport(.everything, in: store, choices))
    choices.format = PlaylistFormat.xspf.rawValue
    choices.usesAbsolutePaths = true
    var names = UniqueFileNames(ending: choices.format)
    var failureCount = 0
    for list in try store.lists.all() {
      choices.title = list.name
      do {
        try write(names.next(for: list.name), try list.playlist(in: store, choices))
      } catch let error as QueryError {
        failureCount += 1
        StandardError.line(TerminalText.escaped("list \(list.name): \(error)"))
      }
    }
    guard failureCount == 0 else { throw ExitCode(1) }
  }
}

extension SavedList {
  /// The list as it is now.
  func playlist(in store: MediaStore, _ choices: ExportChoices) throws -> PlaylistExport {
    guard let query else { return try PlaylistExport(self, in: store, choices) }
    return try PlaylistExport(try store.query(query), in: store, choices)
  }
}
