internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

extension ListsCommand {
  struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "export", abstract: "Write a list as a playlist: \(PlaylistExport.formats.joined(separator: ", ")).")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions

    @Argument(help: "The list's name.", completion: Completions.lists)
    var name: String

    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp("The file to write; without it, or with `-`, standard output.", valueName: "file"),
      completion: .file())
    var file: String?

    @Option(help: "The format; without it what the file's ending says, else m3u8.")
    var format: String?

    @Flag(help: "Paths as they are, not relative to the playlist.")
    var absolute = false

    func run() throws {
      let path = file.flatMap { $0 == "-" ? nil : BytePath(argument: $0) }
      let choices = ExportChoices(
        format: try ExportChoices.format(format, ending: path?.pathExtension ?? "", of: PlaylistExport.formats),
        file: path, usesAbsolutePaths: absolute || path == nil, title: name, isQuiet: output.quiet)
      try library.reading { store in
        let content = try store.list(named: name).playlist(in: store, choices)
        guard let path else { return try content.write(from: store) { try StandardOutput.write($0) } }
        var bytes: [UInt8] = []
        try content.write(from: store) { bytes += $0.utf8 }
        try OutputFile(path).write(bytes, protecting: content.inputs + library.protectedFiles(among: [path]))
      }
    }
  }
}
