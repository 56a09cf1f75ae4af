/// A page of one of SQLite's trees, read without trust.
struct BTreePage {
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13

    var isLeaf: Bool { self == .indexLeaf || self == .tableLeaf }
    var isTable: Bool { self == .tableInterior || self == .tableLeaf }
  }

  /// What a cell says, but for the part of its payload that lies on other pages.
  struct Cell {
    var child: Int?
    var rowID: Int64?
    var payloadByteCount = 0
    /// Where in the page the payload begins.
    var start = 0
    var localByteCount = 0
    var overflowPage: Int?
  }

  let kind: Kind
  let bytes: [UInt8]
  let cells: [Cell]
  /// Of an interior page: what lies beyond its last cell.
  let rightChild: Int?
  /// Cells that could not be read.
  let damagedCellCount: Int

  static let size = 8192
  private static let largestIndexPayload = (size - 12) * 64 / 255 - 23
  private static let smallestPayload = (size - 12) * 32 / 255 - 23

  /// - Parameters:
  ///   - number: From 1; the first page begins with the file's header.
  ///   - kind: Instead of what the page says of itself.
  init?(_ bytes: [UInt8], number: Int, as kind: Kind? = nil) {
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
