internal import LibraryDatabase

/// The B-trees of a damaged library, each read as far as possible.
///
/// Lost pages, to which no other page leads any more, are recognized by their rows: tables are STRICT, so hardly any
/// two have rows of the same form.
package final class DamagedLibrary {
  package let pages: PageSource
  /// All tables and indexes, by name.
  package let trees: [String: StoredTree]
  package private(set) var damage: [String: TreeDamage] = [:]
  private(set) var roots: [String: Int]
  package var used: PageSet
  private var visited: Set<String> = []

  package init(_ pages: PageSource, trees: [StoredTree], roots: [String: Int]) {
    self.pages = pages
    self.trees = Dictionary(trees.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.roots = roots
    used = PageSet(pageCount: pages.pageCount)
  }

  /// Calls `body` with each row of a tree that can be reached from its root.
  package func forEachRow(of tree: StoredTree, _ body: (StoredRow) throws -> Void) throws {
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

  /// Reads a tree only to find its pages.
  func visit(_ tree: StoredTree) {
    guard !visited.contains(tree.name) else { return }
    try? forEachRow(of: tree) { _ in }
  }

  /// A page if it can belong to the tree, whatever its first byte says.
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

  /// A cell as a row of the tree, including the bytes on other pages.
  package func row(_ cell: BTreePage.Cell, _ page: BTreePage, _ tree: StoredTree) -> StoredRow? {
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
    guard cell.payloadByteCount <= DatabaseQueue.largestRowByteCount,
      cell.payloadByteCount / BTreePage.size <= pages.pageCount
    else { return nil }
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

extension DamagedLibrary {
  /// Calls `body` with the rows of lost pages that belong to one of the damaged tables.
  ///
  /// Call this after all tables were read.
  package func forEachOrphan(_ body: (StoredRow) throws -> Void) throws {
    // Lost pages of indexes must not be taken for rows.
    for tree in trees.values.sorted(by: { $0.name < $1.name }) { visit(tree) }
    let damaged = trees.values.filter { (damage[$0.name]?.lostPageCount ?? 0) > 0 }.sorted { $0.name < $1.name }
    guard damaged.contains(where: \.isTable), pages.pageCount > 1 else { return }
    markFreePages()
    for number in 2...pages.pageCount where !used.contains(number) {
      guard let page = pages.page(number).flatMap({ BTreePage($0, number: number) }), !page.cells.isEmpty,
        page.kind != .tableInterior
      else { continue }
      let owners = damaged.filter { tree in
        tree.isKeyed != page.kind.isTable && page.cells.contains { row($0, page, tree) != nil }
      }
      // A page that fits several trees is ignored: invented rows would be worse than lost ones.
      guard owners.count == 1, let owner = owners.first, owner.isTable else { continue }
      used.insert(number)
      for cell in page.cells {
        if let row = row(cell, page, owner) { try body(row) }
      }
    }
  }

  /// SQLite's free pages still contain deleted rows.
  private func markFreePages() {
    guard let header = pages.page(1), var trunk = header.number32(at: 32) else { return }
    while trunk > 1, !used.contains(trunk), let bytes = pages.page(trunk), let next = bytes.number32(at: 0),
      let count = bytes.number32(at: 4), count <= BTreePage.size / 4 - 2
    {
      used.insert(trunk)
      for index in 0..<count { bytes.number32(at: 8 + 4 * index).map { used.insert($0) } }
      trunk = next
    }
  }
}

/// The parts of a table or index that could not be read.
package struct TreeDamage: Hashable {
  package var lostPageCount = 0
  /// Rows that exist but cannot be read as rows of the table.
  package var lostRowCount = 0
  /// Ranges of ids in which rows may have been.
  package var gaps: [ClosedRange<Int64>] = []

  package var isNone: Bool { lostPageCount == 0 && lostRowCount == 0 }
}
