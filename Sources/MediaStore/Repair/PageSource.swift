internal import MediaModel

/// The pages of a library's file as its last whole transaction left them, read without SQLite, which refuses what is
/// damaged; nothing is written.
final class PageSource {
  let path: BytePath
  /// Of the library, whether the file still has them all or not.
  let pageCount: Int
  /// What became of the write-ahead log beside the file.
  let logUse: LogUse
  private let file: LibraryFile
  private let logFile: LibraryFile?
  private let log: WriteAheadLog

  enum LogUse: Hashable, Sendable {
    /// There is none, or no whole transaction in it.
    case none
    case used
    /// It belongs to another file, and was left out.
    case foreign
  }

  /// 16 TiB: what a file claims to be beyond that is not believed.
  private static let largestPageCount: Int64 = 1 << 31

  /// - Parameter file: Stays open as long as this is used.
  init(_ file: LibraryFile) throws(StoreError) {
    self.file = file
    path = file.path
    let ownCount = Int(min((file.byteCount - 1) / Int64(BTreePage.size) + 1, Self.largestPageCount))
    logFile = try? LibraryFile(at: file.logPath, forWriting: false)
    let found = logFile.map { file in WriteAheadLog(byteCount: file.byteCount, read: file.bytes) }
    guard let logFile, let found, let count = found.pageCount else {
      (log, logUse, pageCount) = (WriteAheadLog(byteCount: 0) { _, _ in [] }, .none, ownCount)
      return
    }
    let kinship = WriteAheadLogOwnership(of: found, to: file, pageCount: ownCount) { offset in
      logFile.bytes(at: offset, count: BTreePage.size)
    }
    guard !kinship.isForeign else {
      (log, logUse, pageCount) = (WriteAheadLog(byteCount: 0) { _, _ in [] }, .foreign, ownCount)
      return
    }
    (log, logUse, pageCount) = (found, .used, max(min(count, Int(Self.largestPageCount)), ownCount))
  }

  deinit { logFile?.close() }

  /// A page, filled up with zeros where the file ends within it; nil where there is none of it.
  func page(_ number: Int) -> [UInt8]? {
    guard number >= 1, number <= pageCount else { return nil }
    if let offset = log.offsets[number], let bytes = logFile?.bytes(at: offset, count: BTreePage.size),
      bytes.count == BTreePage.size
    {
      return bytes
    }
    var bytes = file.bytes(at: Int64(number - 1) * Int64(BTreePage.size), count: BTreePage.size)
    guard !bytes.isEmpty else { return nil }
    bytes += repeatElement(0, count: BTreePage.size - bytes.count)
    return bytes
  }
}
