/// The tree of commands with their options, as the parser describes itself in JSON.
struct CommandHelp: Decodable {
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [Command]?
    var arguments: [Argument]?
    var shouldDisplay: Bool?
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      /// As it is typed.
      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var abstract: String?
    var discussion: String?
  }

  var command: Command
}
