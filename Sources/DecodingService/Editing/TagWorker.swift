package import Base
internal import Glibc
package import MediaModel
package import TagEditing

/// A confined worker that reads files whose tags are edited, and plans the edits: one after the other, for one thread.
///
/// A file that crashes or stalls it costs nothing but the answer about that file; the next one gets another worker.
package final class TagWorker {
  /// Why there is no answer about a file.
  package enum Failure: Error, Hashable {
    /// The worker crashed, hung or sent nonsense.
    case lost(reason: String)
    /// No worker can be started, which says nothing about the file.
    case cannotStart(SystemError)
  }

  private static let timeout = StallTimeout(limitInSeconds: 20)

  private let executable: String
  private var process: WorkerProcess?

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

  private func runningWorker() throws(Failure) -> WorkerProcess {
    if let process { return process }
    do throws(SystemError) {
      let new = try WorkerProcess(executable: executable, makesFingerprints: false)
      process = new
      return new
    } catch { throw .cannotStart(error) }
  }

  /// - Parameter take: of each message but signs of life; the answer if it is the last one.
  private func ask<Answer>(
    _ request: WorkerRequest, _ descriptor: Int32,
    _ take: (WorkerMessage, WorkerProcess) throws(WorkerChannel.Failure) -> Answer?
  ) throws(Failure) -> Answer {
    let worker = try runningWorker()
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
          default: if let answer = try take(message, worker) { return answer }
          }
        }
      }
    } catch {
      process = nil
      worker.stop()
      throw .lost(reason: worker.missingLibrary ?? "\(error)")
    }
  }
}
