/// Tracks as points on a plane: neighbours sound alike. The colour goes from slow to fast.
package struct SoundMapPicture: Picture {
  package struct Point: Hashable, Sendable {
    /// `0...1` from the left, and from the top.
    package var x: Double
    package var y: Double
    /// nil if it is not known.
    package var beatsPerMinute: Double?

    package init(x: Double, y: Double, beatsPerMinute: Double? = nil) {
      self.x = x
      self.y = y
      self.beatsPerMinute = beatsPerMinute
    }
  }

  /// The tempi at both ends of the colours.
  private static let slowest = 70.0
  private static let fastest = 170.0
  private static let shadeCount = 8

  package var size: PictureSize
  package var points: [Point]
  package var theme = ChartTheme.dark
  /// Drawn above the plot, in any script.
  package var title = ""

  package init(size: PictureSize, points: [Point]) {
    self.size = size
    self.points = points
  }

  package func draw(on canvas: borrowing Canvas) {
    let frame = ChartFrame(size: size, theme: theme, left: 16)
    canvas.fill(frame.area, with: theme.background)
    canvas.fill(frame.plot, with: theme.plot)
    frame.drawTitle(title, width: Double(frame.plot.width), on: canvas)
    // The more points, the smaller they are.
    let side = points.count > 20_000 ? 2 : points.count > 2_000 ? 3 : 5
    for (shade, points) in Dictionary(grouping: points, by: Self.shade).sorted(by: { $0.key < $1.key }) {
      let squares = points.map { point in
        PixelRectangle(
          x: frame.plot.x + Int(point.x * Double(frame.plot.width - side)),
          y: frame.plot.y + Int(point.y * Double(frame.plot.height - side)), width: side, height: side)
      }
      canvas.fill(squares, with: color(shade).withAlpha(0.75))
    }
    frame.drawVerticalMarks(
      [("slow: \(Int(Self.slowest)) BPM", Double(frame.plot.x + 40))], unit: "fast: \(Int(Self.fastest)) BPM",
      hasLines: false, on: canvas)
  }

  /// `0..<shadeCount`, slow to fast; -1 for an unknown tempo.
  private static func shade(_ point: Point) -> Int {
    guard let bpm = point.beatsPerMinute else { return -1 }
    let share = (bpm - slowest) / (fastest - slowest)
    return Int(max(0, min(share, 1)) * Double(shadeCount - 1))
  }

  private func color(_ shade: Int) -> PictureColor {
    guard shade >= 0 else { return theme.text }
    return theme.rightBars[0].mixed(with: theme.bars[0], Double(shade) / Double(Self.shadeCount - 1))
  }
}
