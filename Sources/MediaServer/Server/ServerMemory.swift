internal import CHeap
internal import MediaStore

/// What a server that runs for weeks may keep in memory.
package enum ServerMemory {
  /// Of decoded sound: listeners are at different places, so little of it is asked for twice.
  package static let segmentCacheByteCount = 16 << 20
  /// Of the pages of the library, in all connections together.
  private static let databaseCacheByteCount = 16 << 20

  /// Bounds what is kept. Call it before there are other threads.
  package static func bound() {
    dw_keep_heap_small()
    MediaStore.limitCaches(toByteCount: databaseCacheByteCount)
  }

  /// Gives back what is free.
  static func trim() { dw_trim_heap() }
}
