/// How a signal goes on if it goes on as before: each sample is a sum of those before it, whose weights are found by Burg's
/// method, which gives none that grow without bound.
struct LinearPrediction {
  private static let order = 32

  /// Of the samples before, the latest first.
  private let weights: [Double]
  /// As many samples as there are weights.
  private let latest: [Double]

  /// - Parameter samples: Some thousand at most; of fewer than four times the order, less is learned.
  init(_ samples: [Double]) {
    var coefficients = [1.0]
    var forward = Array(samples.dropFirst())
    var backward = Array(samples.dropLast())
    for _ in 0..<min(Self.order, samples.count / 4) {
      var (product, power) = (0.0, 0.0)
      for index in forward.indices {
        product += forward[index] * backward[index]
        power += forward[index] * forward[index] + backward[index] * backward[index]
      }
      let reflection = -2 * product / power
      // Silence, or what is predicted already.
      guard power > 1e-24, reflection.isFinite else { break }
      coefficients.append(0)
      let reversed = Array(coefficients.reversed())
      for index in coefficients.indices { coefficients[index] += reflection * reversed[index] }
      for index in forward.indices {
        let own = forward[index]
        forward[index] += reflection * backward[index]
        backward[index] += reflection * own
      }
      forward.removeFirst()
      backward.removeLast()
    }
    weights = coefficients.dropFirst().map { -$0 }
    latest = samples.suffix(weights.count)
  }

  /// The next samples.
  func next(_ count: Int) -> [Double] {
    guard !weights.isEmpty else { return [Double](repeating: 0, count: count) }
    var known = latest
    known.reserveCapacity(known.count + count)
    for _ in 0..<count {
      var sample = 0.0
      for (index, weight) in weights.enumerated() { sample += weight * known[known.count - 1 - index] }
      known.append(sample)
    }
    return Array(known.dropFirst(weights.count))
  }
}
