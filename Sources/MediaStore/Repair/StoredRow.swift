/// A row of a tree: as many values as the record has, in the order of ``StoredTree/columns``, with its number where that
/// stands for a column.
struct StoredRow {
  let tree: StoredTree
  let rowID: Int64?
  let values: [StoredValue]

  subscript(column: String) -> StoredValue? {
    zip(tree.columns, values).first { $0.0.name == column }?.1
  }
}
