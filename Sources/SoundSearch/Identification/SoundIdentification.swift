internal import MediaModel
package import SoundIndex

/// A part of an excerpt in which one recording is heard.
package struct HeardRange: Hashable, Sendable {
  /// In the excerpt.
  package var startInSeconds: Double
  package var endInSeconds: Double
  package var match: SoundMatch
  /// The looks at the excerpt that found it.
  package var windowCount: Int

  /// Where in the recording the range begins.
  package var offsetInSeconds: Double { place(at: startInSeconds) }

  /// The same range in something longer, in which the excerpt begins later.
  package func moved(bySeconds seconds: Double) -> HeardRange {
    var range = self
    range.startInSeconds += seconds
    range.endInSeconds += seconds
    range.match.offsetInSeconds -= seconds * match.speed
    range.match.matchedSeconds = match.matchedSeconds.lowerBound + seconds...match.matchedSeconds.upperBound + seconds
    return range
  }

  /// The place in the recording of a place in the excerpt.
  func place(at seconds: Double) -> Double { match.offsetInSeconds + seconds * match.speed }
}

/// Says what is heard in an excerpt, which may be hours long.
package struct SoundIdentification {
  /// A longer excerpt is looked at in several places.
  private static let wholeSeconds = 20.0
  private static let windowSeconds = 15.0
  private static let windowCount = 5
  /// Of a timeline: long enough to be sure, short enough to see changes.
  private static let timelineWindowSeconds = 12.0
  private static let timelineStepSeconds = 6.0
  /// Windows of one range may disagree by as much about the place in the recording.
  private static let toleranceInSeconds = 0.5
  /// Copies begin and end at the same time within so much.
  private static let edgeInSeconds = 2.0
  /// A range that only one window found needs this score.
  private static let leastScoreOfSingleWindow = 18.0

  private var matcher: SoundMatcher

  package init(_ index: SoundIndex) { matcher = SoundMatcher(index) }

  /// The recordings that an excerpt is of, the most certain first; offsets are those of its start.
  package mutating func matches(of excerpt: SoundExcerpt, limit: Int = 5) throws -> [SoundMatch] {
    guard excerpt.durationInSeconds > Self.wholeSeconds else {
      return try matcher.matches(of: excerpt.landmarks, limit: limit)
    }
    let (usual, dense) = (excerpt.landmarks.usual, excerpt.landmarks.dense)
    let found = try Self.windowMatches(of: usual, limit) { try matcher.matches(of: $0, limit: limit) }
    guard found.isEmpty else { return found }
    return try Self.windowMatches(of: dense, limit) { try matcher.denseMatches(of: $0, limit: limit) }
  }

  /// What is found in windows of a long excerpt.
  private static func windowMatches(
    of landmarks: Landmarks, _ limit: Int, _ matches: (Landmarks) throws -> [SoundMatch]
  ) throws -> [SoundMatch] {
    var best: [ContentHash: SoundMatch] = [:]
    let last = landmarks.durationInSeconds - Self.windowSeconds
    for number in 0..<Self.windowCount {
      let start = last * Double(number) / Double(Self.windowCount - 1)
      for match in try Self.matches(in: landmarks, from: start, seconds: windowSeconds, matches) {
        guard var known = best[match.recording] else {
          best[match.recording] = match
          continue
        }
        // What several windows say counts more.
        let total = known.score + match.score
        if match.score > known.score { known = match }
        known.score = total
        best[match.recording] = known
      }
    }
    return best.values.sorted { ($0.score, $1.recording.description) > ($1.score, $0.recording.description) }
      .prefix(limit).map { $0 }
  }

  /// What is heard from when to when, in order of time; ranges overlap where one recording fades into another.
  ///
  /// Of copies the one that matches best is named.
  ///
  /// - Parameter onProgress: Is given the seconds that are done.
  package mutating func timeline(
    of excerpt: SoundExcerpt, onProgress: (Double) throws -> Void = { _ in }
  ) throws -> [HeardRange] {
    var open: [HeardRange] = []
    var closed: [HeardRange] = []
    var start = 0.0
    repeat {
      try onProgress(start)
      let found = try Self.matches(
        in: excerpt.landmarks.usual, from: start, seconds: Self.timelineWindowSeconds
      ) { try matcher.matches(of: $0, limit: 2) }
      for match in found {
        let range = HeardRange(
          startInSeconds: match.matchedSeconds.lowerBound, endInSeconds: match.matchedSeconds.upperBound, match: match,
          windowCount: 1)
        if let index = open.firstIndex(where: { Self.continues($0, with: range) }) {
          open[index].endInSeconds = max(open[index].endInSeconds, range.endInSeconds)
          open[index].startInSeconds = min(open[index].startInSeconds, range.startInSeconds)
          open[index].windowCount += 1
          if match.score > open[index].match.score { open[index].match = match }
        } else {
          open.append(range)
        }
      }
      let horizon = start - 2 * Self.timelineWindowSeconds
      closed += open.filter { $0.endInSeconds < horizon }
      open.removeAll { $0.endInSeconds < horizon }
      start += Self.timelineStepSeconds
    } while start + Self.timelineWindowSeconds / 2 < excerpt.durationInSeconds
    let sure = (closed + open).filter { $0.windowCount > 1 || $0.match.score >= Self.leastScoreOfSingleWindow }
    return Self.withoutCopies(sure)
      .sorted { ($0.startInSeconds, $0.endInSeconds) < ($1.startInSeconds, $1.endInSeconds) }
  }

  /// Leaves out ranges that lie within another one of a better match at the same place: a copy, which matches less.
  static func withoutCopies(_ ranges: [HeardRange]) -> [HeardRange] {
    ranges.filter { range in
      let middle = (range.startInSeconds + range.endInSeconds) / 2
      return !ranges.contains { other in
        (other.match.score, range.match.recording.description) > (range.match.score, other.match.recording.description)
          && other.startInSeconds <= range.startInSeconds + edgeInSeconds
          && other.endInSeconds >= range.endInSeconds - edgeInSeconds
          && abs(other.place(at: middle) - range.place(at: middle)) <= 2 * toleranceInSeconds
      }
    }
  }

  private static func continues(_ range: HeardRange, with other: HeardRange) -> Bool {
    guard range.match.recording == other.match.recording,
      other.startInSeconds - range.endInSeconds < 2 * timelineWindowSeconds
    else { return false }
    let middle = (other.startInSeconds + other.endInSeconds) / 2
    let distance = middle - (range.startInSeconds + range.endInSeconds) / 2
    // The speed is known to some tenths of a percent.
    return abs(range.place(at: middle) - other.place(at: middle)) <= toleranceInSeconds + 0.004 * abs(distance)
  }

  /// Matches of a part; offsets and matched seconds are those of the whole excerpt.
  private static func matches(
    in landmarks: Landmarks, from start: Double, seconds: Double, _ matches: (Landmarks) throws -> [SoundMatch]
  ) throws -> [SoundMatch] {
    let first = Int32(start * Landmarks.columnsPerSecond)
    let part = landmarks.part(first..<first + Int32(seconds * Landmarks.columnsPerSecond))
    let origin = Double(first) / Landmarks.columnsPerSecond
    return try matches(part).map { match in
      var match = match
      match.offsetInSeconds -= origin * match.speed
      match.matchedSeconds = origin + match.matchedSeconds.lowerBound...origin + match.matchedSeconds.upperBound
      return match
    }
  }
}
