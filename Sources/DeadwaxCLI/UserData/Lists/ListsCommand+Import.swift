internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaExchange
internal import MediaRendering
internal import MediaStore
internal import UserData

extension ListsCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Import a playlist as a list of tracks.",
      discussion: """
        Each entry is matched by its path, else by the hash of its recording (in playlists written by Deadwax), else \
        by the end of its path, else by artist and title, else by a file name that only one recording has. A path is \
        tried as written, then without percent-encoding, quotation marks or surrounding spaces. Entries that are not \
        found are reported. Formats: m3u8, m3u, xspf, jspf, pls, detected from the content of the file.
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: "The playlist.", completion: .file(extensions: PlaylistFormat.allCases.map(\.rawValue)))
    var file: String

    @Option(help: "The name of the list (default: the playlist's title, else the file's name).")
    var name: String?

    @Flag(help: "Replace a list with that name.")
    var replace = false

    @Flag(help: "Exit with status 3 if an entry was not found.")
    var strict = false

    func run() throws {
      let path = BytePath(argument: file)
      let bytes = try InputFile.bytes(of: path)
      guard let format = PlaylistFormat.detect(bytes, extension: path.pathExtension) else {
        throw ValidationError(
          "\(TerminalText.escaped(path.displayString)): the extension must be m3u8, m3u, xspf, jspf or pls")
      }
      let playlist: Playlist
      do throws(ExchangeError) {
        playlist = try format.playlist(from: bytes)
      } catch {
        throw InputFile.Failure(path: path, reason: "\(error)")
      }
      let titles = [playlist.title, path.stem.displayString].compactMap { $0 }
      let name = name ?? titles.lazy.compactMap(SavedList.name(after:)).first ?? "Imported"
      let found = try output.showing("looking for \(NumberText.count(playlist.entries.count, "track"))") {
        try library.writing { store in
          let found = try PlaylistImport(playlist, in: OutputFolder.of(path), store)
          // An empty list must not replace an existing one.
          guard !found.recordingIDs.isEmpty else {
            let rest = playlist.omittedCount > 0 ? "; \(Self.omitted(playlist.omittedCount))" : ""
            throw InputFile.Failure(path: path, reason: "\(found.summary)\(rest); no list was saved")
          }
          try store.lists.save(name, recordingIDs: found.recordingIDs, replaces: replace)
          return found
        }
      }
      if document.isWanted {
        try document.write(found.document(name))
      } else {
        try output.tell("\(name): \(found.summary)")
        if playlist.omittedCount > 0 { StandardError.line(Self.omitted(playlist.omittedCount)) }
        for entry in found.notFound {
          let place = entry.path.map { " (\($0.displayString))" } ?? ""
          StandardError.line("not found: " + TerminalText.escaped(entry.name + place))
        }
      }
      if strict, !found.notFound.isEmpty { throw ExitCode(ExitStatus.problemsUnderStrict) }
    }

    private static func omitted(_ count: Int) -> String {
      "not read: \(count) entries, which are too many or have impossible numbers"
    }
  }
}
