internal import Base
package import MediaModel

/// The spectrum of a recording: the mean of each band as a bar, its maximum as a line above; dB over frequency.
///
/// With two channels the left one is drawn as bars, the right one as an outline.
package struct SpectrumPicture: Picture {
  package var size: PictureSize
  package var table: SpectrumTable
  /// The right channel if `table` is the left one.
  package var right: SpectrumTable?
  package var theme = ChartTheme.dark
  /// Drawn above the plot, in any script.
  package var title = ""
  package var scale = FrequencyAxis.Scale.log
  /// The levels of the axis; if nil, 80 dB up to the multiple of 10 dB above the loudest maximum.
  package var levels: DecibelRange?

  package init(size: PictureSize, table: SpectrumTable) {
    self.size = size
    self.table = table
  }

  package func draw(on canvas: borrowing Canvas) {
    let frame = ChartFrame(size: size, theme: theme)
    canvas.fill(frame.area, with: theme.background)
    canvas.fill(frame.plot, with: theme.plot)
    let legend = right == nil ? 0.0 : 110
    frame.drawTitle(title, width: Double(frame.plot.width) - legend, on: canvas)
    guard let axis = FrequencyAxis(edgesInHz: edges, scale: scale) else { return }
    let range = range

    let rows = range.marks(length: frame.plot.height, minimumDistance: 24)
    frame.drawHorizontalMarks(
      rows.map { (DecimalText.number($0.level, places: 0), $0.fraction) }, on: canvas)
    let columns = axis.marks(length: frame.plot.width, minimumDistance: 32)
    frame.drawVerticalMarks(
      columns.map { (FrequencyAxis.label(hertz: $0.hertz), Double(frame.x($0.fraction))) }, unit: "Hz",
      on: canvas)
    frame.drawUnit(left: table.weighting == .a ? "dBA" : "dB", on: canvas)

    canvas.fill(bars(of: table, in: frame, axis: axis, range: range), withGradientOver: frame.plot, theme.bars)
    let color = right == nil ? theme.maximum : theme.bars[0].withAlpha(0.6)
    draw(maximumLines(of: table, in: frame, axis: axis, range: range), with: color, on: canvas)
    if let right {
      draw([outline(of: right, in: frame, axis: axis, range: range)], with: theme.rightBars[0], on: canvas)
      let color = theme.rightBars[0].withAlpha(0.6)
      draw(maximumLines(of: right, in: frame, axis: axis, range: range), with: color, on: canvas)
    }
    if right != nil { drawLegend(in: frame, on: canvas) }
  }

  private func draw(_ lines: [[(x: Double, y: Double)]], with color: PictureColor, on canvas: borrowing Canvas) {
    for line in lines { canvas.stroke(line, width: 1.5, with: color) }
  }

  var range: DecibelRange {
    let bands = table.bands + (right?.bands ?? [])
    return levels ?? DecibelRange(around: bands.compactMap { $0.maximumInDB ?? $0.meanInDB }.max())
  }

  /// The colour of each channel, above the plot at the right.
  private func drawLegend(in frame: ChartFrame, on canvas: borrowing Canvas) {
    guard frame.plot != frame.area else { return }
    let baseline = Double(frame.plot.y) - 9
    var x = frame.plot.right
    for (name, color) in [("right", theme.rightBars[0]), ("left", theme.bars[0])] {
      let width = Int(canvas.width(ofText: name, size: ChartFrame.fontSize).rounded(.up))
      canvas.text(name, x: Double(x), baseline: baseline, size: ChartFrame.fontSize, align: .right, color: theme.text)
      canvas.fill(PixelRectangle(x: x - width - 13, y: frame.plot.y - 17, width: 8, height: 8), with: color)
      x -= width + 28
    }
  }

  private var edges: [Double] { table.bands.map(\.lowInHz) + table.bands.suffix(1).map(\.highInHz) }

  /// One pixel is left free between two bars if all are wide enough; on a logarithmic axis they are equally wide,
  /// except for rounding.
  func bars(of table: SpectrumTable, in frame: ChartFrame, axis: FrequencyAxis, range: DecibelRange) -> [PixelRectangle]
  {
    let widths = table.bands.map { axis.fraction(ofHz: $0.highInHz) - axis.fraction(ofHz: $0.lowInHz) }
    let isSparing = (widths.min() ?? 0) * Double(frame.plot.width) >= 4
    return table.bands.compactMap { band in
      let left = frame.x(axis.fraction(ofHz: band.lowInHz))
      let right = frame.x(axis.fraction(ofHz: band.highInHz))
      let top = frame.y(range.fraction(of: band.meanInDB))
      let gap = isSparing || scale == .linear && right - left >= 4 ? 1 : 0
      let bar = PixelRectangle(x: left, y: top, width: right - left - gap, height: frame.plot.bottom - top)
      return bar.isEmpty ? nil : bar
    }
  }

  /// The line along the tops of a table's bars.
  private func outline(
    of table: SpectrumTable, in frame: ChartFrame, axis: FrequencyAxis, range: DecibelRange
  ) -> [(x: Double, y: Double)] {
    table.bands.flatMap { band in
      let y = Double(frame.plot.bottom) - range.fraction(of: band.meanInDB) * Double(frame.plot.height)
      return [band.lowInHz, band.highInHz].map { hertz in
        (Double(frame.plot.x) + axis.fraction(ofHz: hertz) * Double(frame.plot.width), y)
      }
    }
  }

  /// Lines through the middles of the bands, interrupted at bands without a maximum.
  private func maximumLines(
    of table: SpectrumTable, in frame: ChartFrame, axis: FrequencyAxis, range: DecibelRange
  ) -> [[(x: Double, y: Double)]] {
    var lines: [[(x: Double, y: Double)]] = [[]]
    for band in table.bands {
      guard let maximum = band.maximumInDB, maximum > range.bottom else {
        lines.append([])
        continue
      }
      let x = Double(frame.plot.x) + axis.fraction(ofHz: band.centerInHz) * Double(frame.plot.width)
      let y = Double(frame.plot.bottom) - range.fraction(of: maximum) * Double(frame.plot.height)
      lines[lines.count - 1].append((x, y))
    }
    return lines
  }
}
