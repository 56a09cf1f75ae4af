internal import GRDB
internal import MediaModel

extension DatabaseQueue {
  /// To be called before the last reference goes: Dispatch gives up a queue on a thread of its own, so where none can be
  /// had the connection stays.
  func keepWithoutThreads() {
    if !ThreadSupply.isThere { _ = Unmanaged.passRetained(self) }
  }
}
