internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

extension RootsCommand {
  struct Relocate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "relocate",
      abstract: "Say where a folder is now; its files are found there without being decoded again.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    @Argument(help: "Where it is now.", completion: .directory)
    var place: String

    func run() throws {
      let path = try ScanFolders.resolved(BytePath(argument: place))
      try ScanFolders.requireSuitable(path)
      let root = try library.writing { store in
        let root = try store.root(named: BytePath(argument: folder))
        try store.relocateRoot(id: root.id, to: path)
        return root
      }
      try output.tell(
        "\(root.path.displayString) is now \(path.displayString); `deadwax scan` looks for its files there")
    }
  }
}
