import MediaExchange
import Foundation
import MediaModel
import Testing

struct SpectrogramSectionTests {
  @Test func `frequencies choose the bands that they touch`() {
    let standard = SpectrumGrid(
      columnsPerSecond: 4, bandCount: 80, steps: (0..<2).flatMap { column in (0..<80).map { UInt8(100 * column + $0) } }
    )
    let edges = SpectrumBands.standard.edgesInHz
    let section = SpectrogramSection(standard, frequencies: 1000...2000)
    #expect(
      section.edgesInHz.first == edges.last { $0 <= 1000 } && section.edgesInHz.last == edges.first { $0 >= 2000 })
    let first = SpectrumBands.standard.index(ofHz: 1000) ?? 0
    #expect(section.levelInDB(column: 1, band: 0) == DecibelStep.decode(UInt8(100 + first)))
    for nothing in [20_000...30_000, 1...50] as [ClosedRange<Double>] {
      let empty = SpectrogramSection(standard, frequencies: nothing)
      #expect(empty.columnCount == 0 && empty.bandCount == 0)
    }
  }

  @Test func `smoothing over time takes a part of what was before`() {
    let step = DecibelStep.encode(0)
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 1, steps: [step, 0, 0, step])
    let section = SpectrogramSection(grid, smoothing: 0.5)
    let levels = (0..<4).map { section.levelInDB(column: $0, band: 0) }
    // Amplitudes 1, 1/2, 1/4 and 5/8.
    for (level, expected) in zip(levels, [0, -6.02, -12.04, -4.08]) { #expect(abs(level - Float(expected)) < 0.01) }
  }

  /// Four columns a second for 2.5 seconds, two bands: the low one counts columns in dB from -100, the high one is silent.
  let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 2, steps: (0..<10).flatMap { [UInt8(40 + 2 * $0), 0] })

  @Test func `a section begins with the column that the start falls into`() {
    let section = SpectrogramSection(grid, startInSeconds: 0.6, endInSeconds: 1.1)
    #expect(section.startInSeconds == 0.5)
    #expect(section.columnCount == 3)
    #expect((0..<3).map { section.levelInDB(column: $0, band: 0) } == [-98, -97, -96])
  }

  @Test(
    arguments: [(0.0, nil, 10), (2, nil, 2), (5, nil, 0), (0, 99, 10), (2, 1, 0), (-3, nil, 10)]
      as [(Double, Double?, Int)])
  func `ranges outside of the recording are cut to it`(start: Double, end: Double?, count: Int) {
    #expect(SpectrogramSection(grid, startInSeconds: start, endInSeconds: end).columnCount == count)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func `times that are none do not trap`(time: Double) {
    let count = SpectrogramSection(grid, startInSeconds: time, endInSeconds: time).columnCount
    #expect((0...10).contains(count))
  }

  @Test func `JSON has the keys that programs rely on`() throws {
    let text = SpectrogramSection(grid, startInSeconds: 0.5, endInSeconds: 1).jsonText
    let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(Set(document.keys) == ["schema", "weighting", "columns_per_second", "start_seconds", "bands", "columns"])
    #expect(document["columns_per_second"] as? Double == 4)
    #expect(document["start_seconds"] as? Double == 0.5)
    #expect(document["columns"] as? [[Double]] == [[-98, -120], [-97, -120]])
    #expect((document["bands"] as? [[String: Double]])?.map { $0["low_hz"] } == [100, 1341.641])
  }

  @Test func `CSV has a row a column`() {
    #expect(
      SpectrogramSection(grid, startInSeconds: 0.5, endInSeconds: 1).csvText
        == "time_seconds,366.3,4914.2\n0.5,-98,-120\n0.75,-97,-120\n")
  }

  @Test func `a grid without columns is a document without columns`() throws {
    let empty = SpectrogramSection(SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: []))
    let document = try JSONSerialization.jsonObject(with: Data(empty.jsonText.utf8)) as? [String: Any]
    #expect((document?["columns"] as? [Any])?.isEmpty == true)
    #expect(empty.maximumInDB == nil)
  }
}
