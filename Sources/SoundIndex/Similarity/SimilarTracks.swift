internal import Glibc

/// Finds what sounds like a recording.
///
/// In a space of many dimensions some points are near to everything: they would be similar to every recording. So
/// distances are judged from both sides, by Mutual Proximity: how unlikely it is that a random recording is nearer to
/// the one, and nearer to the other.
///
/// Source: D. Schnitzer, A. Flexer, M. Schedl and G. Widmer, Local and Global Scaling Reduce Hubs in Space (2012), with
/// independent normal distributions of the distances.
package struct SimilarTracks: Sendable {
  /// A recording, by its place in the matrix, and how alike it is: 0 like a random one, 1 the same.
  package struct Match: Hashable, Sendable {
    package var index: Int
    package var likeness: Double
  }

  /// So many recordings stand for all others when distances are judged.
  private static let sampleCount = 1_000
  /// So many of the nearest recordings are judged from both sides.
  private static let candidateCount = 500

  private let matrix: SimilarityMatrix
  private let sample: [SoundVector]

  package init(_ matrix: SimilarityMatrix) {
    self.matrix = matrix
    let step = max(1, matrix.count / Self.sampleCount)
    sample = stride(from: 0, to: matrix.count, by: step).prefix(Self.sampleCount).map { matrix.vector($0) }
  }

  /// The recordings most like a point, most alike first.
  ///
  /// - Parameters:
  ///   - index: of the recording that the point is of, which is left out; nil for a sound outside the library.
  ///   - count: at most 500 are found.
  package func matches(to vector: SoundVector, except index: Int? = nil, count: Int = candidateCount) -> [Match] {
    let nearest = matrix.nearest(to: vector, count: min(matrix.count, Self.candidateCount + 1))
    let own = Spread(of: vector, among: sample)
    let matches = nearest.filter { $0.index != index }.map { neighbor in
      let other = Spread(of: matrix.vector(neighbor.index), among: sample)
      return Match(
        index: neighbor.index,
        likeness: own.shareBeyond(neighbor.distance) * other.shareBeyond(neighbor.distance))
    }
    let sorted = matches.enumerated().sorted { ($0.element.likeness, -$0.offset) > ($1.element.likeness, -$1.offset) }
    return sorted.prefix(count).map(\.element)
  }

  /// How alike a recording is to a point.
  package func likeness(of index: Int, to vector: SoundVector) -> Double {
    let other = matrix.vector(index)
    let distance = other.distance(to: vector)
    return Spread(of: vector, among: sample).shareBeyond(distance)
      * Spread(of: other, among: sample).shareBeyond(distance)
  }

  /// The normal distribution of the distances of a point from all others.
  private struct Spread {
    private var mean = 0.0
    private var deviation = 1.0

    init(of vector: SoundVector, among sample: [SoundVector]) {
      var (sum, squares, count) = (0.0, 0.0, 0.0)
      for other in sample where other != vector {
        let distance = vector.distance(to: other)
        sum += distance
        squares += distance * distance
        count += 1
      }
      guard count > 0 else { return }
      mean = sum / count
      deviation = max(1, max(0, squares / count - mean * mean).squareRoot())
    }

    /// The share of all recordings that are farther away.
    func shareBeyond(_ distance: Double) -> Double { erfc((distance - mean) / deviation / 2.0.squareRoot()) / 2 }
  }
}
