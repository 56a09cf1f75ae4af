internal import ArgumentParser
internal import MediaImport

/// The hidden half of a scan: looks at files whose descriptors arrive on descriptor 3.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

  @Option(help: "Process id of the scan.")
  var parent: Int32

  @Flag(help: "Load what fingerprints need.")
  var fingerprints = false

  func run() throws {
    throw ExitCode(WorkerService.run(parent: parent, makesFingerprints: fingerprints))
  }
}
