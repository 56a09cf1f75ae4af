internal import Glibc
internal import MediaStore

extension LibraryScan {
  /// As many as are written in less than a second: so long another process waits until it may write.
  private static let maximumBatchCount = 1_000
  /// Longer than a process that waits for the right to write sleeps between two attempts to get it.
  private static let pauseInMicroseconds: UInt32 = 30_000

  /// Stores changes for which nothing is read, in batches between which others may write, until the stop signal comes.
  ///
  /// - Parameter groups: Each goes into one transaction as a whole.
  /// - Returns: How many changes were stored.
  func storeInBatches(_ groups: [[FileChange]]) throws(ScanError) -> Int {
    var storedCount = 0
    var batch: [FileChange] = []
    for (index, group) in groups.enumerated() {
      batch += group
      let isLast = index == groups.count - 1
      guard isLast || batch.count >= Self.maximumBatchCount else { continue }
      if stop.number != nil { break }
      try storing { () throws(StoreError) in try store.apply(batch) }
      storedCount += batch.count
      batch.removeAll(keepingCapacity: true)
      if !isLast { usleep(Self.pauseInMicroseconds) }
    }
    return storedCount
  }
}
