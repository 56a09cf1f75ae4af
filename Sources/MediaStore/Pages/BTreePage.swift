/// A page of one of SQLite's B-trees, whose bytes are not trusted.
package struct BTreePage {
  package enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  /// A cell, without the part of its payload that is on other pages.
  package struct Cell {
    var child: Int?
    var rowID: Int64?
    var payloadByteCount = 0
    /// The offset of the payload in the page.
    var start = 0
    var localByteCount = 0
    var overflowPage: Int?
  }

  package let kind: Kind
  package let bytes: [UInt8]
  package let cells: [Cell]
  /// Of an interior page: the child after the last cell.
  let rightChild: Int?
  /// Cells that could not be read.
  let damagedCellCount: Int

  package static let size = 8192
  private static let largestIndexPayload = (size - 12) * 64 / 255 - 23
  private static let smallestPayload = (size - 12) * 32 / 255 - 23

  /// - Parameters:
  ///   - number: counted from 1; the first page begins with the file's header.
  ///   - kind: overrides the kind that the page names.
  package init?(_ bytes: [UInt8], number: Int, as kind: Kind? = nil) {
    let start = number == 1 ? 100 : 0
    guard bytes.count == Self.size, let kind = kind ?? Kind(rawValue: bytes[start]),
      let cellCount = bytes.number16(at: start + 3)
    else { return nil }
    let pointers = start + (kind.isLeaf ? 8 : 12)
    guard pointers + 2 * cellCount <= Self.size else { return nil }
    self.kind = kind
    self.bytes = bytes
    var cells: [Cell] = []
    var damagedCount = 0
    for index in 0..<cellCount {
      let offset = bytes.number16(at: pointers + 2 * index) ?? 0
      if offset >= pointers + 2 * cellCount, let cell = Self.cell(bytes, at: offset, kind) {
        cells.append(cell)
      } else {
        damagedCount += 1
      }
    }
    self.cells = cells
    damagedCellCount = damagedCount
    rightChild = kind.isLeaf ? nil : bytes.number32(at: start + 8)
  }

  private static func cell(_ bytes: [UInt8], at offset: Int, _ kind: Kind) -> Cell? {
    var cell = Cell()
    var next = offset
    if !kind.isLeaf {
      guard let child = bytes.number32(at: next) else { return nil }
      cell.child = child
      next += 4
    }
    if kind != .tableInterior {
      guard let (count, end) = bytes.varint(at: next), count >= 0, count <= Int64(Int32.max) else { return nil }
      cell.payloadByteCount = Int(count)
      next = end
    }
    if kind.isTable {
      guard let (rowID, end) = bytes.varint(at: next) else { return nil }
      cell.rowID = rowID
      next = end
    }
    guard kind != .tableInterior else { return cell }
    cell.start = next
    let largest = kind.isTable ? size - 35 : largestIndexPayload
    cell.localByteCount = cell.payloadByteCount
    if cell.payloadByteCount > largest {
      let wished = smallestPayload + (cell.payloadByteCount - smallestPayload) % (size - 4)
      cell.localByteCount = wished <= largest ? wished : smallestPayload
      guard let page = bytes.number32(at: next + cell.localByteCount) else { return nil }
      cell.overflowPage = page
    }
    return next + cell.localByteCount <= size ? cell : nil
  }
}

/// Numbers in the bytes of SQLite's file, which are not trusted: nil beyond the end.
extension [UInt8] {
  func number16(at offset: Int) -> Int? {
    guard offset >= 0, offset + 2 <= count else { return nil }
    return Int(self[offset]) << 8 | Int(self[offset + 1])
  }

  package func number32(at offset: Int) -> Int? {
    guard offset >= 0, offset + 4 <= count else { return nil }
    return self[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  /// SQLite's variable-length integer of one to nine bytes, and the offset after it.
  func varint(at offset: Int) -> (value: Int64, next: Int)? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard offset >= 0, offset + index < count else { return nil }
      let byte = self[offset + index]
      if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + index + 1) }
    }
    return nil
  }

  /// A big-endian two's complement number of one to eight bytes.
  func signed(at offset: Int, byteCount: Int) -> Int64? {
    guard offset >= 0, byteCount > 0, offset + byteCount <= count else { return nil }
    let first = Int64(Int8(bitPattern: self[offset]))
    return self[offset + 1..<offset + byteCount].reduce(first) { $0 << 8 | Int64($1) }
  }
}
