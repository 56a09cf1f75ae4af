internal import Glibc
internal import Synchronization

/// Room for the first threads of Dispatch, set aside for a time in which there may be none when it is wanted.
///
/// Costs a few calls of the system; threads started for the question's sake would have the caller wait for a processor.
package final class ThreadReserve: Sendable {
  package enum Shortage: Error {
    case descriptors, memory
  }

  private struct Room {
    var descriptors: [Int32] = []
    var stacks: UInt?
  }

  /// What ``ThreadSupply`` asks for: what threads wait with, and the stacks of two.
  private static let descriptorCount = 3
  private static let threadCount = 2

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

  /// Gives the room free; calling it twice is harmless.
  package func release() {
    room.withLock { room in
      for descriptor in room.descriptors { close(descriptor) }
      if let stacks = room.stacks { munmap(UnsafeMutableRawPointer(bitPattern: stacks), stackByteCount) }
      room = Room()
    }
  }
}
