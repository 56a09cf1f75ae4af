import Base
import Foundation
import MediaModel
import Testing
import TestSupport

@testable import SoundIndex

struct SoundMatcherTests {
  private let temporary: TemporaryFolder
  private let index: SoundIndex

  init() throws {
    temporary = try TemporaryFolder()
    let folder = BytePath(temporary.appending("music.sound").path)
    try SyntheticSound.update(folder, (1...50).map { SyntheticSound.recording($0) })
    index = try SoundIndex.open(at: folder)
  }

  private func matches(_ excerpt: Landmarks) throws -> [SoundMatch] {
    var matcher = SoundMatcher(index)
    return try matcher.matches(of: excerpt)
  }

  @Test(arguments: [1.0, 0.7, 0.5])
  func `an excerpt is found at its place although peaks are lost and others added`(share: Double) throws {
    for number in [1, 17, 50] as [UInt64] {
      let whole = SyntheticSound.landmarks(seed: number)
      let excerpt = SyntheticSound.excerpt(of: whole, fromColumn: 900, columnCount: 430, keeping: share)
      let match = try #require(try matches(excerpt).first)
      #expect(match.recording == SyntheticSound.hash(number))
      #expect(abs(match.offsetInSeconds - 900 / Landmarks.columnsPerSecond) < 0.06)
      #expect(abs(match.speed - 1) < 0.006)
      #expect(match.confidence > 0.5 && match.confidence <= 1)
    }
  }

  @Test(arguments: [1.03, 0.97, 1.015, 1.045, 0.955])
  func `an excerpt that plays faster or slower is found, with its speed`(speed: Double) throws {
    let whole = SyntheticSound.landmarks(seed: 8)
    let excerpt = SyntheticSound.excerpt(of: whole, fromColumn: 500, columnCount: 600).played(atSpeed: speed)
    let match = try #require(try matches(excerpt).first)
    #expect(match.recording == SyntheticSound.hash(8))
    #expect(abs(match.speed - speed) < 0.006)
    #expect(abs(match.offsetInSeconds - 500 / Landmarks.columnsPerSecond) < 0.15)
  }

  /// As in a room with voices: two thirds of the peaks are lost, echoes move the others, and most peaks are not the music's.
  @Test func `what the usual landmarks miss is found by the dense ones`() throws {
    var (usualCount, denseCount) = (0, 0)
    for number in 1...20 as ClosedRange<UInt64> {
      let dense = SyntheticSound.excerpt(
        of: SyntheticSound.landmarks(seed: number), fromColumn: 900, columnCount: 645, keeping: 0.3, movingBy: 1,
        adding: 15, seed: number)
      let nothing = Landmarks(columnCount: dense.columnCount, peaks: [])
      var matcher = SoundMatcher(index)
      if try !matcher.matches(of: dense).isEmpty { usualCount += 1 }
      guard let match = try matcher.matches(of: ExcerptLandmarks(usual: nothing, dense: dense)).first else { continue }
      denseCount += 1
      #expect(match.recording == SyntheticSound.hash(number))
      #expect(abs(match.offsetInSeconds - 900 / Landmarks.columnsPerSecond) < 0.1)
    }
    #expect(denseCount >= 16, "\(denseCount) of 20")
    #expect(usualCount < denseCount, "\(usualCount) of 20 as if they were usual ones")
  }

  @Test func `what is not in the index is not found by dense landmarks, either`() throws {
    var matcher = SoundMatcher(index)
    for seed in 1_000..<1_050 as Range<UInt64> {
      let other = SyntheticSound.landmarks(seed: seed, seconds: 15)
      let dense = SyntheticSound.excerpt(
        of: other, fromColumn: 0, columnCount: other.columnCount, adding: 15, seed: seed)
      #expect(try matcher.denseMatches(of: dense).isEmpty)
    }
  }

  @Test func `an excerpt that begins before the recording has a negative place`() throws {
    let whole = SyntheticSound.landmarks(seed: 3)
    var excerpt = SyntheticSound.excerpt(of: whole, fromColumn: 0, columnCount: 500)
    excerpt.columnCount += 300
    for index in excerpt.peaks.indices { excerpt.peaks[index].column += 300 }
    let match = try #require(try matches(excerpt).first)
    #expect(match.recording == SyntheticSound.hash(3))
    #expect(abs(match.offsetInSeconds + 300 / Landmarks.columnsPerSecond) < 0.06)
    #expect(match.matchedSeconds.lowerBound > 6.5)
  }

  /// In a mix, one recording ends somewhere in the excerpt, and chance lets some later peaks match.
  @Test(arguments: [200, 300, 400] as [Int32])
  func `a recording is heard up to where it ends`(columnCount: Int32) throws {
    let excerptColumnCount: Int32 = 520
    for seed in 1...5 as ClosedRange<UInt64> {
      let heard = SyntheticSound.excerpt(
        of: SyntheticSound.landmarks(seed: seed), fromColumn: 700, columnCount: columnCount, seed: seed)
      let rest = SyntheticSound.excerpt(
        of: SyntheticSound.landmarks(seed: 2_000 + seed), fromColumn: 100, columnCount: excerptColumnCount - columnCount
      )
      let following = rest.peaks.map { peak in
        Landmarks.Peak(column: peak.column + columnCount, unit: peak.unit, strength: peak.strength)
      }
      let mix = Landmarks(columnCount: excerptColumnCount, peaks: heard.peaks + following)
      let match = try #require(try matches(mix).first)
      #expect(match.recording == SyntheticSound.hash(seed))
      let end = Double(columnCount) / Landmarks.columnsPerSecond
      #expect(abs(match.matchedSeconds.upperBound - end) < 1.5, "\(seed)")
      #expect(match.matchedSeconds.lowerBound < 1, "\(seed)")
    }
  }

  @Test func `what is not in the index is not found`() throws {
    for seed in 1_000..<1_100 as Range<UInt64> {
      #expect(try matches(SyntheticSound.landmarks(seed: seed, seconds: 10)).isEmpty)
    }
  }

  @Test func `silence is not found`() throws {
    #expect(try matches(Landmarks(columnCount: 430, peaks: [])).isEmpty)
    #expect(try matches(Landmarks(columnCount: 0, peaks: [])).isEmpty)
  }

  @Test func `the counter of votes finds the cells that a slow one finds`() {
    var random = RepeatableRandom(seed: 4)
    var counter = VoteCounter()
    var counts: [UInt32: Int] = [:]
    for _ in 0..<20_000 {
      let vote = UInt32.random(in: 0..<900_000, using: &random)
      counter.add(vote)
      counts[vote >> 2, default: 0] += 1
    }
    for _ in 0..<30 {
      counter.add(262_150)
      counts[262_150 >> 2, default: 0] += 1
    }
    let best = counter.best(10, atLeast: 4)
    // Two neighbouring cells within a range of 2^18 votes count together.
    let expected = counts.keys.map { cell in
      counts[cell, default: 0] + ((cell + 1) % 65_536 == 0 ? 0 : counts[cell + 1, default: 0])
    }.filter { $0 >= 4 }.sorted(by: >)
    #expect(best.map(\.count) == Array(expected.prefix(10)))
    #expect(best.contains { $0.start >> 2 == 262_150 >> 2 })
  }
}
