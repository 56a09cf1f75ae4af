/// Whether workers can be started here, and how well they are fenced in.
package enum WorkerCheck {
  /// Starts one worker, hears its report and ends it.
  package static func run(executable: String = "/proc/self/exe") throws(ScanError) -> WorkerStatus {
    do {
      let process = try WorkerProcess(executable: executable, makesFingerprints: true)
      while true {
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
