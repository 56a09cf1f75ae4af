internal import ArgumentParser

/// The measuring program: each subcommand answers one question about speed, as ratios within one run.
@main
struct DeadwaxBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deadwax-bench",
    abstract: "Measure Deadwax on this machine: stage by stage, as a whole, and against other programs.",
    discussion: """
      Seconds depend on the machine and its other work; ratios to other programs in the same run depend on it much \
      less, and numbers of instructions hardly at all. docs/performance.md says what the numbers mean.
      """,
    subcommands: [
      StagesCommand.self, ScanCommand.self, RescanCommand.self, KernelsCommand.self, EffectsCommand.self,
      DecodeCommand.self, CountCommand.self, LibraryCommand.self, QueriesCommand.self, SoundCommand.self,
      SoundScaleCommand.self, SimilarityCommand.self,
    ])
}
