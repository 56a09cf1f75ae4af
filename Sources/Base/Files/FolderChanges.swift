internal import Glibc

/// What changes in folders, by inotify(7): `init` opens an instance, `deinit` closes it.
///
/// A watch is for one folder; those below it need their own.
package struct FolderChanges: ~Copyable {
  package enum Event: Hashable, Sendable {
    /// An entry of a watched folder, or with an empty name the folder itself, appeared, disappeared or was changed.
    ///
    /// - Parameter isMovedAway: It has another path now, perhaps outside of all watched folders.
    case entry(name: BytePath, watch: Int32, isFolder: Bool, isMovedAway: Bool)
    /// The folder of a watch is gone: deleted, or on a file system that was unmounted.
    case ended(watch: Int32)
    /// The kernel has dropped events.
    case overflow
  }

  /// IN_CLOEXEC and IN_NONBLOCK are these by definition.
  private static let flags = O_CLOEXEC | O_NONBLOCK
  private static let mask =
    IN_CREATE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF
    | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK
  /// `struct inotify_event` without the name behind it.
  private static let headerByteCount = 16
  private static let bufferByteCount = 64 << 10

  /// Readable when there are events.
  package let descriptor: Int32

  package init() throws(SystemError) {
    descriptor = inotify_init1(Self.flags)
    guard descriptor >= 0 else { throw SystemError(call: "inotify_init1") }
  }

  deinit { close(descriptor) }

  /// Begins to watch a folder; one that is watched already, under whatever path, keeps its number.
  ///
  /// - Throws: With ENOSPC if the user has as many watches as `fs.inotify.max_user_watches` allows.
  package func watch(_ folder: BytePath) throws(SystemError) -> Int32 {
    let watch = folder.withCString { inotify_add_watch(descriptor, $0, UInt32(Self.mask)) }
    guard watch >= 0 else { throw SystemError(call: "inotify_add_watch") }
    return watch
  }

  package func end(_ watch: Int32) { _ = inotify_rm_watch(descriptor, watch) }

  /// The events since the last call, without waiting for one.
  package func events() throws(SystemError) -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: Self.bufferByteCount)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN { throw SystemError(call: "read") }
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { Self.append($0[..<count], to: &events) }
    }
  }

  private static func append(_ bytes: Slice<UnsafeRawBufferPointer>, to events: inout [Event]) {
    var rest = bytes
    while rest.count >= headerByteCount {
      func field(_ index: Int) -> UInt32 {
        bytes.base.loadUnaligned(fromByteOffset: rest.startIndex + 4 * index, as: UInt32.self)
      }
      let watch = Int32(bitPattern: field(0))
      let mask = Int32(bitPattern: field(1))
      let name = rest.dropFirst(headerByteCount).prefix(Int(field(3))).prefix { $0 != 0 }
      if mask & IN_Q_OVERFLOW != 0 {
        events.append(.overflow)
      } else if mask & IN_IGNORED != 0 {
        events.append(.ended(watch: watch))
      } else {
        events.append(
          .entry(
            name: BytePath(name), watch: watch, isFolder: mask & IN_ISDIR != 0, isMovedAway: mask & IN_MOVED_FROM != 0))
      }
      rest = rest.dropFirst(headerByteCount + Int(field(3)))
    }
  }
}
