internal import Synchronization

/// The program that is started as a worker: the command, which understands `worker`.
package enum WorkerProgram {
  private static let chosen = Mutex("/proc/self/exe")

  /// This program itself, unless it was set: a program that is not the command names the command here.
  package static var path: String {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }
}
