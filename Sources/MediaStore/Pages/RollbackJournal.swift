/// SQLite's rollback journal beside a library with a write-ahead log.
///
/// Such a library has one only while its journal mode changes: it contains the first page and nothing else. SQLite rolls
/// back any other journal too, which ruins the library. The layout: https://www.sqlite.org/fileformat2.html, section 3.
struct RollbackJournal {
  private let file: LibraryFile

  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  private static let headerByteCount = 28
  /// Of the first page, a change of the mode rewrites versions, counter and the version of SQLite.
  private static let rewritten = [18..<20, 24..<28, 92..<100]

  init(_ file: LibraryFile) { self.file = file }

  /// Whether SQLite would use it. It ignores one that begins with a zero.
  var isHot: Bool { file.bytes(at: 0, count: 1).contains { $0 != 0 } }

  /// Whether a change of the library's journal mode wrote it.
  func belongs(to library: LibraryFile) -> Bool {
    let header = file.bytes(at: 0, count: Self.headerByteCount)
    let pageByteCount = Int64(BTreePage.size)
    guard header.starts(with: Self.magic), let pageCount = header.number32(at: 16),
      let start = header.number32(at: 20), header.number32(at: 24) == BTreePage.size,
      Int64(pageCount) * pageByteCount == library.byteCount
    else { return false }
    let record = file.bytes(at: Int64(start), count: 4 + BTreePage.size + 4)
    // Nothing was changed before the record was complete.
    guard record.count == 4 + BTreePage.size + 4 else { return true }
    return file.byteCount < Int64(start) + 2 * (pageByteCount + 8) && record.number32(at: 0) == 1
      && Self.constantBytes(record[4..<4 + BTreePage.size])
        == Self.constantBytes(library.bytes(at: 0, count: BTreePage.size)[...])
  }

  private static func constantBytes(_ page: ArraySlice<UInt8>) -> [UInt8] {
    var page = Array(page)
    for range in rewritten where range.upperBound <= page.count { for index in range { page[index] = 0 } }
    return page
  }
}
