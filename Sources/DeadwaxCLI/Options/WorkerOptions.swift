internal import ArgumentParser
internal import DecodingService
internal import Glibc

/// How many processes read files, and when they give up on one.
struct WorkerOptions: ParsableArguments {
  @Option(name: .letter("j"), help: "Number of worker processes (default: one per processor).")
  var jobs: Int?

  @Option(help: ArgumentHelp("Give up on a file after this many seconds without progress.", valueName: "seconds"))
  var deadline = 20.0

  func validate() throws {
    try ValidationError.require("jobs", jobs, in: 1...256)
    if !(0.1...86_400).contains(deadline) { throw ValidationError("--deadline takes 0.1 to 86400 seconds") }
  }

  var configuration: WorkerPool.Configuration {
    var workers = WorkerPool.Configuration(workerCount: jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    workers.stallLimitInSeconds = deadline
    return workers
  }
}
