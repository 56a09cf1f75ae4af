internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

extension RootsCommand {
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a folder; the next scan reads it.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder.", completion: .directory)
    var folder: String

    func run() throws {
      let path = try ScanFolders.resolved(BytePath(argument: folder))
      try ScanFolders.requireSuitable(path)
      let (root, isKnown) = try library.writing(.createIfMissing) { store in
        let known = try store.roots()
        let root = try store.addRoot(path: path, volume: try ScanFolders.volume(of: path))
        return (root, known.contains(root))
      }
      guard !isKnown else { return try output.tell("\(root.path.displayString) is there already") }
      try output.tell("added \(root.path.displayString); `deadwax scan` reads it")
    }
  }
}
