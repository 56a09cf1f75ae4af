internal import MediaModel

/// Finds all recordings of an index that have sound in common, without comparing each with each.
///
/// Keys of all recordings are sorted; recordings that share keys at the same distance are held against each other.
///
/// - Complexity: O(n log n) for n recordings, as long as copies are few: each key leads to a limited number of pairs.
package struct DuplicateSearch {
  private struct Place {
    var value: UInt64
    var recording: Int32
    var column: Int32
  }

  private struct Pair: Hashable {
    var first: Int32
    var second: Int32
  }

  /// Neighbours of a recording among those with the same key that it is compared with.
  private static let partnersOfKey = 24
  /// Distances that differ by at most as many columns are one.
  private static let tolerance: Int32 = 3
  private static let leastVotes = 2
  /// Keys that agree by chance cost more comparisons than they find.
  private static let mostAlignments = 3

  private let index: SoundIndex

  package init(_ index: SoundIndex) { self.index = index }

  /// - Parameter onProgress: Is given the share that is done.
  package func relations(_ onProgress: (Double) throws -> Void = { _ in }) throws -> [SoundRelation] {
    var places: [Place] = []
    var recordings: [(segment: Int, recording: Int)] = []
    for (number, segment) in index.segments.enumerated() {
      for recording in 0..<segment.recordingCount where index.counts(recording, ofSegment: number) {
        let own = Int32(recordings.count)
        for key in CopyKey.keys(of: try segment.landmarks(recording)) {
          places.append(Place(value: key.value, recording: own, column: key.column))
        }
        recordings.append((number, recording))
        if recordings.count % 256 == 0 {
          try onProgress(0.5 * Double(recordings.count) / Double(max(1, index.recordingCount)))
        }
      }
    }
    places.sort { ($0.value, $0.recording, $0.column) < ($1.value, $1.recording, $1.column) }
    let candidates = Self.candidates(places)
    var relations: [SoundRelation] = []
    var done = 0
    for (pair, distances) in candidates.sorted(by: { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }) {
      if let relation = try relation(recordings[Int(pair.first)], recordings[Int(pair.second)], distances) {
        relations.append(relation)
      }
      done += 1
      if done % 64 == 0 { try onProgress(0.5 + 0.5 * Double(done) / Double(candidates.count)) }
    }
    return relations
  }

  /// The pairs of recordings that share keys, with the distance of each shared key.
  private static func candidates(_ places: [Place]) -> [Pair: [Int32]] {
    var distances: [Pair: [Int32]] = [:]
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].value == places[start].value { end += 1 }
      for index in start..<end {
        for other in index + 1..<max(index + 1, min(end, index + 1 + partnersOfKey))
        where places[other].recording != places[index].recording {
          let pair = Pair(first: places[index].recording, second: places[other].recording)
          distances[pair, default: []].append(places[index].column - places[other].column)
        }
      }
      start = end
    }
    return distances.filter { $0.value.count >= leastVotes }
  }

  private func relation(
    _ first: (segment: Int, recording: Int), _ second: (segment: Int, recording: Int), _ distances: [Int32]
  ) throws -> SoundRelation? {
    let offsets = Self.modes(of: distances)
    guard !offsets.isEmpty else { return nil }
    let one = index.segments[first.segment]
    let other = index.segments[second.segment]
    let (ownLandmarks, otherLandmarks) = (try one.landmarks(first.recording), try other.landmarks(second.recording))
    let best = offsets.map { SoundAlignment(ownLandmarks, otherLandmarks, near: $0) }
      .max { ($0.share * Double($0.overlap.count)) < ($1.share * Double($1.overlap.count)) }
    return best.flatMap {
      SoundRelation(
        (one.recording(first.recording).hash, ownLandmarks), (other.recording(second.recording).hash, otherLandmarks),
        $0)
    }
  }

  /// The distances that most keys agree on.
  private static func modes(of distances: [Int32]) -> [Int32] {
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
