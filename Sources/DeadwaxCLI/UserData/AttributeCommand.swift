internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import UserData

/// `deadwax attribute`: what users say about recordings.
struct AttributeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attribute",
    abstract: "Set custom attributes of tracks, which queries can use as fields.",
    discussion: """
      An attribute belongs to the recording, whatever happens to its files; no file is written. `undo` reverts the \
      latest change. `rate` sets the attribute `rating`.

      Examples: deadwax attribute set mood=calm 'list:evening'
                deadwax ls mood:calm
                deadwax attribute remove mood --all
      """,
    subcommands: [List.self, Set.self, Remove.self], defaultSubcommand: List.self)

  /// Such as `rated 80: 3 tracks (1 had it already)`.
  static func text(_ what: String, _ count: Int, of total: Int) -> String {
    let rest = count == total ? "" : " (\(total - count) already \(total - count == 1 ? "was" : "were"))"
    return "\(what): \(NumberText.count(count, "track"))\(rest)"
  }
}

extension AttributeCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ls", abstract: "List the attributes of the library, or those of a track.", aliases: ["list"])

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds one.", valueName: "track"))
    var track: String?

    func run() throws {
      try library.reading { store in
        if let track {
          return try write(
            store.attributes.all(ofRecording: store.tracks.resolve(BytePath(argument: track)).recordingID))
        }
        let uses = try store.attributes.uses()
        guard !document.isWanted else {
          return try document.write(
            uses.map { .object(["name": .string($0.name), "tracks": .integer($0.recordingCount)]) },
            under: "attributes")
        }
        var table = TextTable([.init(title: "NAME"), .init(title: "TRACKS", isAlignedRight: true)])
        for use in uses { try table.add([use.name, String(use.recordingCount)]) }
        try table.finish()
        if uses.isEmpty { output.tellNothing("no attributes yet; `deadwax attribute set` sets one") }
      }
    }

    private func write(_ attributes: [Tags.Property]) throws {
      guard !document.isWanted else {
        return try document.write(
          attributes.map { .object(["name": .string($0.name), "value": .string($0.values.first)]) },
          under: "attributes")
      }
      var table = TextTable([.init(title: "NAME"), .init(title: "VALUE")])
      for attribute in attributes { try table.add([attribute.name, attribute.values.joined()]) }
      try table.finish()
      if attributes.isEmpty { output.tellNothing("the track has no attributes") }
    }
  }

  struct Set: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "set", abstract: "Set an attribute of tracks.",
      discussion: """
        A name begins with a letter and consists of letters, digits, _ and -; case does not matter. \(QueryHelp.short)

        Examples: deadwax attribute set mood=calm 17 23
                  deadwax attribute set 'occasion=New Year' 'genre:disco'
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: ArgumentHelp("The attribute and its value.", valueName: "name=value"))
    var setting: String

    @OptionGroup var tracks: TracksArgument

    func validate() throws {
      guard setting.contains("=") else { throw ValidationError("'\(setting)': write NAME=VALUE") }
    }

    func run() throws {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let (ids, count) = try library.writing { store in
        let ids = try tracks.recordingIDs(in: store)
        return (ids, try store.attributes.set(parts[0], to: parts[1], ofRecordings: ids))
      }
      try output.tell(AttributeCommand.text(setting, count, of: ids.count))
    }
  }

  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Remove an attribute from tracks.", discussion: QueryHelp.short)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The name of the attribute.")
    var name: String

    @OptionGroup var tracks: TracksArgument

    func run() throws {
      let count = try library.writing { store in
        try store.attributes.set(name, to: nil, ofRecordings: tracks.recordingIDs(in: store))
      }
      try output.tell("\(name) removed: \(NumberText.count(count, "track"))")
    }
  }
}
