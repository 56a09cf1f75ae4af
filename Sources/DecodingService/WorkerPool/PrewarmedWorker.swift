internal import Glibc

/// A worker that has been started for a file that is not known yet, so that nobody waits for its start: loading the
/// libraries of all decoders takes longer than decoding a segment.
///
/// It ends when it is released. The thread that opens a file in it is its only user from then on; before that its
/// process is only asked whether it is there. When a ``WorkerSegmentSource`` is done with it, it can open the next
/// file.
package final class PrewarmedWorker: @unchecked Sendable {
  let process: WorkerProcess

  init(_ process: WorkerProcess) { self.process = process }

  package var processID: Int32 { process.processID }

  /// Whether it has not ended, as it does when memory is short.
  package var isThere: Bool {
    var entry = pollfd(fd: process.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) >= 0 && Int32(entry.revents) & (POLLHUP | POLLERR) == 0
  }
}
