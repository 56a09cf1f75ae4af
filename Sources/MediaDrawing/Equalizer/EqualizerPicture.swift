/// The curve of each band and their sum on a logarithmic axis from 20 Hz to 20 kHz; behind them, if it is known, the
/// spectrum of a recording before (bars) and after (line), with a scale of its own at the right.
package struct EqualizerPicture: Picture {
  package var size: PictureSize
  package var chart: EqualizerChart
  package var title: String
  package var theme = ChartTheme.dark

  package init(size: PictureSize, chart: EqualizerChart, title: String = "") {
    self.size = size
    self.chart = chart
    self.title = title
  }

  package func draw(on canvas: borrowing Canvas) {
    let frame = ChartFrame(size: size, theme: theme, right: chart.spectrum == nil ? 16 : 44)
    canvas.fill(frame.area, with: theme.background)
    canvas.fill(frame.plot, with: theme.plot)
    let range = EqualizerChart.frequencies
    guard let axis = FrequencyAxis(edgesInHz: [range.lowerBound, range.upperBound]) else { return }

    let levels = chart.marks(length: frame.plot.height, minimumDistance: 18)
    frame.drawHorizontalMarks(levels.map { (Self.label($0.level), $0.fraction) }, on: canvas)
    let columns = axis.marks(length: frame.plot.width, minimumDistance: 32)
    frame.drawVerticalMarks(
      columns.map { (FrequencyAxis.label(hertz: $0.hertz), Double(frame.x($0.fraction))) }, on: canvas)
    frame.drawUnit(left: "dB", on: canvas)
    if let spectrum = chart.spectrum { draw(spectrum, in: frame, axis, on: canvas) }
    canvas.fill(
      PixelRectangle(x: frame.plot.x, y: frame.y(chart.range.fraction(of: 0)), width: frame.plot.width, height: 1),
      with: EqualizerColors.zero(theme))

    for (index, band) in chart.bands.enumerated() {
      let color = EqualizerColors.band(index, of: chart.bands.count)
      if chart.spectrum == nil { canvas.fill(area(band, in: frame, axis), with: color.withAlpha(0.14)) }
      // Where a band has no effect, its curve would only hide the line at 0 dB.
      for line in lines(band.map { abs($0) < 0.02 ? .nan : $0 }, in: frame, axis) {
        canvas.stroke(line, width: 1.25, with: color)
      }
    }
    for (sum, color) in zip(chart.sums, EqualizerColors.sums(theme)) {
      for line in lines(sum, in: frame, axis) { canvas.stroke(line, width: 2.5, with: color) }
    }
    drawTexts(in: frame, on: canvas)
  }

  private func drawTexts(in frame: ChartFrame, on canvas: borrowing Canvas) {
    guard frame.plot != frame.area else { return }
    let baseline = Double(frame.plot.y) - 9
    frame.drawTitle(title, width: Double(frame.plot.width) * 0.6, on: canvas)
    var x = Double(frame.plot.right)
    var legend: [(String, PictureColor)] = []
    if chart.sums.count > 1 { legend += zip(["left", "right"], EqualizerColors.sums(theme)) }
    if chart.spectrum != nil { legend += [("before", EqualizerColors.beforeText), ("after", EqualizerColors.after)] }
    for (text, color) in legend.reversed() {
      canvas.text(text, x: x, baseline: baseline, size: ChartFrame.fontSize, align: .right, color: color)
      x -= canvas.width(ofText: text, size: ChartFrame.fontSize) + 12
    }
  }

  /// The columns between a curve and 0 dB.
  private func area(_ curve: [Double], in frame: ChartFrame, _ axis: FrequencyAxis) -> [PixelRectangle] {
    let zero = frame.y(chart.range.fraction(of: 0))
    let edges = chart.points.map { frame.x(axis.fraction(ofHz: $0)) }
    return edges.indices.dropLast().compactMap { index in
      let y = frame.y(chart.range.fraction(of: curve[index]))
      let column = PixelRectangle(
        x: edges[index], y: min(y, zero), width: edges[index + 1] - edges[index], height: abs(y - zero))
      return column.isEmpty ? nil : column
    }
  }

  /// The pieces of a curve that lie in the chart, interrupted at NaN.
  private func lines(
    _ curve: [Double], in frame: ChartFrame, _ axis: FrequencyAxis
  ) -> [[(x: Double, y: Double)]] {
    var lines: [[(x: Double, y: Double)]] = [[]]
    for (point, level) in zip(chart.points, curve) {
      guard !level.isNaN else {
        lines.append([])
        continue
      }
      let x = Double(frame.plot.x) + axis.fraction(ofHz: point) * Double(frame.plot.width)
      let y = Double(frame.plot.bottom) - chart.range.fraction(of: level) * Double(frame.plot.height)
      lines[lines.count - 1].append((x, y))
      if level < chart.range.bottom { lines.append([(x, y)]) }
    }
    // A piece that is wholly below the chart would be a line along its edge.
    return lines.filter { line in line.contains { $0.y < Double(frame.plot.bottom) - 0.01 } }
  }

  private func draw(
    _ spectrum: EqualizedSpectrum, in frame: ChartFrame, _ axis: FrequencyAxis, on canvas: borrowing Canvas
  ) {
    let range = DecibelRange(around: spectrum.loudest, span: 80)
    let bars = spectrum.bands.map { band in
      let left = frame.x(axis.fraction(ofHz: band.lowInHz))
      let right = frame.x(axis.fraction(ofHz: band.highInHz))
      let top = frame.y(range.fraction(of: band.before))
      return PixelRectangle(
        x: left, y: top, width: right - left - (right - left >= 4 ? 1 : 0), height: frame.plot.bottom - top)
    }
    canvas.fill(bars.filter { !$0.isEmpty }, with: EqualizerColors.before)
    let after = spectrum.bands.map { band in
      (
        x: Double(frame.plot.x) + axis.fraction(ofHz: (band.lowInHz * band.highInHz).squareRoot())
          * Double(frame.plot.width),
        y: Double(frame.plot.bottom) - range.fraction(of: band.after) * Double(frame.plot.height)
      )
    }
    canvas.stroke(after, width: 1.5, with: EqualizerColors.after)
    guard frame.plot != frame.area else { return }
    for mark in range.marks(length: frame.plot.height, minimumDistance: 24) {
      canvas.text(
        DecibelText.label(mark.level), x: Double(frame.plot.right) + 7, baseline: Double(frame.y(mark.fraction)) + 4,
        size: ChartFrame.fontSize, color: EqualizerColors.beforeText)
    }
  }

  private static func label(_ level: Double) -> String { DecibelText.signed(level) }
}

