extension WriteAheadLogOwnership {
  /// Refuses a library beside which the write-ahead log of another database lies, before SQLite applies it.
  ///
  /// Only what a killed process left is looked at: a log that is in use was made with its library.
  static func requireOwnLog(of library: LibraryFile) throws(StoreError) {
    guard library.hasWriteAheadLog, !library.isOpenInSQLite,
      let file = try? LibraryFile(at: library.logPath, forWriting: false)
    else { return }
    defer { file.close() }
    let log = WriteAheadLog(byteCount: file.byteCount, read: file.bytes)
    guard log.pageCount != nil else { return }
    let pageCount = Int((library.byteCount + Int64(BTreePage.size) - 1) / Int64(BTreePage.size))
    let kinship = WriteAheadLogOwnership(of: log, to: library, pageCount: pageCount) { offset in
      file.bytes(at: offset, count: BTreePage.size)
    }
    guard !kinship.isForeign else {
      throw .corrupt(library.path, reason: "the -wal beside it is that of another database")
    }
    guard kinship.missingPageCount == 0 else {
      throw .corrupt(library.path, reason: "its end is missing, and its -wal does not have it")
    }
  }
}
