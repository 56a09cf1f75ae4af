internal import Base
internal import Glibc
internal import Synchronization

/// Waits until files are on the disk, for many at once: a file system writes its journal once for all who wait for it at
/// the same time. A thousand small files one by one took 2.9 to 6.4 s, on 16 threads 0.9 to 1.2 s (ext4).
enum DiskSync {
  private static let mostThreads = 16

  /// - Returns: for each descriptor why its file is not on the disk; nil if it is.
  static func sync(_ descriptors: [Int32]) -> [SystemError?] {
    let waiting = WaitingFiles(descriptors)
    var threads: [pthread_t] = []
    for _ in 1..<max(1, min(mostThreads, descriptors.count)) {
      var thread = pthread_t()
      let context = Unmanaged.passRetained(waiting)
      let code = pthread_create(&thread, nil, WaitingFiles.run, context.toOpaque())
      guard code == 0 else {
        // Those that are there, and this one, do it all.
        context.release()
        break
      }
      threads.append(thread)
    }
    waiting.sync()
    for thread in threads { pthread_join(thread, nil) }
    return waiting.failures.withLock { failures in descriptors.indices.map { failures[$0] } }
  }
}

private final class WaitingFiles: Sendable {
  static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    if let context { Unmanaged<WaitingFiles>.fromOpaque(context).takeRetainedValue().sync() }
    return nil
  }

  /// By the index of the file.
  let failures = Mutex<[Int: SystemError]>([:])
  private let descriptors: [Int32]
  private let next = Atomic(0)

  init(_ descriptors: [Int32]) { self.descriptors = descriptors }

  /// Takes one file after the other until none is left.
  func sync() {
    while true {
      let index = next.add(1, ordering: .relaxed).oldValue
      guard index < descriptors.count else { return }
      if fsync(descriptors[index]) != 0 {
        let failure = SystemError(call: "fsync")
        failures.withLock { $0[index] = failure }
      }
    }
  }
}
