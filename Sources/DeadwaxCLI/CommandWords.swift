internal import ArgumentParser
internal import Base

/// Checks the words at the start of a command line, which name a command.
enum CommandWords {
  /// Options that every command has; other programs take such options before the command.
  static let commonOptions: Set = ["-L", "--library", "-q", "--quiet", "-v", "--verbose", "--color"]

  private static let flagLetters: Set<Character> = ["h", "q", "v", "0"]
  /// Letters of options with numeric values, which may follow without a blank.
  private static let numberLetters: Set<Character> = ["b", "e", "h", "j", "s", "w", "z"]

  /// Refuses an unknown command. The parser would only call it unexpected, and `help` with it would show help about
  /// something else.
  static func check(_ arguments: [String]) throws {
    if let word = arguments.prefix(while: { $0 != "--" }).first(where: looksLikeQuery) {
      throw ValidationError("unknown option '\(word)'; put -- before a query that begins with -")
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
      throw ValidationError("\(option) comes after the command: deadwax \(word) \(option)")
    }
  }

  /// Whether a word is part of a query, which the parser would read as one-letter options and, if an h is among them,
  /// answer with the help.
  ///
  /// Letters of flags may be joined, and the value of an option may follow its letter.
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
