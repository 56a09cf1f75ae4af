internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaStore

/// `deadwax shards`: the libraries that keep what a catalogue was merged without.
struct ShardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shards",
    abstract: "List, add, relocate or remove the libraries that hold large analyses of this one.",
    discussion: """
      A catalogue that was merged --without-products reads those analyses from the libraries it was merged from, its \
      shards; `show`, `waveform`, `spectrum`, `export` and the page use them. A shard is never written to, and is \
      trusted only while it is unchanged; `add` registers it again.

      Examples: deadwax shards
                deadwax shards add /nfs/index/shards/*.sqlite
                deadwax shards relocate /nfs/index/shards /mnt/index/shards
      """,
    subcommands: [List.self, Add.self, Relocate.self, Remove.self],
    defaultSubcommand: List.self)
}

extension ShardsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the shards, and whether they are available.", aliases: ["list"])

    @OptionGroup var options: RegisterOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() throws {
      let shards = try options.register()?.shards() ?? []
      guard json else {
        for shard in shards {
          try StandardOutput.line(TerminalText.escaped("\(shard.path.displayString): \(ShardText.state(shard))"))
        }
        if shards.isEmpty { options.output.tellNothing("no shards; `deadwax shards add` registers some") }
        return
      }
      let items = JSONValue.array(shards.map(ShardText.document))
      try StandardOutput.line(JSONValue.object(["schema": .integer(1), "shards": items]).prettyText)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Register libraries in their current state, for the first time or again.")

    @OptionGroup var options: RegisterOptions

    @Argument(help: "The libraries.", completion: .file(extensions: ["sqlite"]))
    var libraries: [String]

    func run() throws {
      let paths = libraries.map { BytePath(argument: $0) }
      // Before a register is created.
      for path in paths { try MediaStore.requireLibrary(at: path) }
      let register = try options.register(creating: true)
      for path in paths {
        let count = try register?.add(path) ?? 0
        try options.output.tell("\(path.displayString): has products of \(NumberText.count(count, "recording"))")
      }
    }
  }

  struct Relocate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "relocate", abstract: "Update the path of a shard, or a folder of shards, that has moved.")

    @OptionGroup var options: RegisterOptions
    @OptionGroup var shards: ShardsArgument

    @Argument(help: "Its new path.", completion: .file())
    var new: String

    func run() throws {
      let new = BytePath(argument: new)
      let register = try options.register()
      let count = try shards.change { try register?.relocate($0, to: new) }
      try options.output.tell("\(NumberText.count(count, "shard")): now in \(new.displayString)")
      for shard in try register?.shards() ?? [] where !shard.isUsable {
        StandardError.line(TerminalText.escaped("\(shard.path.displayString): \(ShardText.state(shard))"))
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Forget a shard, or a folder of shards; the shards themselves are kept.")

    @OptionGroup var options: RegisterOptions
    @OptionGroup var shards: ShardsArgument

    func run() throws {
      let count = try shards.change { try options.register()?.remove($0) }
      try options.output.tell("removed \(NumberText.count(count, "shard"))")
    }
  }

  /// The library whose register of shards is used, and what is printed.
  struct RegisterOptions: ParsableArguments {
    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    /// - Returns: nil if there is none and none is to be created.
    func register(creating: Bool = false) throws -> ShardRegister? {
      // The library must exist.
      try library.reading { _ in }
      return try ShardRegister(ofLibraryAt: try library.path(), creating: creating)
    }
  }

  /// One shard of the register, or a folder of some.
  struct ShardsArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A shard of the list, or a folder of some.", valueName: "shard"))
    var name: String

    /// - Parameter body: Gives the number of shards that it changed; nil without a register.
    func change(_ body: (BytePath) throws -> Int?) throws -> Int {
      let path = BytePath(argument: name)
      if let count = try body(path), count > 0 { return count }
      throw ValidationError("\(path.displayString): no such shard; `deadwax shards` lists them")
    }
  }
}

/// What is said of a shard.
enum ShardText {
  static func state(_ shard: Shard) -> String {
    if let problem = shard.problem { return "\(problem); \(problem.advice)" }
    if let count = shard.damagedProductCount, count > 0 { return "\(NumberText.count(count, "product")) damaged" }
    return NumberText.count(shard.recordingCount, "recording")
  }

  static func document(_ shard: Shard) -> JSONValue {
    .object(
      JSONValue.path(shard.path) + [
        .init("recordings", .integer(shard.recordingCount)), .init("problem", .string(shard.problem?.description)),
        .init("damaged_products", .integer(shard.damagedProductCount)),
      ])
  }
}
