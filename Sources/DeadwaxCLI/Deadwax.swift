internal import ArgumentParser

/// The command; its list of subcommands says what it can do.
struct Deadwax: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadwax",
    abstract: "Index folders of audio files once, then search, measure, export and draw them.",
    discussion: purpose + "\n\nExit status:\n" + ExitStatus.table,
    version: "deadwax \(version)",
    subcommands: [
      ScanCommand.self, WatchCommand.self, ServeCommand.self, ReanalyzeCommand.self, StatusCommand.self, LsCommand.self,
      ShowCommand.self, IdentifyCommand.self, DuplicatesCommand.self, LookupCommand.self,
      WaveformCommand.self, SpectrumCommand.self, SegmentCommand.self, CacheCommand.self, RenderCommand.self,
      PlayCommand.self, SimilarCommand.self, PlaylistCommand.self, MapCommand.self,
      AnnounceCommand.self, ArtworkCommand.self, ExportCommand.self, ListsCommand.self, RateCommand.self,
      AttributeCommand.self,
      ImportCommand.self, PresetCommand.self, UndoCommand.self, ProblemsCommand.self, RootsCommand.self,
      PruneCommand.self, BackupCommand.self, RestoreCommand.self, MergeCommand.self, ShardsCommand.self,
      DoctorCommand.self,
      CompletionsCommand.self, QueryCommand.self, ManualCommand.self, WorkerCommand.self,
    ])

  static let version = "0.1.0"

  static let purpose = """
    Deadwax reads each file once and keeps tags, exact length, levels, loudness, waveform, spectrum and fingerprint \
    in one SQLite file. It lists, shows, exports and draws from that file, and decodes audio again only for finer \
    detail and for sound output.
    """
}
