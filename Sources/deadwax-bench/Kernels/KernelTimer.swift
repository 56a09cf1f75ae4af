/// Times something that is far shorter than a tick of the clock.
enum KernelTimer {
  private static let secondsPerRound = 0.05
  private static let roundCount = 5

  /// The least of several rounds: whatever disturbs makes it longer.
  static func secondsPerRun(_ kernel: BenchKernel) -> Double {
    let work = kernel.prepared()
    var runCount = 1
    while true {
      let seconds = round(work, runCount)
      if seconds >= secondsPerRound { break }
      runCount *= seconds < secondsPerRound / 8 ? 8 : 2
    }
    return Samples((0..<roundCount).map { _ in round(work, runCount) }).least.map { $0 / Double(runCount) } ?? 0
  }

  private static func round(_ work: () -> Void, _ runCount: Int) -> Double {
    BenchClock.processor.measure { for _ in 0..<runCount { work() } }
  }
}
