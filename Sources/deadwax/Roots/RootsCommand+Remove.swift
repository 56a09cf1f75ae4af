internal import ArgumentParser
internal import MediaModel
internal import MediaStore

extension RootsCommand {
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Forget a folder and its files; what is known about their sound stays.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    func run() throws {
      let (root, count) = try output.showing("forgetting the files of the folder") {
        try library.writing { store in
          let root = try store.root(named: BytePath(argument: folder))
          return (root, try store.removeRoot(id: root.id))
        }
      }
      try output.tell(
        "removed \(root.path.displayString) with \(NumberText.count(count, "file")); what is known of their sound stays")
    }
  }
}
