internal import ArgumentParser
internal import Base
internal import LibraryScanning
internal import LibraryTracks
internal import MediaImport
internal import MediaStore

/// `deadwax roots`: the folders that are scanned.
struct RootsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "roots",
    abstract: "List, add, remove, relocate or protect the folders of the library.",
    discussion: """
      Examples: deadwax roots
                deadwax roots add ~/Music
                deadwax roots add /srv --take-over
                deadwax roots relocate /mnt/old/Music /srv/music
                deadwax roots protect /srv/seeding
      """,
    subcommands: [List.self, Add.self, Remove.self, Relocate.self, Protect.self],
    defaultSubcommand: List.self)
}

extension RootsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the folders.", aliases: ["ls"])

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() throws {
      let (roots, protected) = try library.reading { (try $0.roots.all(), try $0.roots.protectedIDs()) }
      guard json else {
        for root in roots {
          let mark = protected.contains(root.id) ? "  (protected)" : ""
          try StandardOutput.line(TerminalText.escaped(root.path.displayString + mark))
        }
        if roots.isEmpty { output.tellNothing("no folders yet; `deadwax scan FOLDER` adds one") }
        return
      }
      let items = roots.map { root in
        JSONValue.object(
          [.init("id", .integer(root.id))] + JSONValue.path(root.path)
            + [.init("volume", .string(root.volume)), .init("protected", .bool(protected.contains(root.id)))])
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

    @Flag(help: "If it contains folders of the library, make their files part of it; nothing is lost.")
    var takeOver = false

    func run() throws {
      let resolved = try ScanFolders.resolved(BytePath(argument: folder))
      try ScanFolders.requireSuitable(resolved)
      let (root, taken, isKnown) = try library.writing(.createIfMissing) { store in
        let known = try store.roots.all()
        let path = ScanFolders.asStored(resolved, in: known.map(\.path))
        let volume = try ScanFolders.volume(of: path)
        if takeOver {
          let (root, taken) = try store.roots.takeOver(in: path, volume: volume, isScanning: false)
          return (root, taken, known.contains(root))
        }
        if let inner = known.first(where: { $0.path != path && $0.path.isBelowOrEqual(to: path) }) {
          throw ScanError.containsRoot(path, root: inner.path)
        }
        let root = try store.roots.add(path, volume: volume)
        return (root, [], known.contains(root))
      }
      for old in taken { try output.tell("\(old.path.displayString) is now part of \(root.path.displayString)") }
      guard !isKnown else { return try output.tell("\(root.path.displayString) is already a folder of the library") }
      try output.tell("added \(root.path.displayString); `deadwax scan` indexes it")
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Forget a folder and its files; the analyses of their recordings are kept.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    func run() throws {
      let (root, count) = try output.showing("forgetting the files of the folder") {
        try library.writing { store in
          let root = try store.roots.root(named: BytePath(argument: folder))
          return (root, try store.roots.remove(root.id))
        }
      }
      try output.tell(
        "removed \(root.path.displayString) with \(NumberText.count(count, "file")); "
          + "the analyses of their recordings are kept"
      )
    }
  }

  struct Relocate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "relocate",
      abstract: "Update the path of a folder that has moved; its files are not decoded again.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    @Argument(help: "The new path of the folder.", completion: .directory)
    var place: String

    func run() throws {
      let path = try ScanFolders.resolved(BytePath(argument: place))
      try ScanFolders.requireSuitable(path)
      let root = try library.writing { store in
        let root = try store.roots.root(named: BytePath(argument: folder))
        try store.roots.relocate(root.id, to: path)
        return root
      }
      try output.tell(
        "\(root.path.displayString) is now \(path.displayString); `deadwax scan` looks for its files there")
    }
  }

  struct Protect: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "protect",
      abstract: "Prevent writing to the files of a folder, such as torrents being seeded.",
      discussion: """
        Without protection, `tags write`, `tags undo`, `artwork embed` and `artwork remove` may write the files that \
        they list; no other command writes music files.
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A folder of the list.")
    var folder: String

    @Flag(help: "Allow writing again.")
    var off = false

    func run() throws {
      let root = try library.writing { store in
        let root = try store.roots.root(named: BytePath(argument: folder))
        try store.roots.protect(root.id, !off)
        return root
      }
      try output.tell("\(root.path.displayString): \(off ? "not protected" : "protected")")
    }
  }
}
