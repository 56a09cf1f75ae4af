/// Places the recordings of a library on a plane: neighbours sound alike.
///
/// The axes are the two directions in which this library differs most (principal components, by power iteration).
package struct SoundMap: Sendable {
  package struct Point: Hashable, Sendable {
    /// `0...1`, from the left.
    package var x: Double
    /// `0...1`, from the top.
    package var y: Double

    package init(x: Double, y: Double) {
      self.x = x
      self.y = y
    }
  }

  /// As many recordings decide the axes.
  private static let sampleCount = 20_000
  private static let iterationCount = 100

  /// In the order of the matrix.
  package let points: [Point]

  package init(_ matrix: SimilarityMatrix) {
    guard matrix.count > 0 else {
      points = []
      return
    }
    let step = max(1, matrix.count / Self.sampleCount)
    let sample = stride(from: 0, to: matrix.count, by: step).map { matrix.vector($0).coordinates.map(Double.init) }
    let size = SoundVector.dimensionCount
    var mean = [Double](repeating: 0, count: size)
    for vector in sample { for index in 0..<size { mean[index] += vector[index] / Double(sample.count) } }
    var covariance = [Double](repeating: 0, count: size * size)
    for vector in sample {
      let centred = zip(vector, mean).map { $0 - $1 }
      for row in 0..<size {
        for column in 0..<size { covariance[row * size + column] += centred[row] * centred[column] }
      }
    }
    let first = Self.direction(of: covariance, size, besides: nil)
    let second = Self.direction(of: covariance, size, besides: first)
    let places = (0..<matrix.count).map { index -> (Double, Double) in
      let vector = matrix.vector(index).coordinates
      var (x, y) = (0.0, 0.0)
      for dimension in 0..<size {
        let value = Double(vector[dimension]) - mean[dimension]
        x += first[dimension] * value
        y += second[dimension] * value
      }
      return (x, y)
    }
    let (xs, ys) = (Self.scaled(places.map(\.0)), Self.scaled(places.map(\.1)))
    points = zip(xs, ys).map { Point(x: $0, y: $1) }
  }

  /// The eigenvector of the greatest eigenvalue, at right angles to another one.
  private static func direction(of matrix: [Double], _ size: Int, besides other: [Double]?) -> [Double] {
    var vector = (0..<size).map { Double(($0 * 7_919) % 101) / 101 - 0.5 }
    for _ in 0..<iterationCount {
      if let other {
        let share = zip(vector, other).reduce(0) { $0 + $1.0 * $1.1 }
        vector = zip(vector, other).map { $0 - share * $1 }
      }
      var next = [Double](repeating: 0, count: size)
      for row in 0..<size { for column in 0..<size { next[row] += matrix[row * size + column] * vector[column] } }
      let length = next.reduce(0) { $0 + $1 * $1 }.squareRoot()
      guard length > 0 else { return vector }
      vector = next.map { $0 / length }
    }
    return vector
  }

  /// To `0...1`; the outermost hundredth on each side is on the edge.
  private static func scaled(_ values: [Double]) -> [Double] {
    let sorted = values.sorted()
    let (low, high) = (sorted[sorted.count / 100], sorted[sorted.count - 1 - sorted.count / 100])
    guard high > low else { return values.map { _ in 0.5 } }
    return values.map { max(0, min(($0 - low) / (high - low), 1)) }
  }
}
