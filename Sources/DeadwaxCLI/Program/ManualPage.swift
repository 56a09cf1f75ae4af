internal import ArgumentParser

/// The manual page in the language of man(7).
struct ManualPage {
  private let root: CommandHelp

  init(_ root: CommandHelp) { self.root = root }

  var text: String {
    var text = ".TH DEADWAX 1 \"\" \"\(Self.escaped(Deadwax.configuration.version))\" \"User Commands\"\n"
    text += ".SH NAME\ndeadwax \\- \(Self.escaped(root.abstract ?? ""))\n"
    text += ".SH SYNOPSIS\n.B deadwax\n.I command\n[\\fIoptions\\fR] [\\fIarguments\\fR]\n"
    text += ".SH DESCRIPTION\n" + Self.paragraphs(Deadwax.purpose)
    text += ".SH COMMANDS\n"
    for command in shown(root) { text += section(command, path: []) }
    text += ".SH COMMON OPTIONS\nAlmost every command also takes these options.\n"
    for argument in commonOptions { text += option(argument) }
    return text + Self.end
  }

  private func shown(_ command: CommandHelp) -> [CommandHelp] {
    command.subcommands.filter { $0.shouldDisplay && $0.name != "help" && $0.name != "worker" }
  }

  /// The options of the first command that has them.
  private var commonOptions: [CommandHelp.Argument] {
    shown(root).lazy.map { $0.arguments.filter(\.isCommon) }.first { !$0.isEmpty } ?? []
  }

  private func section(_ command: CommandHelp, path: [String]) -> String {
    let path = path + [command.name]
    let arguments = command.arguments.filter(\.shouldDisplay)
    let positional = arguments.filter { $0.kind == "positional" }.map { argument in
      let name = "\\fI\(Self.escaped(argument.valueName ?? ""))\\fR" + (argument.isRepeating ? "..." : "")
      return argument.isOptional ? "[\(name)]" : name
    }
    var text = ".SS \"deadwax \(path.joined(separator: " "))\"\n"
    text +=
      "\\fBdeadwax \(path.joined(separator: " "))\\fR [\\fIoptions\\fR] \(positional.joined(separator: " "))\n.PP\n"
    text += Self.paragraphs(command.abstract ?? "")
    if let discussion = command.discussion, !discussion.isEmpty { text += Self.paragraphs(discussion) }
    for argument in arguments where !argument.isCommon && Set(argument.names).isDisjoint(with: ["--help", "--version"])
    {
      text += option(argument)
    }
    for inner in shown(command) { text += section(inner, path: path) }
    return text
  }

  private func option(_ argument: CommandHelp.Argument) -> String {
    let value = argument.kind == "option" ? " \\fI\(Self.escaped(argument.valueName ?? "value"))\\fR" : ""
    let names = argument.names.map { "\\fB\(Self.escaped($0))\\fR" + value }
    let head = names.isEmpty ? "\\fI\(Self.escaped(argument.valueName ?? ""))\\fR" : names.joined(separator: ", ")
    let fallback = argument.defaultValue.map { " (default: \($0))" } ?? ""
    return ".TP\n\(head)\n" + Self.line((argument.abstract ?? "") + fallback) + "\n"
  }

  // MARK: - Text

  /// Blank lines separate paragraphs; lines that begin with a blank are printed verbatim.
  private static func paragraphs(_ text: String) -> String {
    var result = ""
    var isVerbatim = false
    for raw in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let wantsVerbatim = raw.hasPrefix(" ")
      if raw.isEmpty {
        result += isVerbatim ? "" : ".PP\n"
        continue
      }
      if wantsVerbatim != isVerbatim { result += wantsVerbatim ? ".PP\n.nf\n" : ".fi\n.PP\n" }
      isVerbatim = wantsVerbatim
      result += line(String(raw)) + "\n"
    }
    return result + (isVerbatim ? ".fi\n" : "") + ".PP\n"
  }

  /// A dot or an apostrophe at the start of a line would be a request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
  }

  private static let end = """
    .SH FILES
    .TP
    .I $XDG_DATA_HOME/deadwax/library.sqlite
    The library, unless \\fB\\-\\-library\\fR or \\fB$DEADWAX_LIBRARY\\fR selects another; \\fI~/.local/share\\fR if
    \\fB$XDG_DATA_HOME\\fR is not set.
    .SH ENVIRONMENT
    .TP
    .B DEADWAX_LIBRARY
    The path of the library.
    .TP
    .B DEADWAX_CACHE_SIZE
    How much decoded audio to keep in memory, such as 64M.
    .TP
    .B NO_COLOR, CLICOLOR, CLICOLOR_FORCE, FORCE_COLOR
    Whether drawings in the terminal are coloured.
    .TP
    .B COLUMNS
    The width of the output, if it does not go to a terminal.
    .SH EXIT STATUS
    """ + "\n" + ExitStatus.meanings.map { ".TP\n.B \($0)\n\(line($1))\n" }.joined()
}