/// The colours of the charts that show equalizers.
enum EqualizerColors {
  static func zero(_ theme: ChartTheme) -> PictureColor { theme.maximum.withAlpha(0.35) }

  /// The sum; left and right if they differ.
  static func sums(_ theme: ChartTheme) -> [PictureColor] {
    [theme == .light ? PictureColor(20, 22, 28) : PictureColor(255, 255, 255), PictureColor(255, 120, 90)]
  }

  static let before = PictureColor(120, 130, 150, alpha: 0.35)
  static let beforeText = PictureColor(150, 160, 178)
  static let after = PictureColor(52, 232, 158)

  private static let bands = [
    PictureColor(255, 99, 72), PictureColor(255, 165, 2), PictureColor(236, 204, 104), PictureColor(123, 237, 159),
    PictureColor(46, 213, 200), PictureColor(83, 170, 255), PictureColor(160, 140, 255), PictureColor(255, 121, 198),
  ]

  /// From red for the lowest band to violet for the highest.
  static func band(_ index: Int, of count: Int) -> PictureColor {
    let place = count > 1 ? Double(index) / Double(count - 1) * Double(bands.count - 1) : 1
    let lower = max(0, min(Int(place), bands.count - 2))
    return bands[lower].mixed(with: bands[lower + 1], place - Double(lower)).withAlpha(0.85)
  }
}
