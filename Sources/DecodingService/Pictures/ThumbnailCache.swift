package import Base
internal import CWorker
internal import Glibc
package import MediaModel
internal import Synchronization

/// The pictures of tags in a few sizes: made by confined workers when they are first asked for, and kept within a
/// bound.
///
/// A picture that crashes or stalls its worker is remembered as unreadable, and the next one gets another worker.
package final class ThumbnailCache: Sendable {
  /// The longest sides that are made, in pixels; a size between two of them becomes the larger one.
  package static let sides = [64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048]

  private struct Key: Hashable {
    let picture: ContentHash
    let side: Int
  }

  /// One thread at a time uses it: the one that took it out of the list.
  private struct IdleWorker: @unchecked Sendable {
    let process: WorkerProcess
    let since: Double
  }

  /// A small answer costs at least this.
  private static let leastCost = 64
  private static let timeout = StallTimeout(limitInSeconds: 20)

  private let known: Mutex<LeastRecentlyUsed<Key, ReducedPictureAnswer>>
  private let idle = Mutex<[IdleWorker]>([])
  private let executable: String

  /// - Parameter capacityInBytes: Of what is kept.
  package init(capacityInBytes: Int = 64 << 20, executable: String = WorkerProgram.path) {
    known = Mutex(LeastRecentlyUsed(capacity: capacityInBytes))
    self.executable = executable
  }

  /// The side that is made for a size; nil if the size is larger than all of them.
  package static func side(for size: Int) -> Int? { sides.first { $0 >= size } }

  /// What is kept of a picture; nil if it has to be made.
  package func known(_ picture: ContentHash, side: Int) -> ReducedPictureAnswer? {
    known.withLock { $0.value(for: Key(picture: picture, side: side)) }
  }

  /// Makes a picture smaller, if it is not known.
  ///
  /// - Throws: ``SystemError`` if no worker can be started, which says nothing about the picture.
  package func reduced(
    _ picture: ContentHash, side: Int, bytes: [UInt8]
  ) throws(SystemError) -> ReducedPictureAnswer {
    if let known = known(picture, side: side) { return known }
    let worker: WorkerProcess
    if let idle = idle.withLock({ $0.popLast() }) {
      worker = idle.process
    } else {
      worker = try WorkerProcess(executable: executable, makesFingerprints: false)
    }
    let answer: ReducedPictureAnswer
    do throws(WorkerChannel.Failure) {
      answer = try Self.ask(worker, bytes, side: side)
      idle.withLock { $0.append(IdleWorker(process: worker, since: monotonicSeconds())) }
    } catch {
      worker.stop()
      answer = .unreadable(reason: "its decoder failed: \(error)")
    }
    var cost = Self.leastCost
    if case .reduced(let bytes) = answer { cost += bytes.count }
    known.withLock { [cost] in _ = $0.insert(answer, for: Key(picture: picture, side: side), cost: cost) }
    return answer
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
