internal import Glibc

/// Whether workers can be started here, and how well they are fenced in.
package enum WorkerCheck {
  /// Starts one worker, hears its report and ends it.
  ///
  /// - Parameter patience: How long the report may take.
  package static func run(
    executable: String = "/proc/self/exe", patience: Duration = .seconds(20)
  ) throws(ScanError) -> WorkerStatus {
    do {
      let process = try WorkerProcess(executable: executable, makesFingerprints: true)
      let deadline = ContinuousClock.now + patience
      while true {
        let rest = (deadline - .now) / .milliseconds(1)
        var entry = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
        let count = poll(&entry, 1, Int32(max(0, rest.rounded(.up))))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw ScanError.workers(.cannotStart("a worker says nothing for \(patience)")) }
        for message in try process.receiveMessages() {
          guard case .ready(_, let status) = message else {
            throw ScanError.workers(.cannotStart("a worker talks nonsense"))
          }
          return status
        }
      }
    } catch let error as SystemError {
      throw .workers(.cannotStart(error.description))
    } catch let error as ScanError {
      throw error
    } catch {
      throw .workers(.cannotStart("a worker ended at once: \(error)"))
    }
  }
}
