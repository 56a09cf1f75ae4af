internal import ArgumentParser
internal import MediaStore

extension ListsCommand {
  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete", abstract: "Forget a list; its tracks stay.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    func run() throws {
      try library.writing { try $0.deleteList(name) }
    }
  }
}
