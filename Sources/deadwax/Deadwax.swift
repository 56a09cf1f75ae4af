internal import ArgumentParser
internal import Glibc
internal import MediaModel

/// The command: what it can do is the list of subcommands.
@main
struct Deadwax: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadwax",
    abstract: "Index a folder of audio files once, and ask what is in it for ever.",
    discussion: """
      Deadwax reads each file once and keeps tags, exact length, levels, loudness, waveform, spectrum and fingerprint \
      in one SQLite file. From that file it lists, shows, exports and draws; only what is finer, and sound, is decoded \
      again.
      """,
    version: "deadwax 0.1.0",
    subcommands: [
      ScanCommand.self, ReanalyzeCommand.self, StatusCommand.self, LsCommand.self, ShowCommand.self,
      WaveformCommand.self, SpectrumCommand.self, SegmentCommand.self, CacheCommand.self, RenderCommand.self,
      ExportCommand.self, ListsCommand.self, ImportCommand.self, PresetCommand.self, ProblemsCommand.self,
      RootsCommand.self, PruneCommand.self, BackupCommand.self, RestoreCommand.self, MergeCommand.self,
      DoctorCommand.self, CompletionsCommand.self, QueryCommand.self, ManualCommand.self, WorkerCommand.self,
    ])

  static func main() {
    StandardStreams.fillGaps()
    // A reader that goes away shows as a failed write, which ends the command quietly.
    signal(SIGPIPE, SIG_IGN)
    // A file that may not grow (`ulimit -f`) is a failed write as well, and says so.
    signal(SIGXFSZ, SIG_IGN)
    // Inherited as ignored, it would hide how workers end.
    signal(SIGCHLD, SIG_DFL)
    let arguments = CommandLine.rawArguments.dropFirst().map(ArgumentText.text(ofBytes:))
    do {
      guard !arguments.isEmpty else { throw ValidationError("What shall be done? `deadwax help` lists the commands.") }
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
  /// The arguments as the system passed them, in no particular encoding.
  fileprivate static var rawArguments: [[UInt8]] {
    (0..<Int(argc)).compactMap { index in
      unsafeArgv[index].map { argument in
        UnsafeBufferPointer(start: argument, count: strlen(argument)).map { UInt8(bitPattern: $0) }
      }
    }
  }
}
