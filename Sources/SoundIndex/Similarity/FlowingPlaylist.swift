package import MediaModel

/// Chooses tracks that lead from one recording to another: each sounds like the one before, and the tempo and the key
/// go along.
package struct FlowingPlaylist: Sendable {
  /// What is known of a recording besides its sound.
  package struct Track: Sendable {
    package var beatsPerMinute: Double?
    package var key: MusicalKey?
    /// Tracks of the same artist do not follow each other.
    package var artist: String?
    /// What all recordings of one song have in common; nil if that is not known. Each song comes once.
    package var song: String?

    package init(beatsPerMinute: Double? = nil, key: MusicalKey? = nil, artist: String? = nil, song: String? = nil) {
      self.beatsPerMinute = beatsPerMinute
      self.key = key
      self.artist = artist
      self.song = song
    }
  }

  /// So many of the nearest recordings are compared for each place.
  private static let candidateCount = 60
  /// What a tempo that is 10 % off costs, and a step on the wheel of fifths, as shares of the distance of a neighbour.
  private static let tempoWeight = 0.5
  private static let keyWeight = 0.12
  private static let artistWeight = 0.5

  private let matrix: SimilarityMatrix

  package init(_ matrix: SimilarityMatrix) { self.matrix = matrix }

  /// - Parameters:
  ///   - first: the place of the first recording in the matrix.
  ///   - last: of the last one; nil to stay near the first.
  ///   - count: of all tracks, the first and last included; fewer come if there are no more.
  ///   - isAllowed: whether a recording may be chosen.
  ///   - takes: asked last of each that would come next: whether it comes. It may not, because it is a copy of one that came.
  ///   - track: what is known of a recording.
  /// - Returns: places in the matrix, each at most once.
  package func places<Failure: Error>(
    from first: Int, to last: Int?, count: Int, isAllowed: (Int) throws(Failure) -> Bool,
    takes: (Int) throws(Failure) -> Bool, track: (Int) throws(Failure) -> Track
  ) throws(Failure) -> [Int] {
    guard count > 0 else { return [] }
    var places = [first]
    var used: Set<Int> = [first]
    if let last { used.insert(last) }
    let middleCount = max(0, count - (last == nil || last == first ? 1 : 2))
    var former = try track(first)
    let end = try last.map { index throws(Failure) in try track(index) }
    var songs = Set([former.song, end?.song].compactMap(\.self))
    var step = 0
    while step < middleCount {
      let share = Double(step + 1) / Double(middleCount + 1)
      let target = last.map { interpolated(first, $0, share) } ?? matrix.vector(places[places.count - 1])
      let nearest = matrix.nearest(to: target, count: min(matrix.count, Self.candidateCount + used.count))
      guard let unit = nearest.first(where: { !used.contains($0.index) })?.distance else { break }
      var best: (index: Int, cost: Double, track: Track)?
      for neighbor in nearest where !used.contains(neighbor.index) {
        guard try isAllowed(neighbor.index) else { continue }
        let candidate = try track(neighbor.index)
        if let song = candidate.song, songs.contains(song) { continue }
        let stepLength = matrix.vector(neighbor.index).distance(to: matrix.vector(places[places.count - 1]))
        var cost = (neighbor.distance + 0.5 * stepLength) / max(unit, 1)
        cost += Self.cost(from: former, to: candidate)
        // The last ones also lead to the end.
        if let end { cost += share * share * Self.cost(from: candidate, to: end) }
        if best.map({ cost < $0.cost }) ?? true { best = (neighbor.index, cost, candidate) }
      }
      guard let best else { break }
      used.insert(best.index)
      guard try takes(best.index) else { continue }
      places.append(best.index)
      step += 1
      former = best.track
      if let song = best.track.song { songs.insert(song) }
    }
    if let last, last != first, count > 1 { places.append(last) }
    return places
  }

  private static func cost(from one: Track, to other: Track) -> Double {
    var cost = 0.0
    if let a = one.beatsPerMinute, let b = other.beatsPerMinute, a > 0, b > 0 {
      // Half and double tempo go together, too.
      let ratios = [a / b, 2 * a / b, a / (2 * b)].map { abs($0 > 1 ? $0 - 1 : 1 / $0 - 1) }
      cost += tempoWeight * min(1, (ratios.min() ?? 0) * 10)
    }
    if let a = one.key, let b = other.key { cost += keyWeight * Double(max(0, a.distance(to: b) - 1)) }
    if let a = one.artist, let b = other.artist, a == b { cost += artistWeight }
    return cost
  }

  private func interpolated(_ first: Int, _ last: Int, _ share: Double) -> SoundVector {
    let (a, b) = (matrix.vector(first).coordinates, matrix.vector(last).coordinates)
    return SoundVector(
      zip(a, b).map { Int8((Double($0) + share * (Double($1) - Double($0))).rounded()) })
  }
}
