internal import ArgumentParser
internal import MediaModel

/// The words at the start of a command line, which name a command.
enum CommandWords {
  /// Of every command; other programs take such options before it.
  private static let commonOptions: Set = ["-L", "--library", "-q", "--quiet", "-v", "--verbose", "--color"]

  /// Refuses a word that stands where a command is named and names none. The parser would only find it unexpected, and
  /// answer `help` about it with help about something else.
  static func check(_ arguments: [String]) throws {
    // The parser would take it for -h with more letters, and show the help. With a number behind it, it is a height.
    let options = arguments.prefix { $0 != "--" }
    if let word = options.first(where: { $0.hasPrefix("-h") && $0.dropFirst(2).contains { !$0.isNumber } }) {
      throw ValidationError("unknown option '\(word)'; words of a query that begin with - come after --")
    }
    let root = Deadwax.configuration
    var configuration = root
    for word in arguments.drop(while: { $0 == "help" }) {
      guard !word.hasPrefix("-"), !configuration.subcommands.isEmpty else { break }
      let subcommands = configurations(below: configuration)
      guard let next = subcommands.first(where: { $0.commandName == word }) else {
        throw unknown(word, among: subcommands.compactMap { $0.shouldDisplay ? $0.commandName : nil })
      }
      configuration = next
    }
    if let option = arguments.first.map({ String($0.prefix { $0 != "=" }) }), commonOptions.contains(option) {
      let names = Set(configurations(below: root).compactMap { $0.commandName })
      guard let word = arguments.first(where: { names.contains($0) }) else { return }
      throw ValidationError("\(option) goes behind the command: deadwax \(word) \(option)")
    }
  }

  private static func configurations(below command: CommandConfiguration) -> [CommandConfiguration] {
    command.subcommands.map { $0.configuration }
  }

  private static func unknown(_ word: String, among names: [String]) -> ValidationError {
    let near = NearNames.of(word, among: names)
    return ValidationError(
      "there is no command '\(word)'"
        + (near.isEmpty ? "; `deadwax help` lists the commands" : NearNames.question(near)))
  }
}
