internal import Dispatch
internal import Glibc
internal import Synchronization

/// Whether this process can have one more thread.
package enum ThreadSupply {
  /// Whether the first thread of Dispatch has opened what all of them wait with.
  private static let isOpen = Mutex(false)

  /// To be asked before Dispatch needs a thread: without memory for its stack Dispatch waits for ever, and without
  /// descriptors for what the first of its threads waits with it traps.
  package static var canStartThread: Bool { startsTwoThreads && isOpen.withLock { $0 || open(&$0) } }

  /// The same where the answer has been yes before; else no: Dispatch is not made to start for the question's sake.
  package static var canStillStartThread: Bool { isOpen.withLock { $0 } && startsTwoThreads }

  /// Two at a time: the first of Dispatch starts another one. Their stacks are kept for the next threads.
  private static var startsTwoThreads: Bool {
    var threads: [pthread_t] = []
    defer { for thread in threads { pthread_join(thread, nil) } }
    for _ in 0..<2 {
      var thread = pthread_t()
      guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
      threads.append(thread)
    }
    return true
  }

  /// Lets Dispatch start its first thread while there are descriptors for it.
  private static func open(_ isOpen: inout Bool) -> Bool {
    let free = (0..<3).map { _ in Glibc.open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    for descriptor in free where descriptor >= 0 { close(descriptor) }
    guard !free.contains(-1) else { return false }
    let start = DispatchSemaphore(value: 0)
    DispatchQueue.global().async { start.signal() }
    start.wait()
    isOpen = true
    return true
  }
}
