package import Base
internal import CWorker
internal import Glibc
internal import Synchronization

/// Confined workers that decode pictures, as many as threads ask at once; idle ones are kept for the next picture.
package final class PictureWorkers: Sendable {
  /// One thread at a time uses it: the one that took it out of the list.
  private struct IdleWorker: @unchecked Sendable {
    let process: WorkerProcess
    let since: Double
  }

  private static let timeout = StallTimeout(limitInSeconds: 20)

  private let idle = Mutex<[IdleWorker]>([])
  private let executable: String

  package init(executable: String = WorkerProgram.path) { self.executable = executable }

  /// Makes a picture smaller. One that crashes or stalls its worker is unreadable, and the next one gets another worker.
  ///
  /// - Parameters:
  ///   - bytes: of any format.
  ///   - side: the longest of the result, in pixels.
  /// - Throws: ``SystemError`` if no worker can be started, which says nothing about the picture.
  package func reduced(_ bytes: [UInt8], side: Int) throws(SystemError) -> ReducedPictureAnswer {
    let worker: WorkerProcess
    if let idle = idle.withLock({ $0.popLast() }) {
      worker = idle.process
    } else {
      worker = try WorkerProcess(executable: executable, makesFingerprints: false)
    }
    do throws(WorkerChannel.Failure) {
      let answer = try Self.ask(worker, bytes, side: side)
      idle.withLock { $0.append(IdleWorker(process: worker, since: monotonicSeconds())) }
      return answer
    } catch {
      worker.stop()
      return .unreadable(reason: "its decoder failed: \(error)")
    }
  }

  /// Ends the workers that were not used for some seconds.
  package func endIdle(afterSeconds seconds: Double) {
    let now = monotonicSeconds()
    _ = idle.withLock { idle in
      let ended = idle.filter { now - $0.since >= seconds }
      idle.removeAll { now - $0.since >= seconds }
      return ended
    }
  }

  private static func ask(
    _ worker: WorkerProcess, _ bytes: [UInt8], side: Int
  ) throws(WorkerChannel.Failure) -> ReducedPictureAnswer {
    let file = dw_memory_file("picture")
    guard file >= 0 else { throw .system(SystemError(call: "memfd_create")) }
    defer { close(file) }
    do throws(SystemError) { try DescriptorBytes.write(bytes, to: file, at: 0) } catch { throw .system(error) }
    try worker.send(.reduce(byteCount: Int64(bytes.count), longestSide: side), descriptor: file)
    var stall = StallCounter()
    while true {
      guard let messages = try worker.waitForMessages(until: monotonicSeconds() + timeout.tickInSeconds) else {
        if let reason = stall.tick(worker.status, timeout: timeout) { throw .malformed(reason) }
        continue
      }
      stall.noteSign()
      for case .reduced(let answer) in messages { return answer }
    }
  }
}
