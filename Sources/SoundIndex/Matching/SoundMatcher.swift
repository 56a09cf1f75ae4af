package import MediaModel

/// Where an excerpt was found.
package struct SoundMatch: Hashable, Sendable {
  package var recording: ContentHash
  /// Where in the recording the excerpt begins; negative if it begins before the recording.
  package var offsetInSeconds: Double
  /// How fast the excerpt plays; 1.03 is three percent too fast.
  package var speed: Double
  /// The peaks of the recording within the excerpt, and those of them that the excerpt has.
  package var peakCount: Int
  package var matchedCount: Int
  /// The decimal logarithm of how unlikely so many matches are by chance.
  package var score: Double
  /// The part of the excerpt in which the recording is heard.
  package var matchedSeconds: ClosedRange<Double>

  /// How sure it is, `0...1`: 0.5 at the score at which a match counts.
  package var confidence: Double {
    let excess = (score - SoundMatcher.leastScore) / SoundMatcher.leastScore
    return excess <= 0 ? 0.5 / (1 - excess) : 1 - 0.5 / (1 + excess * excess + excess)
  }
}

/// Finds the recordings of an index that contain an excerpt.
///
/// Pairs of peaks are looked up and vote for places; the peaks of the best places are then held against those of the
/// excerpt. What is played faster or slower is found by trying other speeds: the peaks of the excerpt are moved in time
/// and frequency.
package struct SoundMatcher {
  /// Fixed on recordings that are not in the index, see docs/sound-search.md.
  package static let leastScore = 10.0
  private static let leastShare = 0.12
  private static let leastMatchedCount = 8
  /// Votes below which a place is not looked at.
  private static let leastVotes = 4
  private static let candidateCount = 40
  /// Bytes of postings that a search reads of a posting file at most, the rarest pairs first: common pairs say little.
  private static let mostPostingBytes = 12 << 20
  /// Speeds that are tried if the first is not found; each finds what is within 0.8 percent of it.
  package static let otherSpeeds = [1.015, 0.985, 1.03, 0.97, 1.045, 0.955]

  private static let speedStep = 1.015
  /// What counts as the normal speed without a closer look.
  private static let normalSpeedTolerance = 0.005

  private let index: SoundIndex
  private let leastScore: Double
  private var votes = VoteCounter()

  /// - Parameter leastScore: Below which a match does not count; only measurements take another one.
  package init(_ index: SoundIndex, leastScore: Double = SoundMatcher.leastScore) {
    self.index = index
    self.leastScore = leastScore
  }

  /// The matches of an excerpt, the best first; at most one for each recording. If the usual landmarks find nothing, the
  /// dense ones are looked for, at normal speed.
  package mutating func matches(
    of excerpt: ExcerptLandmarks, limit: Int = 5
  ) throws(SoundIndexError) -> [SoundMatch] {
    let found = try matches(of: excerpt.usual, limit: limit)
    return found.isEmpty ? try denseMatches(of: excerpt.dense, limit: limit) : found
  }

  /// The matches of an excerpt that much besides the music is heard in, and that plays at normal speed.
  package mutating func denseMatches(
    of excerpt: Landmarks, limit: Int = 5
  ) throws(SoundIndexError) -> [SoundMatch] {
    Array(try matches(of: excerpt, atSpeed: 1, .dense).prefix(limit))
  }

  /// The matches of an excerpt, the best first; at most one for each recording.
  ///
  /// - Parameters:
  ///   - excerpt: With the density ``LandmarkAnalyzer`` has for searches.
  ///   - speeds: Those that are tried after the normal one if it finds nothing.
  package mutating func matches(
    of excerpt: Landmarks, limit: Int = 5, speeds: [Double] = SoundMatcher.otherSpeeds
  ) throws(SoundIndexError) -> [SoundMatch] {
    for speed in [1] + speeds {
      let found = try matches(of: excerpt, atSpeed: speed)
      guard let top = found.first else { continue }
      var best = found
      if abs(top.speed - 1) > Self.normalSpeedTolerance {
        // A speed next to the right one is enough to be found, but tells the wrong one.
        for other in [speed * Self.speedStep, speed / Self.speedStep] {
          let others = try matches(of: excerpt, atSpeed: other)
          if others.first?.score ?? 0 > best.first?.score ?? 0 { best = others }
        }
      }
      return Array(best.prefix(limit))
    }
    return []
  }

  private mutating func matches(
    of excerpt: Landmarks, atSpeed speed: Double, _ search: LandmarkPair.Search = .usual
  ) throws(SoundIndexError) -> [SoundMatch] {
    let moved = speed == 1 ? excerpt : excerpt.played(atSpeed: 1 / speed)
    let probes = ProbeList(LandmarkPair.searched(of: moved, search))
    let grid = LandmarkGrid(moved)
    guard !probes.isEmpty, grid.columnCount > 0 else { return [] }
    var best: [ContentHash: SoundMatch] = [:]
    for number in index.postingFiles.indices {
      let postingFile = index.postingFiles[number]
      for cell in try cells(of: probes, in: postingFile) {
        // The middle of two cells.
        let begin = Int64(cell.start) - Int64(probes.bias)
        let recordingIndex = postingFile.indexOfRecording(
          at: UInt32(max(0, min(begin + Int64(grid.columnCount / 2), Int64(postingFile.header.columnCount) - 1))))
        // An excerpt may begin before a recording or end after it.
        for candidate in [recordingIndex, recordingIndex + 1, recordingIndex - 1]
        where candidate >= 0 && candidate < postingFile.recordingCount && index.counts(candidate, ofPostingFile: number)
        {
          let recording = postingFile.recording(candidate)
          let offset = begin - Int64(recording.base)
          guard offset + Int64(grid.columnCount) > 0, offset < Int64(recording.columnCount) else { continue }
          let peaks = try postingFile.landmarks(candidate).peaks
          let fit = grid.bestFit(peaks, near: Double(offset))
          guard fit.score > (best[recording.hash]?.score ?? 0), accepts(fit) else { continue }
          best[recording.hash] = SoundMatch(recording.hash, fit, peaks, grid, speed: speed)
        }
      }
    }
    return best.values.sorted { ($0.score, $1.recording.description) > ($1.score, $0.recording.description) }
  }

  private func accepts(_ fit: LandmarkGrid.Fit) -> Bool {
    fit.score >= leastScore && fit.matchedCount >= Self.leastMatchedCount && fit.share >= Self.leastShare
  }

  /// The places with the most votes.
  private mutating func cells(
    of probes: ProbeList, in postingFile: PostingFile
  ) throws(SoundIndexError) -> [VoteCounter.Cell] {
    votes.removeAll()
    var buckets: [(number: Int, place: Range<Int>, probes: Range<Int>)] = []
    var start = 0
    while start < probes.pairs.count {
      let number = Int(probes.pairs[start] >> postingFile.shift)
      var end = start
      while end < probes.pairs.count, Int(probes.pairs[end] >> postingFile.shift) == number { end += 1 }
      let place = try postingFile.place(ofBucket: number)
      if !place.isEmpty { buckets.append((number, place, start..<end)) }
      start = end
    }
    buckets.sort { ($0.place.count, $0.number) < ($1.place.count, $1.number) }
    var byteCount = 0
    for bucket in buckets {
      byteCount += bucket.place.count
      if byteCount > Self.mostPostingBytes { break }
      var next = bucket.probes.lowerBound
      try postingFile.forEachPosting(ofBucket: bucket.number, at: bucket.place) { pair, position in
        while next < bucket.probes.upperBound, probes.pairs[next] < pair { next += 1 }
        var probe = next
        while probe < bucket.probes.upperBound, probes.pairs[probe] == pair {
          votes.add(position &+ probes.bias &- probes.columns[probe])
          probe += 1
        }
      }
    }
    return votes.best(Self.candidateCount, atLeast: Self.leastVotes)
  }
}

