/// How a recording sounds, as a point: recordings that sound alike are close to each other.
package struct SoundVector: Hashable, Sendable {
  package static let dimensionCount = 64

  /// ``dimensionCount`` coordinates.
  package var coordinates: [Int8]

  /// - Precondition: there are ``dimensionCount`` coordinates.
  package init(_ coordinates: [Int8]) {
    precondition(coordinates.count == Self.dimensionCount, "a vector has \(Self.dimensionCount) coordinates")
    self.coordinates = coordinates
  }

  /// The point in the middle of others; nil if there are none.
  package init?(meanOf vectors: [SoundVector]) {
    guard !vectors.isEmpty else { return nil }
    let sums = vectors.reduce(into: [Int](repeating: 0, count: Self.dimensionCount)) { sums, vector in
      for (index, coordinate) in vector.coordinates.enumerated() { sums[index] += Int(coordinate) }
    }
    self.init(sums.map { Int8((Double($0) / Double(vectors.count)).rounded()) })
  }

  /// The distance, by Euclid, as a multiple of one step of a coordinate.
  package func distance(to other: SoundVector) -> Double {
    var sum = 0
    for (a, b) in zip(coordinates, other.coordinates) {
      let difference = Int(a) - Int(b)
      sum += difference * difference
    }
    return Double(sum).squareRoot()
  }
}
