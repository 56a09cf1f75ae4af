/// SQLite's write-ahead log beside a library: the position of the latest committed bytes of each page.
struct WriteAheadLog {
  /// The offset in the log of each page's bytes.
  private(set) var offsets: [Int: Int64] = [:]
  /// The page count of the library after the last transaction; nil for a log without one.
  private(set) var pageCount: Int?
  /// The marks of its transactions in their order, without those of other programs, which set none.
  private(set) var marks: [LogMark] = []

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
    var pendingMark: LogMark?
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
      pendingMark = LogMark(page: Array(frame[Self.frameHeaderByteCount...]), number: page) ?? pendingMark
      if committedCount > 0 {
        offsets.merge(pending) { _, new in new }
        pending.removeAll()
        if let mark = pendingMark { marks.append(mark) }
        pendingMark = nil
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
