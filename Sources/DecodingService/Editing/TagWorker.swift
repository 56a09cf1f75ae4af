package import Base
internal import Glibc
package import MediaModel
internal import Synchronization
package import TagEditing

/// Confined workers that read files whose tags are edited, and plan the edits: as many as threads ask at once.
///
/// A file that crashes or stalls one costs nothing but the answer about that file; the next one gets another worker.
package final class TagWorker: Sendable {
  /// One thread at a time uses it: the one that took it out of the list.
  private struct IdleWorker: @unchecked Sendable {
    let process: WorkerProcess
  }

  /// Why there is no answer about a file.
  package enum Failure: Error, Hashable {
    /// The worker crashed, hung or sent nonsense.
    case lost(reason: String)
    /// No worker can be started, which says nothing about the file.
    case cannotStart(SystemError)
  }

  private static let timeout = StallTimeout(limitInSeconds: 20)

  private let executable: String
  private let idle = Mutex<[IdleWorker]>([])

  package init(executable: String = WorkerProgram.path) { self.executable = executable }

  /// Reads the headers, tags and pictures of a file, and the hash of its stream; nothing is decoded.
  package func read(
    descriptor: Int32, byteCount: Int64, pathExtension: String
  ) throws(Failure) -> Extraction {
    let limits = InspectionLimits(signIntervalInSeconds: Self.timeout.tickInSeconds)
    let request = WorkerRequest.inspect(byteCount: byteCount, pathExtension: pathExtension, limits: limits)
    var (stream, pictures): (StreamIdentity?, [Artwork]) = (nil, [])
    return try ask(request, descriptor) { message, worker throws(WorkerChannel.Failure) in
      switch message {
      case .identified(let identity):
        guard stream == nil else { throw .malformed("a second identity") }
        stream = identity
        try worker.send(.analyse(kinds: [], verifies: false))
      case .artwork(let picture):
        guard pictures.count < WorkerProtocol.maximumPictureCount else { throw .malformed("too many pictures") }
        pictures.append(picture)
      case .finished(var extraction):
        extraction.stream = stream
        extraction.artwork = pictures
        return extraction
      default: throw .malformed("an answer without a request")
      }
      return nil
    }
  }

  /// Finds out how the tags of a file have to be changed.
  package func plan(_ edit: TagEdit, descriptor: Int32, byteCount: Int64) throws(Failure) -> EditAnswer {
    try ask(.planEdit(byteCount: byteCount, edit), descriptor) { message, _ throws(WorkerChannel.Failure) in
      guard case .planned(let answer) = message else { throw .malformed("an answer without a request") }
      return answer
    }
  }

  private func idleOrNewWorker() throws(Failure) -> WorkerProcess {
    if let worker = idle.withLock({ $0.popLast() }) { return worker.process }
    do throws(SystemError) { return try WorkerProcess(executable: executable, makesFingerprints: false) } catch {
      throw .cannotStart(error)
    }
  }

  /// - Parameter take: of each message but signs of life; the answer if it is the last one.
  private func ask<Answer>(
    _ request: WorkerRequest, _ descriptor: Int32,
    _ take: (WorkerMessage, WorkerProcess) throws(WorkerChannel.Failure) -> Answer?
  ) throws(Failure) -> Answer {
    let worker = try idleOrNewWorker()
    do throws(WorkerChannel.Failure) {
      try worker.send(request, descriptor: descriptor)
      var stall = StallCounter()
      while true {
        guard let messages = try worker.waitForMessages(until: monotonicSeconds() + Self.timeout.tickInSeconds) else {
          if let reason = stall.tick(worker.status, timeout: Self.timeout) { throw .malformed(reason) }
          continue
        }
        stall.noteSign()
        for message in messages {
          switch message {
          case .ready(let version, _):
            guard version == WorkerProtocol.version else { throw .malformed("version \(version)") }
          case .progress: continue
          default:
            guard let answer = try take(message, worker) else { continue }
            idle.withLock { $0.append(IdleWorker(process: worker)) }
            return answer
          }
        }
      }
    } catch {
      worker.stop()
      throw .lost(reason: worker.missingLibrary ?? "\(error)")
    }
  }
}
