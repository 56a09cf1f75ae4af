import Base
import MediaModel
import Testing
import TestSupport

struct LandmarksTests {
  private func example(count: Int = 500, longestPause: Int32 = 40) -> Landmarks {
    var random = RepeatableRandom(seed: 5)
    var column: Int32 = 0
    let peaks = (0..<count).map { _ in
      column += Int32.random(in: 0...longestPause, using: &random)
      return Landmarks.Peak(
        column: column, unit: UInt8.random(in: 0..<172, using: &random),
        strength: UInt8.random(in: 0...15, using: &random))
    }
    return Landmarks(columnCount: column + 7, peaks: peaks)
  }

  @Test(arguments: [0, 1, 15, 16, 270, 271, 5_000])
  func `bytes become the same landmarks again`(longestPause: Int32) throws {
    // Without a pause all are in one column.
    let landmarks = example(count: longestPause == 0 ? 172 : 500, longestPause: longestPause)
    #expect(try Landmarks(blob: landmarks.blob) == landmarks)
  }

  @Test func `a peak takes two bytes after a pause of up to fifteen columns`() {
    let peaks = [0, 15, 31].map { Landmarks.Peak(column: $0, unit: 3, strength: 2) }
    let bytes = Landmarks(columnCount: 40, peaks: peaks).blob
    #expect(bytes == Array("LMK1".utf8) + [40, 0, 0, 0, 3, 0, 0, 0, 3, 0x20, 3, 0x2F, 255, 1, 3, 0x2F])
  }

  @Test func `bytes that are cut off or left over are refused`() {
    let bytes = example().blob
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: ByteReader.Failure.self) { try Landmarks(blob: Array(bytes.prefix(count))) }
    }
    #expect(throws: ByteReader.Failure.self) { try Landmarks(blob: bytes + [0]) }
  }

  @Test func `a peak outside the scale or the recording is refused`() {
    let outside = Landmarks(columnCount: 5, peaks: [.init(column: 5, unit: 1, strength: 1)])
    #expect(throws: ByteReader.Failure.self) { try Landmarks(blob: outside.blob) }
    let high = Landmarks(columnCount: 5, peaks: [.init(column: 1, unit: 172, strength: 1)])
    #expect(throws: ByteReader.Failure.self) { try Landmarks(blob: high.blob) }
  }

  @Test func `four minutes with six peaks a second take less than 4 KB`() {
    let landmarks = example(count: 6 * 240, longestPause: 14)
    #expect(landmarks.blob.count < 4_000)
  }

  @Test func `each unit has bins of its own, without a gap`() {
    let ranges = LandmarkScale.binRanges
    #expect(ranges.first?.lowerBound == 24)
    for (range, next) in zip(ranges, ranges.dropFirst()) {
      #expect(range.upperBound == next.lowerBound && !range.isEmpty)
    }
    #expect((385...395).contains(ranges.last?.upperBound ?? 0))
  }

  @Test func `places and frequencies are each other's inverse`() {
    for step in 0..<344 {
      let unit = Double(step) / 2
      #expect(abs(LandmarkScale.unit(atBins: LandmarkScale.bins(atUnit: unit)) - unit) < 1e-9)
    }
  }

  // Faults: 193
  @Test func `more peaks in a column than the scale has units are refused`() {
    let count = LandmarkScale.unitCount
    func blob(_ count: Int) -> [UInt8] {
      Array("LMK1".utf8) + [10, 0, 0, 0] + littleEndian(UInt32(count))
        + [[UInt8]](repeating: [5, 0], count: count).flatMap { $0 }
    }
    #expect(throws: Never.self) { try Landmarks(blob: blob(count)) }
    #expect(throws: ByteReader.Failure.self) { try Landmarks(blob: blob(count + 1)) }
  }
}
