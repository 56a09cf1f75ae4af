internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import QueryLanguage
internal import UserData

extension ListsCommand {
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create", abstract: "Create a list of tracks.",
      discussion: """
        The tracks are ids, paths of files, or the current matches of a query, in its order; without any, the list \
        is empty. `save` stores the query itself. \(QueryHelp.short)

        Examples: deadwax list create evening 'genre:ambient year+'
                  deadwax list create favourites 17 4 23
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The name of the list.")
    var name: String

    @Flag(help: "Replace a list with that name.")
    var replace = false

    @Argument(help: ArgumentHelp("The tracks.", valueName: "query"), completion: Completions.query)
    var words: [String] = []

    func run() throws {
      let count = try library.writing { store in
        let ids = words.isEmpty ? [] : try store.tracks.recordingIDs(naming: words)
        guard words.isEmpty || !ids.isEmpty else { throw TrackError.nothing(named: words) }
        try store.lists.save(name, recordingIDs: ids, replaces: replace)
        return ids.count
      }
      try output.tell("\(name): \(NumberText.count(count, "track"))")
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Append tracks to a list, even if it already has them.",
      discussion: QueryHelp.short)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    @OptionGroup var tracks: TracksArgument

    func run() throws {
      let count = try library.writing { try $0.lists.add(to: name, recordingIDs: tracks.recordingIDs(in: $0)) }
      try output.tell("\(name): \(NumberText.count(count, "track")) added")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove tracks from a list; they remain in the library.",
      discussion: QueryHelp.short)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    @OptionGroup var tracks: TracksArgument

    func run() throws {
      let count = try library.writing { try $0.lists.remove(from: name, recordingIDs: tracks.recordingIDs(in: $0)) }
      try output.tell("\(name): \(count == 1 ? "1 entry" : "\(count) entries") removed")
    }
  }

  struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a list.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    @Argument(help: "The new name.")
    var newName: String

    func run() throws {
      try library.writing { try $0.lists.rename(name, to: newName) }
    }
  }

  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show", abstract: "Show the tracks of a list, in its order.",
      discussion: "Use `ls list:NAME` for other fields, or to filter the tracks.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    func run() throws {
      try library.reading { store in
        let list = try store.lists.list(named: name)
        let fields = try FieldList.fields("id,artist,title,duration,path", store.vocabulary, option: "")
        let format: ListFormat = document.json ? .json : document.jsonl ? .jsonl : .table
        var writer = RowWriter(fields, format, endsWithNUL: false, formulas: .escape)
        try writer.begin()
        try store.forEachListRow(of: store.query(ofList: list), fields: fields) { try writer.add($0) }
        try writer.finish()
      }
    }
  }
}
