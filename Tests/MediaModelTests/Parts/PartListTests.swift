import MediaModel
import Testing

/// Places that sources give, put in order.
struct PartListTests {
  private func list(_ marks: [(Int64, Int64?)]) -> PartList? {
    PartList(marks.map { PartList.Mark(start: $0.0, end: $0.1) }, from: .id3)
  }

  @Test func `a part ends where the next one begins, or where its source says it`() {
    #expect(list([(20, nil), (0, 5), (10, nil)])?.parts.map(\.frames) == [0..<5, 10..<20, 20..<Int64.max])
  }

  @Test func `what overlaps is cut, and noted`() {
    let found = list([(0, 15), (10, 20), (10, 30)])
    #expect(found?.parts.map(\.frames) == [0..<10, 10..<30])
    #expect(found?.notes == [PartList.overlapNote])
  }

  @Test func `times before 0 are left out, and noted`() {
    #expect(list([(-5, 3), (3, nil)])?.notes == [PartList.impossibleNote])
    #expect(list([(-5, nil)]) == nil && list([]) == nil)
  }

  @Test func `the end of the recording cuts the last part, and what begins behind it is noted`() {
    let found = list([(0, nil), (10, nil), (20, nil)])
    #expect(found?.cut(toFrameCount: 25)?.parts.map(\.frames) == [0..<10, 10..<20, 20..<25])
    #expect(found?.cut(toFrameCount: 25)?.notes == [])
    let cut = found?.cut(toFrameCount: 15)
    #expect(cut?.parts.map(\.frames) == [0..<10, 10..<15] && cut?.notes == [PartList.beyondEndNote])
  }

  @Test func `all of a recording is no part of it`() {
    #expect(list([(0, nil)])?.cut(toFrameCount: 10) == nil)
    #expect(list([(0, 12)])?.cut(toFrameCount: 10) == nil)
    #expect(list([(0, 9)])?.cut(toFrameCount: 10)?.parts.count == 1)
    #expect(list([(1, nil)])?.cut(toFrameCount: 10)?.parts.count == 1)
  }

  @Test func `texts are cut and cleaned`() {
    var tags = PartTags(title: " \0Slow\0 Tide ", artist: "   ")
    tags.isrc = String(repeating: "x", count: 5000)
    let part = PartList([.init(start: 5, tags: tags)], from: .nero)?.parts.first
    #expect(part?.tags.title == "Slow Tide" && part?.tags.artist == nil && part?.tags.isrc?.count == 1000)
  }

  @Test(arguments: [
    ("00:00:00.000", 0), ("00:01:02.5", 62_500), ("100:00:00", 360_000_000), ("00:00:00.1234", 123), ("0:0:1", 1000),
  ])
  func `chapters in comments have hours, minutes and thousandths`(text: String, milliseconds: Int64) {
    let tags = Tags([.init(name: "CHAPTER001", values: [text]), .init(name: "CHAPTER001NAME", values: ["Start"])])
    let list = PartList(describedBy: tags, sampleRateInHz: 48_000)
    #expect(list?.parts.map(\.frames.lowerBound) == [milliseconds * 48])
    #expect(list?.parts.first?.tags.title == "Start" && list?.source == .comments)
  }

  @Test(arguments: ["", "1:2", "00:60:00", "00:00:60", "-1:00:00", "a:b:c", "00:00:00.1.2", "9999999999:00:00"])
  func `what is no time is no chapter`(text: String) {
    #expect(PartList(describedBy: Tags([.init(name: "CHAPTER001", values: [text])]), sampleRateInHz: 48_000) == nil)
  }

  @Test func `ticks become frames without a rounding error`() {
    #expect(FrameIndex.frame(atTick: 2300, ticksPerSecond: 1000, rateInHz: 44_100) == 101_430)
    #expect(
      FrameIndex.frame(atTick: 123_456_789_012_345_678, ticksPerSecond: 1_000_000_000, rateInHz: 96_000)
        == 11_851_851_745_185)
    #expect(FrameIndex.frame(atTick: -1, ticksPerSecond: 1000, rateInHz: 44_100) == nil)
    #expect(FrameIndex.frame(atTick: .max, ticksPerSecond: 1, rateInHz: 44_100) == nil)
    #expect(FrameIndex.frame(atTick: 5, ticksPerSecond: 0, rateInHz: 44_100) == nil)
  }
}
