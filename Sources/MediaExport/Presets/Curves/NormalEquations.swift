/// The linear system of a weighted least-squares step.
struct NormalEquations {
  private let count: Int
  /// Row after row; only the lower half and the diagonal are filled.
  private var matrix: [Double]
  private var values: [Double]

  /// - Parameters:
  ///   - slopes: For each parameter the derivative at each point, one parameter after the other.
  ///   - errors: What is missing at each point.
  init(slopes: [Double], errors: [Double], weights: [Double]) {
    let points = errors.count
    count = points == 0 ? 0 : slopes.count / points
    var matrix = [Double](repeating: 0, count: count * count)
    var values = [Double](repeating: 0, count: count)
    var weighted = [Double](repeating: 0, count: points)
    for row in 0..<count {
      for point in 0..<points { weighted[point] = slopes[row * points + point] * weights[point] }
      var sum = 0.0
      for point in 0..<points { sum += weighted[point] * errors[point] }
      values[row] = sum
      for column in 0...row {
        var sum = 0.0
        for point in 0..<points { sum += weighted[point] * slopes[column * points + point] }
        matrix[row * count + column] = sum
      }
    }
    self.matrix = matrix
    self.values = values
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
