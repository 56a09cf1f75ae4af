import MediaDrawing
import Testing

struct TimeAxisTests {
  private func labels(_ axis: TimeAxis) -> [String] { axis.marks.map(\.label) }

  @Test func `labels are at least 60 places apart`() {
    // 20 pixels a second: 1 and 2 seconds are too close, 5 are not.
    let axis = TimeAxis(startInSeconds: 0, placesPerSecond: 20, length: 300)
    #expect(labels(axis) == ["00:00", "00:05", "00:10"])
    #expect(axis.marks.map(\.position) == [0, 100, 200])
  }

  @Test func `the first label is the first multiple of the step`() {
    let axis = TimeAxis(startInSeconds: 7.5, placesPerSecond: 20, length: 300)
    #expect(labels(axis) == ["00:10", "00:15", "00:20"])
    #expect(axis.marks.first?.position == 50)
  }

  @Test(arguments: [
    (100.0, "00:01"), (30, "00:02"), (12, "00:05"), (6, "00:10"), (3, "00:20"), (2, "00:30"), (1, "01:00"),
    (0.5, "02:00"), (0.2, "05:00"), (0.1, "10:00"), (0.05, "20:00"), (0.034, "30:00"), (0.02, "01:00:00"),
    (0.001, "20:00:00"), (0.0005, "100:00:00"),
  ])
  func `steps are 1 2 5 10 20 30 of seconds, minutes and hours`(placesPerSecond: Double, second: String) {
    let axis = TimeAxis(startInSeconds: 0, placesPerSecond: placesPerSecond, length: 800)
    #expect(axis.marks.dropFirst().first?.label == second)
  }

  @Test func `hours appear from one hour on`() {
    let axis = TimeAxis(startInSeconds: 3590, placesPerSecond: 10, length: 300)
    #expect(labels(axis) == ["59:50", "01:00:00", "01:00:10"])
  }

  @Test func `parts of a second are labelled where whole ones are out of sight`() {
    let axis = TimeAxis(startInSeconds: 1, placesPerSecond: 1000, length: 300)
    #expect(labels(axis) == ["00:01.0", "00:01.1", "00:01.2"])
  }

  @Test(arguments: [
    (Double.nan, 1.0, 100), (0, .nan, 100), (0, 0, 100), (0, -1, 100), (0, .infinity, 100), (-1, 1, 100), (0, 1, 0),
    (0, 1, -5), (1e300, 1, 100), (0, 1e-300, 100), (0, 1e300, .max), (1e17, 1, 1000),
  ])
  func `axes that cannot be do not trap`(start: Double, placesPerSecond: Double, length: Int) {
    let axis = TimeAxis(startInSeconds: start, placesPerSecond: placesPerSecond, length: length)
    #expect(axis.marks.allSatisfy { $0.position >= 0 && $0.position < Double(max(length, 0)) })
  }
}
