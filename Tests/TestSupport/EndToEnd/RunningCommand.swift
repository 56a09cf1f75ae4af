package import Foundation
import Glibc

/// A command that was started: it can be sent signals while it runs, and waited for.
package struct RunningCommand: Sendable {
  package let processID: Int32
  private let files: TemporaryFolder
  private let ending: Task<(status: Int32, instant: ContinuousClock.Instant), Never>

  /// Starts `process`, whose standard streams are `output` and `error` in `files`.
  ///
  /// - Parameter unblocksSignals: The threads of Swift's tasks block all signals, and a program inherits that. `deadwax`
  ///   frees itself of it; dbus-daemon, for one, would never end.
  package init(_ process: Process, files: TemporaryFolder, unblocksSignals: Bool) throws {
    self.files = files
    let (endings, continuation) = AsyncStream.makeStream(of: (status: Int32, instant: ContinuousClock.Instant).self)
    process.terminationHandler = { process in
      let isSignal = process.terminationReason == .uncaughtSignal
      continuation.yield((process.terminationStatus + (isSignal ? 128 : 0), ContinuousClock().now))
      continuation.finish()
    }
    var blocked = sigset_t()
    var none = sigset_t()
    sigemptyset(&none)
    if unblocksSignals { pthread_sigmask(SIG_SETMASK, &none, &blocked) }
    defer { if unblocksSignals { pthread_sigmask(SIG_SETMASK, &blocked, nil) } }
    try process.run()
    processID = process.processIdentifier
    ending = Task { await endings.first { _ in true } ?? (-1, ContinuousClock().now) }
  }

  package func send(_ signal: Int32) { kill(processID, signal) }

  /// What it has written to its standard output up to now.
  package func output() throws -> Data { try Data(contentsOf: files.appending("output")) }

  /// Waits for the end.
  package func outcome() async throws -> CommandOutcome {
    let status = await ending.value.status
    return CommandOutcome(
      status: status,
      standardOutput: try Data(contentsOf: files.appending("output")),
      standardError: try Data(contentsOf: files.appending("error")))
  }

  /// When the process ended; waits for it.
  package var endInstant: ContinuousClock.Instant { get async { await ending.value.instant } }

  /// Whether the process is there and has not ended.
  package var isRunning: Bool { ProcessTable.isRunning(processID) }

  /// Its workers.
  package var workers: [ProcessTable.Entry] { ProcessTable.workers().filter { $0.scanID == processID } }

  /// Waits until a worker has used `seconds` of processor time: then it is in the middle of a file that takes longer.
  ///
  /// - Returns: nil if the command ended before that.
  package func worker(after seconds: Double, otherThan known: Set<Int32> = []) async throws -> ProcessTable.Entry? {
    while isRunning {
      let worker = workers.first { $0.processorSeconds >= seconds && !known.contains($0.processID) }
      if let worker { return worker }
      try await Task.sleep(for: .milliseconds(10))
    }
    return nil
  }
}

/// The most memory and descriptors that a process held.
package struct ResourcePeak: Sendable, CustomStringConvertible {
  package var byteCount = 0
  package var descriptorCount = 0

  /// Whether it is below what a scan of any folder may hold.
  package var isBounded: Bool { byteCount < 256 << 20 && descriptorCount < 64 }

  package var description: String { "\(byteCount >> 20) MiB, \(descriptorCount) descriptors" }
}

extension RunningCommand {
  /// Samples the process until it has ended.
  package func resourcePeak() async throws -> ResourcePeak {
    var peak = ResourcePeak()
    while isRunning {
      if let byteCount = ProcessTable.peakMemory(of: processID) {
        peak.byteCount = max(peak.byteCount, byteCount)
        peak.descriptorCount = max(peak.descriptorCount, ProcessTable.descriptorCount(of: processID))
      }
      try await Task.sleep(for: .milliseconds(10))
    }
    return peak
  }
}
