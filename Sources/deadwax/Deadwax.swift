internal import ArgumentParser
internal import Base
internal import Glibc

/// The command; its list of subcommands says what it can do.
@main
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

  static func main() {
    StandardStreams.fillGaps()
    // Without the signal a closed pipe is a failed write, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    // So is a file at its size limit (`ulimit -f`), which is reported.
    signal(SIGXFSZ, SIG_IGN)
    // If inherited as ignored, the exit status of workers could not be read.
    signal(SIGCHLD, SIG_DFL)
    let arguments = CommandLine.rawArguments.dropFirst().map(ArgumentText.text(ofBytes:))
    do {
      // Scripts ask often; parsing would cost more than the rest of the start.
      if arguments == ["--version"] {
        try StandardOutput.line(configuration.version)
        return try StandardOutput.flush()
      }
      guard !arguments.isEmpty else {
        // The Swift runtime reads the arguments from there.
        throw ValidationError(
          access("/proc/self/cmdline", R_OK) == 0
            ? "no command given; `deadwax help` lists the commands"
            : "the arguments cannot be read, because /proc is not mounted")
      }
      try CommandWords.check(arguments)
      var command = try parseAsRoot(arguments)
      try command.run()
      try StandardOutput.flush()
    } catch {
      Glibc.exit(CommandFailure.report(error))
    }
  }
}

extension CommandLine {
  /// The arguments as the system passed them: bytes in any encoding.
  fileprivate static var rawArguments: [[UInt8]] {
    (0..<Int(argc)).compactMap { index in
      unsafeArgv[index].map { argument in
        UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      }
    }
  }
}

/// The three streams that a process should start with.
enum StandardStreams {
  /// Opens /dev/null for each stream that is closed; otherwise the next file to be opened would get its number, and
  /// output would be written into it.
  static func fillGaps() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // Opened for the opposite direction, so that reading or writing still fails.
      var opened = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
      // Without devices a folder does it, too: it can be neither written nor read.
      if opened < 0 { opened = open("/", O_RDONLY) }
      if opened >= 0, opened != descriptor {
        dup2(opened, descriptor)
        close(opened)
      }
    }
  }
}
