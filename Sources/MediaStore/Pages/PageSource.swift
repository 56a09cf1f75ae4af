package import Base

/// The pages of a library in the state of the last complete transaction, read without SQLite, which refuses damaged
/// files. Nothing is written.
package final class PageSource {
  package let path: BytePath
  /// The page count of the library, even if the file has lost some.
  package let pageCount: Int
  /// How the write-ahead log beside the file was used.
  package let logUse: LogUse
  private let file: LibraryFile
  private let logFile: LibraryFile?
  private let log: WriteAheadLog

  package enum LogUse: Hashable, Sendable {
    /// There is none, or it has no complete transaction.
    case none
    case used
    /// It belongs to another file and was ignored.
    case foreign
  }

  /// 16 TiB: a larger claim of a file is not believed.
  private static let largestPageCount: Int64 = 1 << 31

  /// - Parameter file: must stay open as long as this object is used.
  package init(_ file: LibraryFile) throws(StoreError) {
    self.file = file
    path = file.path
    let ownCount = Self.pageCount(of: file)
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

  /// Reads the file as it is without the log beside it.
  package init(withoutLog file: LibraryFile) {
    self.file = file
    path = file.path
    pageCount = Self.pageCount(of: file)
    (log, logUse, logFile) = (WriteAheadLog(byteCount: 0) { _, _ in [] }, .none, nil)
  }

  private static func pageCount(of file: LibraryFile) -> Int {
    Int(min((file.byteCount - 1) / Int64(BTreePage.size) + 1, largestPageCount))
  }

  deinit { logFile?.close() }

  /// A page, filled with zeros if the file ends within it; nil if the file ends before it.
  package func page(_ number: Int) -> [UInt8]? {
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

/// A set of page numbers, with one bit for each.
package struct PageSet {
  private var words: [UInt64]

  init(pageCount: Int) { words = Array(repeating: 0, count: pageCount / 64 + 1) }

  /// false for numbers out of range.
  package func contains(_ page: Int) -> Bool {
    page >= 0 && page / 64 < words.count && words[page / 64] >> UInt64(page % 64) & 1 == 1
  }

  mutating func insert(_ page: Int) {
    guard page >= 0, page / 64 < words.count else { return }
    words[page / 64] |= 1 << UInt64(page % 64)
  }
}
