internal import ArgumentParser
internal import Base
internal import MediaModel
internal import TagEditing
internal import TagWriting

extension ArtworkCommand {
  /// `deadwax artwork embed`: writes covers into files.
  struct Embed: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "embed",
      abstract: "Write covers into the tags of files.",
      discussion: """
        Embeds the cover that is shown for the file, or the picture given by --file. Without --yes it only lists \
        what would change; `tags undo` reverts it. See `deadwax help tags write`.

        Examples: deadwax artwork embed 'album:tides'
                  deadwax artwork embed 'album:tides' --file scan.jpg --yes
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: WrittenFilesArgument
    @OptionGroup var writing: WritingOptions

    @Option(
      name: .customLong("file"),
      help: ArgumentHelp("The picture (default: the cover that is shown).", valueName: "picture"), completion: .file())
    var picture: String?

    func run() throws {
      let picture = try picture.map { try ArtworkCommand.Of.picture(in: BytePath(argument: $0)) }
      let cover = picture.map { WantedEdits.Cover.picture(TagEdit.Cover(bytes: $0.bytes, mimeType: $0.mimeType)) }
      let command = WritingCommand(
        library: library, output: output, files: files, options: writing, noun: "covers", verb: "embed covers in",
        nothing: "nothing to write: the files already have these covers, or no cover is known")
      try command.run(WantedEdits(cover: cover ?? .shown))
    }
  }

  /// `deadwax artwork remove`: removes covers from files.
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove front covers from the tags of files; other pictures stay.",
      discussion: """
        Without --yes it only lists what would change; `tags undo` reverts it. See `deadwax help tags write`.

        Examples: deadwax artwork remove 'album:tides'
                  deadwax artwork remove 'album:tides' --yes
        """)

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var files: WrittenFilesArgument
    @OptionGroup var writing: WritingOptions

    func run() throws {
      let command = WritingCommand(
        library: library, output: output, files: files, options: writing, noun: "covers", verb: "remove covers from",
        nothing: "nothing to write: no file has a front cover in its tags")
      try command.run(WantedEdits(cover: WantedEdits.Cover.none))
    }
  }
}
