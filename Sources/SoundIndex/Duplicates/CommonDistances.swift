package import MediaModel

/// How far apart recordings lie that have keys in common.
enum CommonDistances {
  /// Distances that differ by at most as many columns are one.
  private static let tolerance: Int32 = 3
  static let leastVotes = 2
  /// Keys that agree by chance cost more comparisons than they find.
  private static let mostAlignments = 3

  /// The distances that most keys agree on, at most three.
  static func modes(of distances: [Int32]) -> [Int32] {
    var rest = distances.sorted()
    var modes: [Int32] = []
    while modes.count < mostAlignments {
      var best = 0..<0
      var end = 0
      for start in rest.indices {
        while end < rest.count, rest[end] - rest[start] <= tolerance { end += 1 }
        if end - start > best.count { best = start..<end }
      }
      guard best.count >= leastVotes else { break }
      modes.append(rest[(best.lowerBound + best.upperBound) / 2])
      rest.removeSubrange(best)
    }
    return modes
  }
}

/// A recording with the keys by which its copies are found, prepared once for many comparisons.
package struct CopySignature: Sendable {
  let hash: ContentHash
  let landmarks: Landmarks
  /// Fewer are in common by chance.
  package static let leastKeysInCommon = CommonDistances.leastVotes

  /// Each once.
  package var keys: some Sequence<UInt64> { columns.keys }

  /// The columns of each key.
  fileprivate let columns: [UInt64: [Int32]]

  /// - Complexity: O(n) for n peaks.
  package init(_ landmarks: Landmarks, of hash: ContentHash) {
    self.hash = hash
    self.landmarks = landmarks
    columns = Dictionary(grouping: CopyKey.all(of: landmarks), by: \.value).mapValues { $0.map(\.column) }
  }
}

extension SoundRelation {
  /// What two recordings have to do with each other, by all keys that they have in common; nil if nothing.
  ///
  /// - Complexity: O(n) for n keys of the first one, unless they have some in common.
  package static func between(_ first: CopySignature, _ second: CopySignature) -> SoundRelation? {
    var distances: [Int32] = []
    for (key, columns) in first.columns {
      for other in second.columns[key] ?? [] { distances += columns.map { $0 - other } }
    }
    guard distances.count >= CommonDistances.leastVotes else { return nil }
    return between((first.hash, first.landmarks), (second.hash, second.landmarks), distances)
  }

  /// - Parameter distances: of the keys that they have in common, in columns.
  static func between(
    _ first: (hash: ContentHash, landmarks: Landmarks), _ second: (hash: ContentHash, landmarks: Landmarks),
    _ distances: [Int32]
  ) -> SoundRelation? {
    CommonDistances.modes(of: distances).map { SoundAlignment(first.landmarks, second.landmarks, near: $0) }
      .max { ($0.share * Double($0.overlap.count)) < ($1.share * Double($1.overlap.count)) }
      .flatMap { SoundRelation(first, second, $0) }
  }
}
