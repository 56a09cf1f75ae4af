internal import ArgumentParser
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax roots`: the folders that are scanned.
struct RootsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roots",
    abstract: "List, add, remove or relocate the folders of the library.",
    discussion: """
      Examples: deadwax roots
                deadwax roots add ~/Music
                deadwax roots relocate /mnt/old/Music /srv/music
      """,
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
      let items = roots.map { root in
        JSONValue.object(
          [.init("id", .integer(root.id))] + JSONValue.path(root.path) + [.init("volume", .string(root.volume))])
      }
      try StandardOutput.line(JSONValue.object(["schema": .integer(1), "roots": .array(items)]).text)
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
      let known = try store.roots()
      let root = try store.addRoot(path: path, volume: try ScanFolders.volume(of: path))
      try store.close()
      guard !known.contains(root) else { return try output.tell("\(root.path.displayString) is there already") }
      try output.tell("added \(root.path.displayString); `deadwax scan` reads it")
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
      let root = try store.root(named: BytePath(argument: folder))
      let count = try store.removeRoot(id: root.id)
      try store.close()
      try output.tell(
        "removed \(root.path.displayString) with \(PlainText.count(count, "file")); what is known of their sound stays")
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
      let root = try store.root(named: BytePath(argument: folder))
      try store.relocateRoot(id: root.id, to: path)
      try store.close()
      try output.tell(
        "\(root.path.displayString) is now \(path.displayString); `deadwax scan` looks for its files there")
    }
  }
}
