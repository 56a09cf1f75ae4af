internal import ArgumentParser

/// `deadwax-bench count`: what runs under Callgrind.
struct CountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "count", abstract: "Run every kernel once where it is counted.", shouldDisplay: false)

  func run() throws {
    for kernel in BenchKernel.all {
      let work = kernel.prepared()
      // Once before, so that what is made at first use is there.
      work()
      countedRun(work)
    }
  }
}
