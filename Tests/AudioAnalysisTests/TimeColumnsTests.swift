import Testing

@testable import AudioAnalysis

struct TimeColumnsTests {
  @Test func `a column is the mean of the frames whose middle it contains`() {
    var columns = makeColumns()
    columns.add([2], center: 0, coverage: 1)
    columns.add([4], center: 9, coverage: 1)
    columns.add([7], center: 10, coverage: 1)
    #expect(columns.finish(columnCount: 2) == [3, 7])
  }

  @Test func `a column without a frame takes the nearest`() {
    var columns = makeColumns()
    columns.add([1], center: 18, coverage: 1)
    columns.add([2], center: 50, coverage: 1)
    // Middles of the columns: 5, 15, 25, 35, 45, 55, 65.
    #expect(columns.finish(columnCount: 7) == [1, 1, 1, 2, 2, 2, 2])
  }

  @Test func `frames partly outside the stream count by the part inside`() {
    var columns = makeColumns()
    columns.add([1], center: 1, coverage: 0.5)
    columns.add([2], center: 6, coverage: 1)
    #expect(columns.finish(columnCount: 1) == [2])
  }

  @Test func `a frame after the last column is left out`() {
    var columns = makeColumns()
    columns.add([1], center: 5, coverage: 1)
    columns.add([9], center: 12, coverage: 1)
    #expect(columns.finish(columnCount: 1) == [1])
  }

  @Test func `a stream without frames has no columns`() {
    #expect(makeColumns().finish(columnCount: 0).isEmpty)
  }

  @Test func `columns are counted without rounding`() {
    let columns = TimeColumns(
      width: 1, columnRate: 4, perFrames: 44_101, expectedFrameCount: .max, encode: { $0 }, decode: { $0 })
    #expect(columns.columnCount(forFrames: 44_101) == 4)
    #expect(columns.columnCount(forFrames: 44_102) == 5)
    #expect(columns.columnCount(forFrames: 1) == 1)
    #expect(columns.columnCount(forFrames: 0) == 0)
  }

  @Test(arguments: 0...5)
  func `columns that become coarser at any time are means of pairs`(frameCount: Int) {
    var columns = makeColumns()
    let powers: [Float] = [1, 3, 5, 7, 9]
    for index in 0..<5 {
      if index == frameCount { columns.coarsen() }
      columns.add([powers[index]], center: 10 * index + 5, coverage: 1)
    }
    if frameCount == 5 { columns.coarsen() }
    let count = columns.columnCount(forFrames: 50)
    #expect(count == 3)
    #expect(columns.finish(columnCount: count) == [2, 6, 9])
  }

  private func makeColumns() -> TimeColumns<Float> {
    TimeColumns(width: 1, columnRate: 1, perFrames: 10, expectedFrameCount: 0, encode: { $0 }, decode: { $0 })
  }
}
