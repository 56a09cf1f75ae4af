internal import ArgumentParser
internal import DecodingService

/// The worker process of a scan, hidden in the help: reads files whose descriptors arrive on descriptor 3.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

  @Option(help: "The process id of the scan.")
  var parent: Int32

  @Flag(help: "Load the library for fingerprints.")
  var fingerprints = false

  func run() throws {
    throw ExitCode(WorkerService.run(parent: parent, makesFingerprints: fingerprints))
  }
}
