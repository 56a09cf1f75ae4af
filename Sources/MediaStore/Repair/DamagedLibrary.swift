internal import GRDB
internal import MediaModel

/// A library as trees of pages, each read as far as it can be read.
///
/// Pages that nothing leads to any more are found by what their rows look like: tables are STRICT, so that hardly any two
/// look alike.
final class DamagedLibrary {
  let pages: PageSource
  /// What is in it, by name.
  let trees: [String: StoredTree]
  private(set) var damage: [String: TreeDamage] = [:]
  private(set) var roots: [String: Int]
  var used: PageSet
  private var visited: Set<String> = []

  /// No product is longer.
  private static let largestPayload = 260 << 20

  init(_ pages: PageSource, trees: [StoredTree], roots: [String: Int]) {
    self.pages = pages
    self.trees = Dictionary(trees.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.roots = roots
    used = PageSet(pageCount: pages.pageCount)
  }

  /// Calls `body` with each row of a tree that its root leads to.
  func forEachRow(of tree: StoredTree, _ body: (StoredRow) throws -> Void) throws {
    visited.insert(tree.name)
    var damage = TreeDamage()
    var last: Int64 = 0
    var hasGap = false
    var stack = [roots[tree.name] ?? 0]
    while let number = stack.popLast() {
      guard let page = page(number, of: tree) else {
        damage.lostPageCount += 1
        hasGap = true
        continue
      }
      used.insert(number)
      if page.kind != .tableInterior {
        for cell in page.cells {
          guard let row = row(cell, page, tree) else {
            damage.lostRowCount += 1
            hasGap = true
            continue
          }
          if let id = row.rowID {
            if hasGap, last < Int64.max - 1, last + 1 < id { damage.gaps.append(last + 1...id - 1) }
            (last, hasGap) = (id, false)
          }
          try body(row)
        }
      }
      if page.kind.isLeaf {
        damage.lostRowCount += page.damagedCellCount
        hasGap = hasGap || page.damagedCellCount > 0
      } else {
        damage.lostPageCount += page.damagedCellCount
        stack += (page.cells.compactMap(\.child) + [page.rightChild].compactMap { $0 }).reversed()
      }
    }
    if hasGap, !tree.isKeyed, last < Int64.max { damage.gaps.append(last + 1...Int64.max) }
    self.damage[tree.name] = damage
  }

  /// Follows a tree only to know its pages.
  func visit(_ tree: StoredTree) {
    guard !visited.contains(tree.name) else { return }
    try? forEachRow(of: tree) { _ in }
  }

  /// A page if it can be one of the tree, whatever its first byte says.
  private func page(_ number: Int, of tree: StoredTree) -> BTreePage? {
    guard number >= 1, !used.contains(number), let bytes = pages.page(number) else { return nil }
    if let page = BTreePage(bytes, number: number), page.kind.isTable != tree.isKeyed {
      if page.kind.isLeaf ? (page.cells.isEmpty && page.damagedCellCount == 0) || hasRow(page, tree) : hasChild(page) {
        return page
      }
    }
    if let page = BTreePage(bytes, number: number, as: tree.isKeyed ? .indexLeaf : .tableLeaf), hasRow(page, tree) {
      return page
    }
    if let page = BTreePage(bytes, number: number, as: tree.isKeyed ? .indexInterior : .tableInterior),
      !page.cells.isEmpty, page.damagedCellCount == 0, hasChild(page)
    {
      return page
    }
    return nil
  }

  private func hasRow(_ page: BTreePage, _ tree: StoredTree) -> Bool {
    page.cells.contains { row($0, page, tree) != nil }
  }

  private func hasChild(_ page: BTreePage) -> Bool {
    (page.cells.map(\.child) + [page.rightChild]).contains { child in
      guard let child, !used.contains(child), let bytes = pages.page(child) else { return false }
      return BTreePage(bytes, number: child).map { $0.kind.isTable == page.kind.isTable } ?? false
    }
  }

  /// A cell as a row of the tree, with the bytes that lie on other pages.
  func row(_ cell: BTreePage.Cell, _ page: BTreePage, _ tree: StoredTree) -> StoredRow? {
    guard var values = payload(cell, page).flatMap({ StoredRecord.values($0, columnLimit: 2000) }),
      tree.accepts(values)
    else { return nil }
    if let alias = tree.rowIDColumn, let id = cell.rowID,
      let index = tree.columns.firstIndex(where: { $0.name == alias }), index < values.count
    {
      values[index] = .integer(id)
    }
    return StoredRow(tree: tree, rowID: cell.rowID, values: values)
  }

  private func payload(_ cell: BTreePage.Cell, _ page: BTreePage) -> [UInt8]? {
    var payload = Array(page.bytes[cell.start..<cell.start + cell.localByteCount])
    guard var next = cell.overflowPage else { return payload }
    guard cell.payloadByteCount <= Self.largestPayload, cell.payloadByteCount / BTreePage.size <= pages.pageCount else {
      return nil
    }
    var chain: [Int] = []
    while payload.count < cell.payloadByteCount {
      guard next > 1, chain.count <= pages.pageCount, let bytes = pages.page(next),
        let following = bytes.number32(at: 0)
      else { return nil }
      chain.append(next)
      payload += bytes[4...].prefix(cell.payloadByteCount - payload.count)
      next = following
    }
    guard next == 0 else { return nil }
    chain.forEach { used.insert($0) }
    return payload
  }
}
