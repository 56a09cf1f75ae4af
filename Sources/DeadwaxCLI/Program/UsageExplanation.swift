internal import ArgumentParser
internal import Base

/// Says what is wrong with a command line that the parser refuses, or answers with a help text that nobody asked for: it calls
/// an unknown command an unexpected argument, shows the help of the whole for `help` with the name of no command, and reads a
/// query such as `-hiphop` as letters, of which one asks for help.
enum UsageExplanation {
  /// - Returns: nil if the parser's own answer is right.
  static func of(_ arguments: [String]) -> ValidationError? {
    let help = try? CommandHelp.root()
    let flagLetters = Set((help.map(allArguments) ?? []).compactMap(\.flagLetter))
    if let word = arguments.prefix(while: { $0 != "--" }).first(where: { looksLikeQuery($0, flagLetters) }) {
      return ValidationError("unknown option '\(word)'; put -- before a query that begins with -")
    }
    let root = Deadwax.configuration
    var configuration = root
    var names: [String] = []
    for word in arguments.drop(while: { $0 == "help" }) {
      guard !word.hasPrefix("-"), !configuration.subcommands.isEmpty else { break }
      let subcommands = configurations(below: configuration)
      guard let next = subcommands.first(where: { $0.commandName == word || $0.aliases.contains(word) }) else {
        return unknown(word, of: names, among: subcommands.compactMap { $0.shouldDisplay ? $0.commandName : nil })
      }
      configuration = next
      names.append(word)
    }
    guard let option = arguments.first.map({ String($0.prefix { $0 != "=" }) }),
      CommandHelp.commonOptions.contains(option)
    else { return nil }
    let commands = Set(configurations(below: root).compactMap { $0.commandName })
    return arguments.first { commands.contains($0) }.map {
      ValidationError("\(option) comes after the command: deadwax \($0) \(option)")
    }
  }

  private static func allArguments(of command: CommandHelp) -> [CommandHelp.Argument] {
    command.arguments + command.subcommands.flatMap(allArguments)
  }

  /// Whether a word is part of a query: not the letters of flags, and not a letter with the number that is its value.
  private static func looksLikeQuery(_ word: String, _ flagLetters: Set<Character>) -> Bool {
    guard word.hasPrefix("-"), let letter = word.dropFirst().first, !"-.".contains(letter), !letter.isNumber,
      let next = word.dropFirst(2).first, next != "=", !next.isNumber
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
