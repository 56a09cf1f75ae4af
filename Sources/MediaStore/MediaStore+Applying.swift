internal import GRDB

extension MediaStore {
  /// Writes what a scan found out, all of it in one transaction or nothing.
  ///
  /// Two names that were swapped belong into one batch; a file that takes the path of another one that moves comes with
  /// it or after it. Changes of a file that is no longer in the library are passed over. A recording is never deleted
  /// here, and keeps its products except for the kinds that an extraction brings.
  package func apply(_ changes: [FileChange]) throws(StoreError) {
    guard !changes.isEmpty else { return }
    try writePart(.batch) { db in
      var writer = ChangeWriter(db, now: now)
      try writer.apply(changes)
    }
  }
}
