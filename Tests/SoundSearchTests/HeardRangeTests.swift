import MediaModel
import Testing

@testable import SoundIndex
@testable import SoundSearch

struct HeardRangeTests {
  private func range(
    _ recording: UInt64, _ seconds: ClosedRange<Double>, offset: Double = 40, score: Double
  ) -> HeardRange {
    let match = SoundMatch(
      recording: ContentHash(high: 1, low: recording), offsetInSeconds: offset, speed: 1, peakCount: 60,
      matchedCount: 50, score: score, matchedSeconds: seconds)
    return HeardRange(
      startInSeconds: seconds.lowerBound, endInSeconds: seconds.upperBound, match: match, windowCount: 2)
  }

  @Test func `of copies the best match is named`() {
    let best = range(1, 0.8...29.4, score: 60)
    let copies = [range(2, 0.7...30.1, offset: 40.2, score: 50), range(3, 12...24, score: 20)]
    #expect(SoundIdentification.withoutCopies([copies[0], best, copies[1]]) == [best])
  }

  @Test func `of equal matches one is named`() {
    let ranges = [range(1, 0...30, score: 60), range(2, 0...30, score: 60)]
    #expect(SoundIdentification.withoutCopies(ranges).count == 1)
  }

  @Test func `what fades into each other, or is another place, stays`() {
    let ranges = [
      range(1, 0...30, score: 60), range(2, 26...50, offset: 3, score: 40), range(1, 52...60, offset: 0, score: 20),
      range(4, 10...20, offset: 90, score: 20),
    ]
    #expect(SoundIdentification.withoutCopies(ranges) == ranges)
  }
}
