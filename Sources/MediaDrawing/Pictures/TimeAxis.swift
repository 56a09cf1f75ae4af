/// Positions and texts of the labels of a time axis; a place is a pixel or a cell of a terminal.
package struct TimeAxis: Hashable, Sendable {
  package struct Mark: Hashable, Sendable {
    /// Distance from the start of the axis in places, `0..<length`.
    package var position: Double
    package var label: String
  }

  /// Limits the marks if a length is absurd.
  private static let maximumMarkCount = 10_000

  package let marks: [Mark]

  /// - Parameters:
  ///   - length: places that the axis is long.
  ///   - minimumDistance: places between two labels, at least.
  package init(startInSeconds start: Double, placesPerSecond: Double, length: Int, minimumDistance: Double = 60) {
    guard start.isFinite, start >= 0, placesPerSecond.isFinite, placesPerSecond > 0, length > 0 else {
      marks = []
      return
    }
    let end = start + Double(length) / placesPerSecond
    let step = Self.step(placesPerSecond: placesPerSecond, minimumDistance: minimumDistance, duration: end - start)
    // Counted in steps: adding up a step of 0.1 would drift.
    let first = (start / step - 1e-9).rounded(.up)
    var marks: [Mark] = []
    var index = 0.0
    while marks.count < Self.maximumMarkCount {
      let time = (first + index) * step
      let position = (time - start) * placesPerSecond
      guard position < Double(length) else { break }
      marks.append(Mark(position: max(position, 0), label: Self.label(seconds: time, step: step)))
      index += 1
    }
    self.marks = marks
  }

  /// The shortest of 1, 2, 5, 10, 20, 30 seconds, minutes or hours that keeps labels apart; fractions of a second if
  /// less than two seconds are shown, and powers of ten times 100 hours beyond.
  private static func step(placesPerSecond: Double, minimumDistance: Double, duration: Double) -> Double {
    let ladder = [1.0, 2, 5, 10, 20, 30]
    let parts = duration >= 2 ? [] : [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    let steps = parts + ladder + ladder.map { $0 * 60 } + ladder.map { $0 * 3600 }
    if let step = steps.first(where: { $0 * placesPerSecond >= minimumDistance }) { return step }
    var step = 360_000.0
    while step * placesPerSecond < minimumDistance, step < 1e15 { step *= 10 }
    return step
  }

  /// `MM:SS`, or `HH:MM:SS` from one hour on, with the decimals that a step below one second needs.
  static func label(seconds: Double, step: Double) -> String {
    let thousandths = Int(clamping: Int64(max(0, min((seconds * 1000).rounded(), 9e15))))
    let whole = thousandths / 1000
    func two(_ value: Int) -> String { (value < 10 ? "0" : "") + String(value) }
    var text = "\(two(whole / 60 % 60)):\(two(whole % 60))"
    if whole >= 3600 { text = "\(two(whole / 3600)):" + text }
    guard step < 1 else { return text }
    let places = step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    let digits = String(1000 + thousandths % 1000).dropFirst()
    return text + "." + digits.prefix(places)
  }
}
