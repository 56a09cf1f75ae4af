internal import ArgumentParser

/// The command; its list of subcommands says what it can do.
struct Deadwax: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadwax",
    abstract: "Index folders of audio files once, then search, measure, export and draw them.",
    discussion: purpose + "\n\nFor bug reports: `deadwax --version --verbose` also names the commit and the libraries."
      + "\n\nExit status:\n" + ExitStatus.table,
    version: VersionText.line,
    subcommands: [WorkerCommand.self],
    groupedSubcommands: [
      CommandGroup(name: "Index", subcommands: [ScanCommand.self, WatchCommand.self, ReanalyzeCommand.self]),
      CommandGroup(
        name: "Find",
        subcommands: [
          StatusCommand.self, LsCommand.self, AlbumsCommand.self, ArtistsCommand.self,
          ShowCommand.self, ProblemsCommand.self, IdentifyCommand.self,
          DuplicatesCommand.self, CompareCommand.self, LookupCommand.self, SimilarCommand.self, PlaylistCommand.self,
          MapCommand.self,
        ]),
      CommandGroup(name: "Draw", subcommands: [WaveformCommand.self, SpectrumCommand.self]),
      CommandGroup(
        name: "Listen",
        subcommands: [
          ServeCommand.self, PlayCommand.self, RenderCommand.self, SegmentCommand.self, CacheCommand.self,
          AnnounceCommand.self, TransitionsCommand.self,
        ]),
      CommandGroup(name: "Export", subcommands: [ExportCommand.self, ArtworkCommand.self]),
      CommandGroup(
        name: "User data",
        subcommands: [
          TagsCommand.self, PresetCommand.self, ListsCommand.self, RateCommand.self, AttributeCommand.self,
          ImportCommand.self, UndoCommand.self,
        ]),
      CommandGroup(
        name: "Maintain",
        subcommands: [
          RootsCommand.self, PruneCommand.self, BackupCommand.self, RestoreCommand.self, MergeCommand.self,
          ShardsCommand.self, DoctorCommand.self,
        ]),
      CommandGroup(
        name: "Help", subcommands: [CompletionsCommand.self, QueryCommand.self, ManualCommand.self]),
    ])

  static let purpose = """
    Deadwax reads each file once and stores tags, exact length, levels, loudness, waveform, spectrum and fingerprint \
    in one SQLite file. Listing, searching, exporting and drawing use that file; audio is decoded again only for \
    finer detail and for sound output.
    """
}
