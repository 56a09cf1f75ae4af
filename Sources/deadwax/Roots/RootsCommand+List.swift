internal import ArgumentParser
internal import MediaModel
internal import MediaStore

extension RootsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the folders (the default).")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "One JSON document.")
    var json = false

    func run() throws {
      let roots = try library.reading { try $0.roots() }
      guard json else {
        for root in roots { try StandardOutput.line(TerminalText.escaped(root.path.displayString)) }
        return
      }
      let items = roots.map { root in
        JSONValue.object(
          [.init("id", .integer(root.id))] + JSONValue.path(root.path) + [.init("volume", .string(root.volume))])
      }
      try StandardOutput.line(JSONValue.object(["schema": .integer(1), "roots": .array(items)]).text)
    }
  }
}
