extension DamagedLibrary {
  /// Calls `body` with the rows of pages that belong to one of the damaged tables and that nothing leads to.
  ///
  /// To be called when all tables were read.
  func forEachOrphan(_ body: (StoredRow) throws -> Void) throws {
    // Indexes, too, lose pages, which must not be taken for rows.
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
      // What may be of several is of none: rows that never were would be worse than rows that are lost.
      guard owners.count == 1, let owner = owners.first, owner.isTable else { continue }
      used.insert(number)
      for cell in page.cells {
        if let row = row(cell, page, owner) { try body(row) }
      }
    }
  }

  /// Pages that SQLite keeps for later still hold rows that were deleted.
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
