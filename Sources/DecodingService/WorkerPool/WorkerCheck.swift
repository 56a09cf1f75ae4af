internal import Base

/// Whether workers can be started on this machine, and how well they are confined.
package enum WorkerCheck {
  /// Starts one worker and reads its report.
  ///
  /// - Parameter timeout: How long the report may take.
  /// - Returns: The report, and the worker, which waits for files to open.
  package static func run(
    executable: String = WorkerProgram.path, timeout: Duration = .seconds(20)
  ) throws(WorkerError) -> (status: WorkerStatus, worker: PrewarmedWorker) {
    let process: WorkerProcess
    do throws(SystemError) {
      process = try WorkerProcess(executable: executable, makesFingerprints: true)
    } catch {
      throw .cannotStart(reason: error.description)
    }
    let deadline = monotonicSeconds() + timeout / .seconds(1)
    while true {
      let messages: [WorkerMessage]?
      do throws(WorkerChannel.Failure) {
        messages = try process.waitForMessages(until: deadline)
      } catch {
        _ = process.end()
        throw .cannotStart(reason: process.missingLibrary ?? "a worker exited immediately: \(error)")
      }
      guard let messages else { throw .cannotStart(reason: "a worker sent nothing for \(timeout)") }
      guard let first = messages.first else { continue }
      guard case .ready(_, let status) = first else {
        throw .cannotStart(reason: "the first message of a worker was not its report")
      }
      return (status, PrewarmedWorker(process))
    }
  }
}
