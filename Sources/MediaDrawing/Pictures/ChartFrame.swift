/// The axes around a chart: a plot area, lines across it, labels beside and below it.
struct ChartFrame {
  static let fontSize = 11.0
  static let titleSize = 12.5

  let theme: ChartTheme
  let area: PixelRectangle
  let plot: PixelRectangle

  /// In pictures too small for labels there are no margins: the plot is the whole area.
  init(size: PictureSize, theme: ChartTheme, left: Int = 44, top: Int = 24, right: Int = 16, bottom: Int = 26) {
    self.theme = theme
    area = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    let inner = area.inset(left: left, top: top, right: right, bottom: bottom)
    plot = inner.width >= 80 && inner.height >= 40 ? inner : area
  }

  private var hasRoomForLabels: Bool { plot != area }

  /// The column of pixels at a place from the left, `0...1`.
  func x(_ fraction: Double) -> Int { plot.x + Int((fraction * Double(plot.width)).rounded()) }

  /// The row of pixels at a place from the bottom, `0...1`; the edge of `plot` for 0.
  func y(_ fraction: Double) -> Int { plot.bottom - Int((fraction * Double(plot.height)).rounded()) }

  func drawHorizontalMarks(
    _ marks: [(label: String, fraction: Double)], hasLines: Bool = true, on canvas: borrowing Canvas
  ) {
    guard hasRoomForLabels else { return }
    for mark in marks {
      let y = min(y(mark.fraction), plot.bottom - 1)
      if hasLines {
        canvas.fill(PixelRectangle(x: plot.x, y: y, width: plot.width, height: 1), with: theme.grid)
      } else {
        canvas.fill(PixelRectangle(x: plot.x - 4, y: y, width: 4, height: 1), with: theme.text)
      }
      canvas.text(
        mark.label, x: Double(plot.x - 7), baseline: Double(y) + 4, size: Self.fontSize, align: .right,
        color: theme.text)
    }
  }

  func drawVerticalMarks(
    _ marks: [(label: String, x: Double)], unit: String? = nil, hasLines: Bool = true, on canvas: borrowing Canvas
  ) {
    guard hasRoomForLabels else { return }
    var end = Double(area.right)
    if let unit {
      end = Double(plot.right) - canvas.width(ofText: unit, size: Self.fontSize) - 6
      canvas.text(
        unit, x: Double(plot.right), baseline: Double(plot.bottom) + 16, size: Self.fontSize, align: .right,
        color: theme.text)
    }
    for mark in marks {
      let x = min(Int(mark.x), plot.right - 1)
      if hasLines {
        canvas.fill(PixelRectangle(x: x, y: plot.y, width: 1, height: plot.height), with: theme.grid)
      } else {
        canvas.fill(PixelRectangle(x: x, y: plot.bottom, width: 1, height: 4), with: theme.text)
      }
      let half = canvas.width(ofText: mark.label, size: Self.fontSize) / 2
      let center = min(mark.x, Double(area.right) - half - 2)
      // A label that would overlap the unit is left out, but its line is drawn.
      guard center + half <= end else { continue }
      canvas.text(
        mark.label, x: center, baseline: Double(plot.bottom) + 16, size: Self.fontSize, align: .center,
        color: theme.text)
    }
  }

  /// The title, above the plot.
  func drawTitle(_ title: String, width: Double, on canvas: borrowing Canvas) {
    guard hasRoomForLabels else { return }
    canvas.title(
      title, x: Double(plot.x), baseline: Double(plot.y) - 8, width: width, size: Self.titleSize, color: theme.text)
  }

  /// The unit of the numbers at the left, above them.
  func drawUnit(left: String, on canvas: borrowing Canvas) {
    guard hasRoomForLabels else { return }
    canvas.text(
      left, x: Double(plot.x - 7), baseline: Double(plot.y) - 9, size: Self.fontSize, align: .right,
      color: theme.text)
  }
}

/// The colours of the charts that show spectra.
package struct ChartTheme: Hashable, Sendable {
  var background: PictureColor
  var plot: PictureColor
  var grid: PictureColor
  var text: PictureColor
  /// The line of maxima.
  var maximum: PictureColor
  /// The mix or the left channel, from the top of the plot to its bottom.
  var bars: [PictureColor]
  /// The same for the right channel.
  var rightBars: [PictureColor]

  package static let dark = ChartTheme(
    background: PictureColor(16, 18, 24), plot: PictureColor(22, 25, 33),
    grid: PictureColor(255, 255, 255, alpha: 0.09),
    text: PictureColor(186, 192, 204), maximum: PictureColor(232, 236, 244, alpha: 0.75),
    bars: [PictureColor(255, 197, 0), PictureColor(235, 110, 12), PictureColor(194, 21, 0)],
    rightBars: [PictureColor(52, 232, 158), PictureColor(34, 134, 122), PictureColor(15, 52, 67)])

  package static let light = ChartTheme(
    background: PictureColor(255, 255, 255), plot: PictureColor(246, 247, 250), grid: PictureColor(0, 0, 0, alpha: 0.1),
    text: PictureColor(60, 66, 80), maximum: PictureColor(40, 44, 54, alpha: 0.75),
    bars: [PictureColor(250, 170, 0), PictureColor(235, 110, 12), PictureColor(194, 21, 0)],
    rightBars: [PictureColor(24, 190, 124), PictureColor(20, 120, 112), PictureColor(15, 52, 67)])
}
