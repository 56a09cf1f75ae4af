internal import ArgumentParser
internal import Base

/// A command with its options and subcommands, as the parser describes it.
struct CommandHelp {
  struct Argument {
    /// As users type them.
    let names: [String]
    /// `positional`, `option` or `flag`.
    let kind: String
    let shouldDisplay: Bool
    let isOptional: Bool
    let isRepeating: Bool
    let valueName: String?
    let defaultValue: String?
    let abstract: String?

    /// Whether it is one of the options that almost every command has.
    var isCommon: Bool { names.contains { CommandHelp.commonOptions.contains($0) } }
    /// The letter of a flag, several of which may be joined behind one `-`.
    var flagLetter: Character? { kind == "flag" ? names.first { $0.count == 2 }?.last : nil }
  }

  /// Options that every command has; other programs take such options before the command.
  static let commonOptions: Set = ["-L", "--library", "-q", "--quiet", "-v", "--verbose", "--color"]

  let name: String
  let abstract: String?
  let discussion: String?
  let subcommands: [CommandHelp]
  let arguments: [Argument]
  let shouldDisplay: Bool

  /// The whole command.
  static func root() throws -> CommandHelp {
    let document = try JSONValue(parsing: Array(Deadwax._dumpHelp().utf8))
    return CommandHelp(document["command"] ?? .null)
  }

  private init(_ json: JSONValue) {
    name = json["commandName"]?.string ?? ""
    abstract = json["abstract"]?.string
    discussion = json["discussion"]?.string
    subcommands = (json["subcommands"]?.array ?? []).map(CommandHelp.init)
    arguments = (json["arguments"]?.array ?? []).map(Argument.init)
    shouldDisplay = json["shouldDisplay"]?.bool ?? true
  }
}

extension CommandHelp.Argument {
  fileprivate init(_ json: JSONValue) {
    names = (json["names"]?.array ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }
    kind = json["kind"]?.string ?? ""
    shouldDisplay = json["shouldDisplay"]?.bool ?? true
    isOptional = json["isOptional"]?.bool ?? false
    isRepeating = json["isRepeating"]?.bool ?? false
    valueName = json["valueName"]?.string
    defaultValue = json["defaultValue"]?.string
    abstract = json["abstract"]?.string
  }
}
