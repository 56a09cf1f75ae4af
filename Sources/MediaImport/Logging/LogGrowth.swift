internal import MediaModel
internal import MediaStore

/// Tells once when a library's write-ahead log grows far beyond what a scan needs: a program that reads without an end
/// keeps SQLite from folding the log in, and until it ends the log takes what the disk has.
struct LogGrowth {
  /// A scan that is alone stays below 20 MiB.
  static let defaultLimitInBytes: Int64 = 256 << 20

  private let limitInBytes: Int64
  private var isTold = false

  init(limitInBytes: Int64 = Self.defaultLimitInBytes) { self.limitInBytes = limitInBytes }

  /// To be called after each batch.
  mutating func look(at store: MediaStore, _ log: ReadingLog) {
    guard !isTold, store.logByteCount > limitInBytes else { return }
    isTold = true
    log.error(
      BytePath(store.path.bytes + Array("-wal".utf8)), .store,
      """
      the log has grown beyond \(limitInBytes >> 20) MiB, because another program reads the library without an end; it \
      shrinks once that program is done
      """)
  }
}
