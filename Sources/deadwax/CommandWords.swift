internal import ArgumentParser
internal import MediaModel

/// The words at the start of a command line, which name a command.
enum CommandWords {
  /// Of every command; other programs take such options before it.
  private static let commonOptions: Set = ["-L", "--library", "-q", "--quiet", "-v", "--verbose", "--color"]

  private static let flagLetters: Set<Character> = ["h", "q", "v", "0"]
  /// Of options whose values begin with digits, and may follow at once.
  private static let numberLetters: Set<Character> = ["b", "e", "h", "j", "s", "w", "z"]

  /// Refuses a word that stands where a command is named and names none. The parser would only find it unexpected, and
  /// answer `help` about it with help about something else.
  static func check(_ arguments: [String]) throws {
    if let word = arguments.prefix(while: { $0 != "--" }).first(where: looksLikeQuery) {
      throw ValidationError("unknown option '\(word)'; words of a query that begin with - come after --")
    }
    let root = Deadwax.configuration
    var configuration = root
    var names: [String] = []
    for word in arguments.drop(while: { $0 == "help" }) {
      guard !word.hasPrefix("-"), !configuration.subcommands.isEmpty else { break }
      let subcommands = configurations(below: configuration)
      guard let next = subcommands.first(where: { $0.commandName == word }) else {
        throw unknown(word, of: names, among: subcommands.compactMap { $0.shouldDisplay ? $0.commandName : nil })
      }
      configuration = next
      names.append(word)
    }
    if let option = arguments.first.map({ String($0.prefix { $0 != "=" }) }), commonOptions.contains(option) {
      let names = Set(configurations(below: root).compactMap { $0.commandName })
      guard let word = arguments.first(where: { names.contains($0) }) else { return }
      throw ValidationError("\(option) goes behind the command: deadwax \(word) \(option)")
    }
  }

  /// Whether the parser would take a word for options of one letter each, and show the help where an h is among them.
  ///
  /// Letters of flags may stand together, and the value of an option behind its letter.
  private static func looksLikeQuery(_ word: String) -> Bool {
    guard word.hasPrefix("-"), let letter = word.dropFirst().first, !"-.".contains(letter), !letter.isNumber,
      let next = word.dropFirst(2).first, next != "=", !(numberLetters.contains(letter) && next.isNumber)
    else { return false }
    return word.contains { $0 == "h" || $0 == ":" } && !word.dropFirst().allSatisfy { flagLetters.contains($0) }
  }

  private static func configurations(below command: CommandConfiguration) -> [CommandConfiguration] {
    command.subcommands.map { $0.configuration }
  }

  private static func unknown(_ word: String, of commands: [String], among names: [String]) -> ValidationError {
    let near = SpellingSuggestions.of(word, among: names)
    let help = (["deadwax", "help"] + commands).joined(separator: " ")
    return ValidationError(
      "there is no command '\((commands + [word]).joined(separator: " "))'"
        + (near.isEmpty ? "; `\(help)` lists the commands" : SpellingSuggestions.question(near)))
  }
}
