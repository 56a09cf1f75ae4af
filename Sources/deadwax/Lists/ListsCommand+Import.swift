internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

extension ListsCommand {
  struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "import", abstract: "Read a playlist, and keep the tracks that it means as a list.",
      discussion: """
        Each entry is found by its path, else by the hash of its sound (in playlists of Deadwax), else by the end of its path, \
        else by artist and title. What is not found is told. Formats: m3u8, m3u, xspf, jspf, pls.
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: "The playlist.", completion: .file(extensions: PlaylistFormat.allCases.map(\.rawValue)))
    var file: String

    @Option(help: "The list's name (default: the playlist's title, else the file's name).")
    var name: String?

    @Flag(help: "Let a list of that name give way.")
    var replace = false

    @Flag(help: "Exit with status 3 where an entry was not found.")
    var strict = false

    func run() throws {
      let path = BytePath(argument: file)
      guard let format = PlaylistFormat(rawValue: path.pathExtension) else {
        throw ValidationError(
          "\(TerminalText.escaped(path.displayString)): the ending is none of m3u8, m3u, xspf, jspf, pls")
      }
      let bytes = try InputFile.bytes(of: path)
      let playlist: Playlist
      do throws(PlaylistError) {
        playlist = try format.playlist(from: bytes)
      } catch {
        throw InputFile.Failure(path: path, reason: error.reason)
      }
      let titles = [playlist.title, path.stem.displayString].compactMap { $0 }
      let name = name ?? titles.lazy.compactMap(SavedList.name(after:)).first ?? "Imported"
      let found = try output.showing("looking for \(NumberText.count(playlist.entries.count, "track"))") {
        try library.writing { store in
          let found = try PlaylistImport(playlist, at: path, in: store)
          // A list that is there is worth more than one with nothing in it.
          guard !found.recordingIDs.isEmpty else {
            throw InputFile.Failure(path: path, reason: "\(found.summary); no list was stored")
          }
          try store.saveList(name, recordingIDs: found.recordingIDs, replaces: replace)
          return found
        }
      }
      if document.isWanted {
        try document.write(found.document(name))
      } else {
        try output.tell("\(name): \(found.summary)")
        for entry in found.notFound {
          let place = entry.path.map { " (\($0.displayString))" } ?? ""
          StandardError.line("not found: " + TerminalText.escaped(entry.name + place))
        }
      }
      if strict, !found.notFound.isEmpty { throw ExitCode(CommandFailure.problemsUnderStrict) }
    }
  }
}
