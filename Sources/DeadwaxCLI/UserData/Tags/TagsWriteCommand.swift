internal import ArgumentParser
internal import TagWriting

/// `deadwax tags write`: writes what the library knows into the tags of files.
struct TagsWriteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "write",
    abstract: "Write corrections or measured loudness into the tags of files.",
    discussion: """
      Without --yes it only lists what would change, file by file. With it, a new file is written next to each old \
      one, read back, and replaces it only if the sound, every other tag and every picture are the same. `tags undo` \
      restores the old file byte for byte.

      It writes the corrections that `tags list` shows, except conflicts, which `tags resolve` settles. --replaygain \
      writes ReplayGain 2.0 (-18 LUFS) of the track and its album with true peaks instead, or in addition with \
      --corrections; in Opus, R128_TRACK_GAIN and R128_ALBUM_GAIN. A file that cannot be written safely is left \
      alone and listed with the reason; `roots protect` protects whole folders.

      \(QueryHelp.short)

      Examples: deadwax tags write is:corrected
                deadwax tags write is:corrected --yes
                deadwax tags write --replaygain 'genre:electronic'
                deadwax tags write --replaygain --all --yes
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var files: WrittenFilesArgument
  @OptionGroup var writing: WritingOptions

  @Flag(name: .customLong("replaygain"), help: "Write the measured loudness as ReplayGain, in Opus as R128.")
  var replayGain = false

  @Flag(help: "Write corrections; the default without --replaygain.")
  var corrections = false

  func run() throws {
    let writesCorrections = corrections || !replayGain
    let command = WritingCommand(
      library: library, output: output, files: files, options: writing, noun: "tags", verb: "write tags of",
      nothing: writesCorrections
        ? "nothing to write: the files have these tags" : "nothing to write: the files have this loudness")
    try command.run(WantedEdits(writesCorrections: writesCorrections, writesReplayGain: replayGain))
  }
}
