internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax roots`: the folders that are scanned.
struct RootsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roots",
    abstract: "List, add, remove or relocate the folders of the library.",
    subcommands: [List.self, Add.self, Remove.self, Relocate.self],
    defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the folders (the default).")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
      let roots = try library.open(.readOnly).roots()
      guard json else {
        for root in roots { try StandardOutput.line(TerminalText.escaped(root.path.displayString)) }
        return
      }
      try StandardOutput.line(try JSONDocument.text(RootsDocument(roots: roots)))
    }
  }

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
      let store = try library.open(.createIfMissing)
      _ = try store.addRoot(path: path, volume: try ScanFolders.volume(of: path))
      try store.close()
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Forget a folder and its files; what is known about their sound stays.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    func run() throws {
      let store = try library.open(.readWrite)
      try store.removeRoot(id: try RootsCommand.root(folder, of: store).id)
      try store.close()
    }
  }

  struct Relocate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "relocate",
      abstract: "Say where a folder is now; its files are found there without being read again.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    @Argument(help: "Where it is now.", completion: .directory)
    var place: String

    func run() throws {
      let path = try ScanFolders.resolved(BytePath(argument: place))
      try ScanFolders.requireSuitable(path)
      let store = try library.open(.readWrite)
      let root = try RootsCommand.root(folder, of: store)
      try store.relocateRoot(id: root.id, to: path)
      try store.close()
    }
  }

  /// The root that an argument names: by its path as listed, or by where it leads.
  static func root(_ argument: String, of store: MediaStore) throws -> Root {
    let roots = try store.roots()
    var given = BytePath(argument: argument)
    while given.bytes.count > 1, given.bytes.last == UInt8(ascii: "/") { given = BytePath(given.bytes.dropLast()) }
    let resolved = try? ScanFolders.resolved(given)
    guard let root = roots.first(where: { $0.path == given || $0.path == resolved }) else {
      throw StoreError.noSuchRoot(given.displayString)
    }
    return root
  }
}

private struct RootsDocument: Encodable {
  struct Item: Encodable {
    let id: Int64
    let path: String
    let volume: String?
  }

  let schema = 1
  let roots: [Item]

  init(roots: [Root]) {
    self.roots = roots.map { Item(id: $0.id, path: $0.path.displayString, volume: $0.volume) }
  }
}
