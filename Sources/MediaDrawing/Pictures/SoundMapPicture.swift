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
  /// A square of the legend.
  private static let swatch = (width: 14, height: 8)
  private static let gap = 8

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
    let side = points.count > 20_000 ? 2 : points.count > 2_000 ? 3 : points.count > 400 ? 5 : 7
    for (shade, points) in Dictionary(grouping: points, by: Self.shade).sorted(by: { $0.key < $1.key }) {
      let squares = points.map { point in
        PixelRectangle(
          x: frame.plot.x + Int(point.x * Double(frame.plot.width - side)),
          y: frame.plot.y + Int(point.y * Double(frame.plot.height - side)), width: side, height: side)
      }
      canvas.fill(squares, with: color(shade).withAlpha(0.85))
    }
    if points.isEmpty {
      canvas.text(
        "no track to show", x: Double(frame.plot.x) + Double(frame.plot.width) / 2,
        baseline: Double(frame.plot.y) + Double(frame.plot.height) / 2, size: ChartFrame.titleSize, align: .center,
        color: theme.text)
    } else {
      drawLegend(below: frame, on: canvas)
    }
  }

  /// What the colours mean: below the plot, slow at the left.
  private func drawLegend(below frame: ChartFrame, on canvas: borrowing Canvas) {
    guard frame.plot != frame.area else { return }
    let top = frame.plot.bottom + 9
    var x = frame.plot.x
    x += write("slow, \(Int(Self.slowest)) BPM", x: x, top: top, on: canvas)
    for shade in 0..<Self.shadeCount { x += paint(shade, x: x, top: top, on: canvas) }
    x += Self.gap
    x += write("\(Int(Self.fastest)) BPM, fast", x: x, top: top, on: canvas)
    guard points.contains(where: { $0.beatsPerMinute == nil }), x + 120 < frame.plot.right else { return }
    x += 2 * Self.gap
    x += paint(-1, x: x, top: top, on: canvas) + Self.gap
    _ = write("not known", x: x, top: top, on: canvas)
  }

  /// - Returns: The width of the text with the gap after it.
  private func write(_ text: String, x: Int, top: Int, on canvas: borrowing Canvas) -> Int {
    canvas.text(
      text, x: Double(x), baseline: Double(top + Self.swatch.height), size: ChartFrame.fontSize, color: theme.text)
    return Int(canvas.width(ofText: text, size: ChartFrame.fontSize).rounded(.up)) + Self.gap
  }

  private func paint(_ shade: Int, x: Int, top: Int, on canvas: borrowing Canvas) -> Int {
    let square = PixelRectangle(x: x, y: top, width: Self.swatch.width, height: Self.swatch.height)
    canvas.fill(square, with: color(shade))
    return square.width
  }

  /// `0..<shadeCount`, slow to fast; -1 for an unknown tempo.
  private static func shade(_ point: Point) -> Int {
    guard let bpm = point.beatsPerMinute else { return -1 }
    let share = (bpm - slowest) / (fastest - slowest)
    return Int(max(0, min(share, 1)) * Double(shadeCount - 1))
  }

  /// From blue through green to yellow, ever lighter, so that any eyes tell them apart; grey for an unknown tempo.
  private func color(_ shade: Int) -> PictureColor {
    guard shade >= 0 else { return theme.text.mixed(with: theme.plot, 0.4) }
    let place = 2 * Double(shade) / Double(Self.shadeCount - 1)
    return place < 1
      ? BandColor.high.mixed(with: theme.rightBars[0], place)
      : theme.rightBars[0].mixed(with: theme.bars[0], place - 1)
  }
}
