internal import Dispatch
internal import Glibc
internal import Synchronization

/// Determines whether this process can start another thread.
package enum ThreadSupply {
  /// Whether the first Dispatch thread has opened the descriptors that all of them use to wait.
  private static let isOpen = Mutex(false)

  /// Call this before Dispatch needs a thread: without memory for a stack Dispatch waits for ever, and without file
  /// descriptors its first thread traps.
  package static var canStartThread: Bool {
    isOpen.withLock { isOpen in isOpen ? starts(laterCount) : starts(firstCount) && open(&isOpen) }
  }

  /// The same, but false until ``canStartThread`` was true once; so the check itself does not start Dispatch.
  package static var canStillStartThread: Bool { isOpen.withLock { $0 } && starts(laterCount) }

  /// The managing thread of Dispatch, two for its timers, and one to spare.
  fileprivate static let firstCount = 4
  /// What works, and what Dispatch starts beside it.
  private static let laterCount = 2

  /// Whether so many threads can exist at the same time. Their stacks are kept for the next threads.
  private static func starts(_ count: Int) -> Bool {
    var threads: [pthread_t] = []
    defer { for thread in threads { pthread_join(thread, nil) } }
    for _ in 0..<count {
      var thread = pthread_t()
      guard pthread_create(&thread, nil, { _ in nil }, nil) == 0 else { return false }
      threads.append(thread)
    }
    return true
  }

  /// Lets Dispatch start its first threads while descriptors are available, and waits until they have what they need.
  ///
  /// The first thread opens an epoll and an event descriptor. The one that manages timers opens a timer descriptor, and,
  /// if work waits for a thread when it looks after them, /proc/…/stat of each: then the process traps without.
  private static func open(_ isOpen: inout Bool) -> Bool {
    guard DescriptorSupply.canOpen(descriptorCount) else { return false }
    // When a second timer ends, the managing thread has dealt with everything that came before the end of the first.
    for _ in 0..<2 {
      let end = DispatchSemaphore(value: 0)
      let timer = DispatchSource.makeTimerSource()
      timer.setEventHandler { end.signal() }
      timer.schedule(deadline: .now())
      timer.activate()
      defer { timer.cancel() }
      guard end.wait(timeout: .now() + mostSecondsToStart) == .success else { return false }
    }
    isOpen = true
    return true
  }

  /// Nothing would end a wait for a thread that could not be started after all.
  private static let mostSecondsToStart = 60.0
  /// How many descriptors the first Dispatch threads need.
  fileprivate static let descriptorCount = 4
}

/// Determines whether this process can open more files.
package enum DescriptorSupply {
  /// - Parameter count: How many files at the same time.
  package static func canOpen(_ count: Int) -> Bool {
    let free = (0..<count).map { _ in open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    for descriptor in free where descriptor >= 0 { close(descriptor) }
    return !free.contains(-1)
  }
}

/// Reserves resources for the first Dispatch threads, for when there may be none left later.
///
/// Costs a few system calls. Starting threads as a test would make the caller wait for a processor.
package final class ThreadReserve: Sendable {
  package enum Shortage: Error {
    case descriptors, memory
  }

  private struct Room {
    var descriptors: [Int32] = []
    var stacks: UInt?
  }

  /// What ``ThreadSupply`` checks for.
  private static let descriptorCount = ThreadSupply.descriptorCount
  private static let threadCount = ThreadSupply.firstCount

  private let room: Mutex<Room>
  private let stackByteCount: Int

  package init() throws(Shortage) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    var stack = 0
    var guardPages = 0
    pthread_attr_getstacksize(&attributes, &stack)
    pthread_attr_getguardsize(&attributes, &guardPages)
    stackByteCount = Self.threadCount * (stack + guardPages)
    var room = Room()
    for _ in 0..<Self.descriptorCount {
      let descriptor = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      if descriptor >= 0 { room.descriptors.append(descriptor) }
    }
    let stacks = mmap(nil, stackByteCount, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    if stacks != MAP_FAILED { room.stacks = UInt(bitPattern: stacks) }
    self.room = Mutex(room)
    guard room.descriptors.count == Self.descriptorCount else { throw .descriptors }
    guard room.stacks != nil else { throw .memory }
  }

  deinit { release() }

  /// Releases the reservation; a second call does nothing.
  package func release() {
    room.withLock { room in
      for descriptor in room.descriptors { close(descriptor) }
      if let stacks = room.stacks { munmap(UnsafeMutableRawPointer(bitPattern: stacks), stackByteCount) }
      room = Room()
    }
  }
}
