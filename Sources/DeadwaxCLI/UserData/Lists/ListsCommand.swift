internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// `deadwax list`: named queries and lists of tracks.
struct ListsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Manage lists of tracks and saved queries; import and export playlists.",
    discussion: """
      A saved query is run each time it is used; any other list holds fixed tracks in order. Lists refer to \
      recordings, so files may be moved and renamed. `list:NAME` in a query finds the tracks of a list, in its \
      order. `undo` reverts the latest change.

      Examples: deadwax list create evening 'genre:ambient year+'
                deadwax list add evening 17 23
                deadwax list save quiet 'lufs:<-20'
                deadwax list import party.m3u8
                deadwax list export quiet -o quiet.m3u8
      """,
    subcommands: [
      List.self, Show.self, Create.self, Add.self, Remove.self, Save.self, Rename.self, Import.self, Export.self,
      Delete.self,
    ], defaultSubcommand: List.self)
}

extension ListsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the lists.", aliases: ["list"])

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    func run() throws {
      try library.reading { store in
        let lists = try store.lists.all()
        guard document.isWanted else {
          var table = TextTable([
            .init(title: "NAME"), .init(title: "FILES", isAlignedRight: true), .init(title: "QUERY"),
          ])
          for list in lists {
            try table.add([list.name, try count(list, store).map(String.init) ?? "?", list.query ?? "–"])
          }
          if lists.isEmpty { output.tellNothing("no lists yet; `deadwax list create` creates one") }
          return try table.finish()
        }
        let items = try lists.map { list in
          JSONValue.object([
            "name": .string(list.name), "query": .string(list.query), "files": .integer(try count(list, store)),
            "changed_at": .string(Timestamp(secondsSince1970: list.changedAt).description),
          ])
        }
        try document.write(items, under: "lists")
      }
    }

    /// nil for a query that this version cannot run.
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

  struct Save: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "save", abstract: "Save a query under a name.", discussion: QueryHelp.short)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The name of the list.")
    var name: String

    @Flag(help: "Replace a list with that name.")
    var replace = false

    @OptionGroup var query: QueryArgument

    func run() throws {
      let count = try library.writing { store in
        try store.lists.save(name, query: query.text, replaces: replace)
        return try store.count(of: query.query(in: store, remarkingTo: output))
      }
      try output.tell("\(name): \(NumberText.count(count, "file")) now")
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
      help: ArgumentHelp("The file to write (default: standard output).", valueName: "file"),
      completion: .file())
    var file: String?

    @Option(help: "The format (default: from the file's extension, else m3u8).")
    var format: String?

    @Flag(help: "Write absolute paths instead of paths relative to the playlist.")
    var absolute = false

    func run() throws {
      let path = file.flatMap { $0 == "-" ? nil : BytePath(argument: $0) }
      let choices = ExportChoices(
        format: try ExportChoices.format(format, ending: path?.pathExtension ?? "", of: PlaylistExport.formats),
        file: path, usesAbsolutePaths: absolute || path == nil, title: name, isQuiet: output.quiet)
      try library.reading { store in
        let content = try store.lists.list(named: name).playlist(in: store, choices)
        guard let path else { return try content.write(from: store) { try StandardOutput.write($0) } }
        var bytes: [UInt8] = []
        try content.write(from: store) { bytes += $0.utf8 }
        try OutputFile(path).write(bytes, protecting: content.inputs + library.protectedFiles(among: [path]))
      }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Delete a list; its tracks remain in the library.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    func run() throws {
      try library.writing { try $0.lists.delete(name) }
    }
  }
}
