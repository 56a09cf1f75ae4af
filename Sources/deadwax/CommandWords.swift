internal import ArgumentParser
internal import MediaModel

/// The words at the start of a command line, which name a command.
enum CommandWords {
  /// Refuses a word that stands where a command is named and names none. The parser would only find it unexpected, and
  /// answer `help` about it with help about something else.
  static func check(_ arguments: [String]) throws {
    var words = arguments.drop { $0 == "help" }
    var command: any ParsableCommand.Type = Deadwax.self
    while let word = words.first, !word.hasPrefix("-"), !command.configuration.subcommands.isEmpty {
      guard let next = subcommand(word, of: command) else {
        let names = command.configuration.subcommands.map(\.configuration)
          .filter(\.shouldDisplay).compactMap(\.commandName)
        let near = NearNames.of(word, among: names)
        throw ValidationError(
          "there is no command '\(word)'"
            + (near.isEmpty ? "; `deadwax help` lists the commands" : NearNames.question(near)))
      }
      command = next
      words.removeFirst()
    }
    if let option = arguments.first.map({ String($0.prefix { $0 != "=" }) }), commonOptions.contains(option),
      let word = arguments.first(where: { subcommand($0, of: Deadwax.self) != nil })
    {
      throw ValidationError("\(option) goes behind the command: deadwax \(word) \(option)")
    }
  }

  /// Of every command; other programs take such options before it.
  private static let commonOptions: Set = ["-L", "--library", "-q", "--quiet", "-v", "--verbose", "--color"]

  private static func subcommand(
    _ name: String, of command: any ParsableCommand.Type
  ) -> (any ParsableCommand.Type)? {
    command.configuration.subcommands.first { $0.configuration.commandName == name }
  }
}
