/// Whether a write-ahead log belongs to the file beside it.
///
/// Neither names the other: SQLite would apply the log of any other database, and ruin this one. The marks of both
/// decide (``LogMark``). Without them, as in libraries of older versions, contents are compared.
struct WriteAheadLogOwnership {
  /// Pages that neither has, because the file ends before the log's library does, or the reverse.
  let missingPageCount: Int
  /// Unique rows that both have with the same row id.
  private(set) var comparedCount = 0
  /// Compared rows that may be the same row.
  private(set) var relatedCount = 0
  private let isShorter: Bool
  /// What the marks say; nil if they say nothing.
  private let isBound: Bool?

  private static let largestSample = 2000
  /// SQLite stores nothing on the page with the bytes that it locks.
  private static let lockedPage = 0x4000_0000 / BTreePage.size + 1

  /// - Parameters:
  ///   - pageCount: the page count of the file.
  ///   - page: returns a page of the log at an offset.
  init(of log: WriteAheadLog, to file: LibraryFile, pageCount: Int, page: (Int64) -> [UInt8]) {
    let end = max(1, log.pageCount ?? pageCount)
    isShorter = end < pageCount
    // The file is never longer than its log says, unless the log contains all pages of a library that was vacuumed.
    let wanted = end > pageCount ? pageCount + 1..<end + 1 : isShorter ? 1..<end + 1 : 1..<1
    let there = log.offsets.keys.count { wanted.contains($0) && $0 != Self.lockedPage }
    missingPageCount = wanted.count - there - (wanted.contains(Self.lockedPage) ? 1 : 0)
    isBound = Self.isBound(log, to: StoredLogMark(in: file))
    guard isBound == nil else { return }
    for (number, offset) in log.offsets.sorted(by: { $0.key < $1.key }).prefix(Self.largestSample)
    where number > 1 && number <= pageCount {
      compare(
        file.bytes(at: Int64(number - 1) * Int64(BTreePage.size), count: BTreePage.size), page(offset), number)
    }
  }

  /// Whether the log belongs to another file, or to another state of this one. A truncated file lacks pages too; then
  /// the rows decide.
  var isForeign: Bool {
    if let isBound { return !isBound }
    let looksForeign = comparedCount >= 4 && relatedCount * 4 < comparedCount
    return looksForeign || (missingPageCount > 0 && (isShorter || relatedCount * 4 < comparedCount))
  }

  /// Whether the file is a state that the log continues: the one before its first transaction, or one that a checkpoint
  /// has written since.
  private static func isBound(_ log: WriteAheadLog, to file: StoredLogMark) -> Bool? {
    guard let first = log.marks.first else { return nil }
    switch file {
    case .mark(let mark):
      return first.previous == mark.current || log.marks.contains { $0.current == mark.current }
    // The migration that adds the table is in the log, or the log continues a library that has it.
    case .none: return first.previous == nil ? nil : false
    case .unreadable: return nil
    }
  }

  private mutating func compare(_ old: [UInt8], _ new: [UInt8], _ number: Int) {
    guard let old = BTreePage(old, number: number), old.kind == .tableLeaf,
      let new = BTreePage(new, number: number), new.kind == .tableLeaf
    else { return }
    let rows = Dictionary(old.cells.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    for cell in new.cells {
      guard let before = rows[cell.rowID], let marks = Self.marks(before, old), let now = Self.marks(cell, new) else {
        continue
      }
      comparedCount += 1
      if !marks.isDisjoint(with: now) { relatedCount += 1 }
    }
  }

  /// Values that no two rows of `file` and `audio` share: hashes, paths, times; nil for rows of other tables. Rows of
  /// `root` have fewer columns and do not count, because relocating a root changes all of them.
  private static func marks(_ cell: BTreePage.Cell, _ page: BTreePage) -> Set<StoredValue>? {
    guard cell.overflowPage == nil,
      let values = StoredRecord.values(
        Array(page.bytes[cell.start..<cell.start + cell.localByteCount]), columnLimit: 100),
      values.count > 5, values.contains(where: { $0.blob != nil })
    else { return nil }
    return Set(
      values.filter { value in
        switch value {
        case .blob(let bytes): bytes.count > 1
        case .text(let text), .brokenText(let text): text.utf8.count >= 12
        case .integer(let number): number > 1 << 33
        case .null, .real: false
        }
      })
  }
}
