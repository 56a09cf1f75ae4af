internal import ArgumentParser
internal import MediaStore

extension ListsCommand {
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
      let count = try library.writing { store in
        try store.saveList(name, query: query.text, replaces: replace)
        return try store.count(of: query.query(in: store))
      }
      try output.tell("\(name): \(NumberText.count(count, "file")) now")
    }
  }
}
