/// The linear system of a weighted least-squares step.
struct NormalEquations {
  private let count: Int
  /// Row after row; only the lower half and the diagonal are filled.
  private var matrix: [Double]
  private var values: [Double]

  /// - Parameters:
  ///   - slopes: Of each parameter the derivative at each point.
  ///   - errors: What is missing at each point.
  init(slopes: [[Double]], errors: [Double], weights: [Double]) {
    count = slopes.count
    matrix = [Double](repeating: 0, count: count * count)
    let (rows, errors, weights) = (slopes.map(Self.vectors), Self.vectors(errors), Self.vectors(weights))
    values = []
    for (row, slopes) in rows.enumerated() {
      let weighted = zip(slopes, weights).map { $0 * $1 }
      values.append(Self.sum(weighted, errors))
      for column in 0...row { matrix[row * count + column] = Self.sum(weighted, rows[column]) }
    }
  }

  /// The values eight by eight, filled up with zeros: sums of products are formed side by side.
  private static func vectors(_ values: [Double]) -> [SIMD8<Double>] {
    stride(from: 0, to: values.count, by: 8).map { start in
      var vector = SIMD8<Double>.zero
      for (lane, value) in values[start...].prefix(8).enumerated() { vector[lane] = value }
      return vector
    }
  }

  private static func sum(_ left: [SIMD8<Double>], _ right: [SIMD8<Double>]) -> Double {
    zip(left, right).reduce(into: SIMD8<Double>.zero) { $0 += $1.0 * $1.1 }.sum()
  }

  /// Adds the cost `strength` · `distance`² of a parameter's distance from where it should rather be.
  mutating func pull(_ parameter: Int, by distance: Double, strength: Double) {
    matrix[parameter * count + parameter] += strength
    values[parameter] -= strength * distance
  }

  /// The step with the diagonal made larger by the factor 1 + `damping`, by Cholesky's decomposition; nil where that fails.
  ///
  /// A parameter without any influence stays as it is.
  func solved(damping: Double) -> [Double]? {
    var lower = matrix
    for row in 0..<count {
      let diagonal = lower[row * count + row]
      lower[row * count + row] = diagonal > 1e-12 ? diagonal * (1 + damping) : 1
    }
    for row in 0..<count {
      for column in 0...row {
        var sum = lower[row * count + column]
        for index in 0..<column { sum -= lower[row * count + index] * lower[column * count + index] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row * count + row] = sum.squareRoot()
        } else {
          lower[row * count + column] = sum / lower[column * count + column]
        }
      }
    }
    var solution = values
    for row in 0..<count {
      for index in 0..<row { solution[row] -= lower[row * count + index] * solution[index] }
      solution[row] /= lower[row * count + row]
    }
    for row in (0..<count).reversed() {
      for index in row + 1..<max(count, row + 1) { solution[row] -= lower[index * count + row] * solution[index] }
      solution[row] /= lower[row * count + row]
    }
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }
}
