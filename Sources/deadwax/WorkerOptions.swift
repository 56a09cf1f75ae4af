internal import ArgumentParser
internal import Glibc
internal import MediaImport

/// How files are read: by how many processes, and for how long.
struct WorkerOptions: ParsableArguments {
  @Option(name: .letter("j"), help: "Number of worker processes (default: one for each processor).")
  var jobs: Int?

  @Option(help: ArgumentHelp("Give up on a file after so long without progress.", valueName: "seconds"))
  var deadline = 20.0

  func validate() throws {
    try ValidationError.require("jobs", jobs, in: 1...256)
    if !(0.1...86_400).contains(deadline) { throw ValidationError("--deadline takes seconds from 0.1 to 86400") }
  }

  var configuration: WorkerPool.Configuration {
    var workers = WorkerPool.Configuration(workerCount: jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    workers.stallLimitInSeconds = deadline
    return workers
  }
}
