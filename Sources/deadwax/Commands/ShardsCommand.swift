internal import ArgumentParser
internal import Base
internal import MediaStore

/// `deadwax shards`: the libraries that keep what a catalogue was merged without.
struct ShardsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shards",
    abstract: "List, add, relocate or remove the libraries that keep large products of this one.",
    discussion: """
      A catalogue that was merged --without-products finds these in the libraries it was merged from, its shards: \
      `show`, `waveform`, `spectrum`, `export` and the page read them there. A shard is only read, and only believed as \
      long as nobody writes to it; `add` registers it again.

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
      commandName: "ls", abstract: "List the shards, and whether they are at hand (the default).")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Print one JSON document.")
    var json = false

    func run() throws {
      let shards = try library.reading { try $0.shardRegister()?.shards() } ?? []
      guard json else {
        for shard in shards {
          try StandardOutput.line(TerminalText.escaped("\(shard.path.displayString): \(ShardText.state(shard))"))
        }
        return
      }
      let items = JSONValue.array(shards.map(ShardText.document))
      try StandardOutput.line(JSONValue.object(["schema": .integer(1), "shards": items]).prettyText)
    }
  }

  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Register libraries as they are now, for the first time or again.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The libraries.", completion: .file(extensions: ["sqlite"]))
    var libraries: [String]

    func run() throws {
      let register = try ShardsCommand.register(of: library, creating: true)
      for name in libraries {
        let path = BytePath(argument: name)
        let count = try register?.add(path) ?? 0
        try output.tell("\(path.displayString): has products of \(NumberText.count(count, "recording"))")
      }
    }
  }

  struct Relocate: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "relocate", abstract: "Tell the library where a shard, or a folder of shards, is now.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A shard of the list, or a folder of some.")
    var old: String

    @Argument(help: "Where it is now.", completion: .file())
    var new: String

    func run() throws {
      let (old, new) = (BytePath(argument: old), BytePath(argument: new))
      let register = try ShardsCommand.register(of: library)
      let count = try register?.relocate(old, to: new) ?? 0
      guard count > 0 else { throw ShardsCommand.noShard(old) }
      try output.tell("\(NumberText.count(count, "shard")): now in \(new.displayString)")
      for shard in try register?.shards() ?? [] where !shard.isUsable {
        StandardError.line(TerminalText.escaped("\(shard.path.displayString): \(ShardText.state(shard))"))
      }
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Forget a shard, or a folder of shards; the shards themselves stay.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "A shard of the list, or a folder of some.")
    var path: String

    func run() throws {
      let path = BytePath(argument: path)
      let count = try ShardsCommand.register(of: library)?.remove(path) ?? 0
      guard count > 0 else { throw ShardsCommand.noShard(path) }
      try output.tell("removed \(NumberText.count(count, "shard"))")
    }
  }

  /// The register of an existing library.
  private static func register(of library: LibraryOptions, creating: Bool = false) throws -> ShardRegister? {
    try library.reading { _ in }
    return try ShardRegister(ofLibraryAt: try library.path(), creating: creating)
  }

  private static func noShard(_ path: BytePath) -> ValidationError {
    ValidationError("\(path.displayString): no such shard; `deadwax shards` lists them")
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
