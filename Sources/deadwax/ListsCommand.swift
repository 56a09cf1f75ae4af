internal import ArgumentParser
internal import Foundation
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax list`: queries and tracks under a name.
struct ListsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Keep queries and playlists under a name, and write them as playlists.",
    discussion: """
      A saved query is asked anew each time it is used; an imported playlist is a list of given tracks. Either belongs to the \
      sound of its tracks: files may be moved and renamed.

      Examples: deadwax list save quiet 'lufs:<-20'
                deadwax list import party.m3u8
                deadwax list export quiet -o quiet.m3u8
      """,
    subcommands: [Save.self, List.self, Export.self, Import.self, Delete.self], defaultSubcommand: List.self)

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Keep a query under a name.", discussion: QueryHelp.short)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The name.")
    var name: String

    @Flag(help: "Let a list of that name give way.")
    var replace = false

    @OptionGroup var query: QueryArgument

    func run() throws {
      let store = try library.open(.readWrite)
      defer { try? store.close() }
      try store.saveList(name, query: query.words.joined(separator: " "), replaces: replace)
      try output.tell("\(name): \(PlainText.count(store.count(of: query.query(in: store)), "file")) now")
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the lists.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    func run() throws {
      try library.reading { store in
        let lists = try store.lists()
        guard document.isWanted else {
          var table = TextTable([
            .init(title: "NAME"), .init(title: "FILES", isAlignedRight: true), .init(title: "QUERY"),
          ])
          for list in lists {
            try table.add([list.name, try count(list, store).map(String.init) ?? "?", list.query ?? "–"])
          }
          return try table.finish()
        }
        var writer = ListWriter(isLines: document.jsonl)
        for list in lists {
          let item: JSONValue = .object([
            "name": .string(list.name), "query": .string(list.query), "files": .integer(try count(list, store)),
            "changed_at": .string(Timestamp(secondsSince1970: list.changedAt).description),
          ])
          try writer.add(item)
        }
        try writer.finish()
      }
    }

    /// nil for a query that this version cannot ask.
    private func count(_ list: SavedList, _ store: MediaStore) throws -> Int? {
      guard let text = list.query else { return list.entryCount }
      do {
        return try store.count(of: try store.query(text))
      } catch let error as QueryError {
        StandardError.line(TerminalText.escaped("list \(list.name): \(error)"))
        return nil
      }
    }
  }

  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a list as a playlist: \(PlaylistExport.formats.joined(separator: ", ")).")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp("The file to write; without it, or with `-`, standard output.", valueName: "file"),
      completion: .file())
    var file: String?

    @Option(help: "The format; without it what the file's ending says, else m3u8.")
    var format: String?

    @Flag(help: "Paths as they are, not relative to the playlist.")
    var absolute = false

    func run() throws {
      let path = file.flatMap { $0 == "-" ? nil : BytePath(argument: $0) }
      let choices = ExportChoices(
        format: try ExportChoices.format(format, ending: path?.pathExtension ?? "", of: PlaylistExport.formats),
        file: path, usesAbsolutePaths: absolute || path == nil, title: name)
      try library.reading { store in
        let content = try store.list(named: name).playlist(in: store, choices)
        guard let path else { return try content.write(from: store) { try StandardOutput.write($0) } }
        var bytes: [UInt8] = []
        try content.write(from: store) { bytes += $0.utf8 }
        try OutputFile(path).write(bytes, protecting: content.inputs + library.protectedFiles(among: [path]))
      }
    }
  }

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
      let store = try library.open(.readWrite)
      defer { try? store.close() }
      let found = try PlaylistImport(playlist, at: path, in: store)
      let titles = [playlist.title, PlaylistRow.stem(path)].compactMap { $0 }
      let name = name ?? titles.lazy.compactMap(SavedList.name(after:)).first ?? "Imported"
      // A list that is there is worth more than one with nothing in it.
      guard !found.recordingIDs.isEmpty else {
        throw InputFile.Failure(path: path, reason: "\(found.summary); no list was stored")
      }
      try store.saveList(name, recordingIDs: found.recordingIDs, replaces: replace)
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

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Forget a list; its tracks stay.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    func run() throws {
      let store = try library.open(.readWrite)
      defer { try? store.close() }
      try store.deleteList(name)
    }
  }
}