/// The pairs of an excerpt in ascending order, each once for each of its columns.
private struct ProbeList {
  let pairs: [UInt32]
  let columns: [UInt32]
  /// Added to all votes, so that none is negative.
  let bias: UInt32

  init(_ searched: [(number: UInt32, column: Int32)]) {
    var keys = searched.map { UInt64($0.number) << 32 | UInt64($0.column) }
    keys.sort()
    var unique: [UInt64] = []
    unique.reserveCapacity(keys.count)
    for key in keys where key != unique.last { unique.append(key) }
    pairs = unique.map { UInt32($0 >> 32) }
    columns = unique.map { UInt32(truncatingIfNeeded: $0) }
    bias = columns.max() ?? 0
  }

  var isEmpty: Bool { pairs.isEmpty }
}

extension Landmarks {
  /// The landmarks of the same sound at another speed, as a turntable changes it.
  package func played(atSpeed speed: Double) -> Landmarks {
    var moved: [Peak] = []
    moved.reserveCapacity(peaks.count)
    for peak in peaks {
      let place = LandmarkScale.unit(
        atBins: LandmarkScale.bins(atUnit: Double(peak.unit) + Double(peak.fraction)) * speed)
      let unit = place.rounded()
      guard unit >= 0, unit < Double(LandmarkScale.unitCount) else { continue }
      moved.append(
        Peak(
          column: Int32((Double(peak.column) / speed).rounded()), unit: UInt8(unit), strength: peak.strength,
          fraction: Float(place - unit)))
    }
    moved.sort { ($0.column, $0.unit) < ($1.column, $1.unit) }
    return Landmarks(columnCount: Int32((Double(columnCount) / speed).rounded(.up)) + 1, peaks: moved)
  }
}

extension SoundMatch {
  /// - Parameters:
  ///   - peaks: Of the recording.
  ///   - speed: At which the excerpt was assumed to be played.
  fileprivate init(
    _ recording: ContentHash, _ fit: LandmarkGrid.Fit, _ peaks: [Landmarks.Peak], _ grid: LandmarkGrid, speed: Double
  ) {
    let heard = grid.heardColumns(peaks, fit)
    // The grid is that of the excerpt as if it were played at normal speed.
    let secondsPerColumn = 1 / Landmarks.columnsPerSecond / speed
    self.init(
      recording: recording, offsetInSeconds: fit.offset / Landmarks.columnsPerSecond, speed: speed * fit.ratio,
      peakCount: fit.peakCount, matchedCount: fit.matchedCount, score: fit.score,
      matchedSeconds: Double(heard.lowerBound) * secondsPerColumn...Double(heard.upperBound) * secondsPerColumn)
  }
}
