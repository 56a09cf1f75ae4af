/// SQLite's write-ahead log beside a library: the position of the latest committed bytes of each page.
struct WriteAheadLog {
  /// The offset in the log of each page's bytes.
  private(set) var offsets: [Int: Int64] = [:]
  /// The page count of the library after the last transaction; nil for a log without one.
  private(set) var pageCount: Int?

  private static let headerByteCount = 32
  private static let frameHeaderByteCount = 24

  /// Reads frame by frame until one is incomplete or does not belong to the log, as SQLite does.
  ///
  /// - Parameter read: returns bytes at an offset, fewer at the end.
  init(byteCount: Int64, read: (_ offset: Int64, _ count: Int) -> [UInt8]) {
    let header = read(0, Self.headerByteCount)
    guard header.count == Self.headerByteCount, let magic = header.number32(at: 0), magic & ~1 == 0x377F_0682,
      header.number32(at: 8) == BTreePage.size
    else { return }
    var sum = Checksum(isBigEndian: magic & 1 == 1)
    sum.add(header[0..<24])
    guard sum.isEqual(to: header, at: 24) else { return }
    let salts = header[16..<24]
    var pending: [Int: Int64] = [:]
    var offset = Int64(Self.headerByteCount)
    let frameByteCount = Self.frameHeaderByteCount + BTreePage.size
    while offset + Int64(frameByteCount) <= byteCount {
      let frame = read(offset, frameByteCount)
      guard frame.count == frameByteCount, frame[8..<16] == salts, let page = frame.number32(at: 0), page > 0,
        let committedCount = frame.number32(at: 4)
      else { return }
      sum.add(frame[0..<8])
      sum.add(frame[Self.frameHeaderByteCount...])
      guard sum.isEqual(to: frame, at: 16) else { return }
      pending[page] = offset + Int64(Self.frameHeaderByteCount)
      if committedCount > 0 {
        offsets.merge(pending) { _, new in new }
        pending.removeAll()
        pageCount = committedCount
      }
      offset += Int64(frameByteCount)
    }
  }

  /// SQLite's running checksum of the log.
  private struct Checksum {
    let isBigEndian: Bool
    var first: UInt32 = 0
    var second: UInt32 = 0

    init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

    /// - Parameter bytes: a multiple of eight.
    mutating func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBytes { buffer in
        for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
          let (a, b) = (
            buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self),
            buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
          )
          first &+= (isBigEndian ? UInt32(bigEndian: a) : UInt32(littleEndian: a)) &+ second
          second &+= (isBigEndian ? UInt32(bigEndian: b) : UInt32(littleEndian: b)) &+ first
        }
      }
    }

    func isEqual(to bytes: [UInt8], at offset: Int) -> Bool {
      bytes.number32(at: offset) == Int(first) && bytes.number32(at: offset + 4) == Int(second)
    }
  }
}

/// Whether a write-ahead log belongs to the file beside it.
///
/// Neither names the other: SQLite would apply the log of any other database, and ruin this one.
struct WriteAheadLogOwnership {
  /// Pages that neither has, because the file ends before the log's library does, or the reverse.
  let missingPageCount: Int
  /// Unique rows that both have with the same row id.
  private(set) var comparedCount = 0
  /// Compared rows that may be the same row.
  private(set) var relatedCount = 0
  private let isShorter: Bool

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
    for (number, offset) in log.offsets.sorted(by: { $0.key < $1.key }).prefix(Self.largestSample)
    where number > 1 && number <= pageCount {
      compare(
        file.bytes(at: Int64(number - 1) * Int64(BTreePage.size), count: BTreePage.size), page(offset), number)
    }
  }

  /// Whether the log belongs to another file. A truncated file lacks pages too; then the rows decide.
  var isForeign: Bool {
    let looksForeign = comparedCount >= 4 && relatedCount * 4 < comparedCount
    return looksForeign || (missingPageCount > 0 && (isShorter || relatedCount * 4 < comparedCount))
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

extension WriteAheadLogOwnership {
  /// Refuses a library beside which there is the write-ahead log of another database, before SQLite applies it.
  ///
  /// Only the log of a killed process is checked: a log that is in use was made with its library.
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
      throw .corrupt(library.path, reason: "the -wal beside it belongs to another database")
    }
    guard kinship.missingPageCount == 0 else {
      throw .corrupt(library.path, reason: "its end is missing and not in its -wal")
    }
  }
}
