/// Small systems of linear equations.
enum LinearEquations {
  /// x of `matrix` · x = `values` by Gauss's elimination with partial pivoting; nil for a singular matrix.
  ///
  /// - Parameter matrix: Rows of as many columns as there are rows.
  static func solve(_ matrix: [[Double]], _ values: [Double]) -> [Double]? {
    var rows = zip(matrix, values).map { $0 + [$1] }
    let count = rows.count
    for column in 0..<count {
      guard let pivot = (column..<count).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
        abs(rows[pivot][column]) > 1e-12
      else { return nil }
      rows.swapAt(column, pivot)
      for row in column + 1..<max(count, column + 1) {
        let factor = rows[row][column] / rows[column][column]
        for index in column...count { rows[row][index] -= factor * rows[column][index] }
      }
    }
    var solution = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      let known = (row + 1..<max(count, row + 1)).reduce(0) { $0 + rows[row][$1] * solution[$1] }
      solution[row] = (rows[row][count] - known) / rows[row][row]
    }
    return solution
  }
}
