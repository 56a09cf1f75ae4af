internal import Base

/// Two copies of a recording: above, what is left of each third octave when one is subtracted from the other, and the filter
/// between them; below, the gain over time.
package struct ComparisonPicture: Picture {
  package struct Band: Hashable, Sendable {
    package var centerInHz: Double
    /// Relative to the recording itself, in dB; nil for silence.
    package var afterGainInDB: Double?
    package var afterFilterInDB: Double?
    package var filterInDB: Double?

    package init(centerInHz: Double, afterGainInDB: Double?, afterFilterInDB: Double?, filterInDB: Double?) {
      self.centerInHz = centerInHz
      self.afterGainInDB = afterGainInDB
      self.afterFilterInDB = afterFilterInDB
      self.filterInDB = filterInDB
    }
  }

  package var size: PictureSize
  package var bands: [Band]
  /// Of each second, in dB; nil for silence.
  package var gains: [Double?]
  package var title: String
  package var theme = ChartTheme.dark

  package init(size: PictureSize, bands: [Band], gains: [Double?], title: String) {
    self.size = size
    self.bands = bands
    self.gains = gains
    self.title = title
  }

  package func draw(on canvas: borrowing Canvas) {
    let half = size.height * 55 / 100
    let upper = ChartFrame(size: size, theme: theme, right: 44, bottom: size.height - half + 26)
    let lower = ChartFrame(size: size, theme: theme, top: half + 24, right: 44)
    canvas.fill(upper.area, with: theme.background)
    drawBands(in: upper, on: canvas)
    // In pictures without room for both, the upper one is the whole.
    if lower.plot != lower.area { drawGains(in: lower, on: canvas) }
  }

  private func drawBands(in frame: ChartFrame, on canvas: borrowing Canvas) {
    canvas.fill(frame.plot, with: theme.plot)
    frame.drawTitle(title, width: Double(frame.plot.width) - 270, on: canvas)
    guard let low = bands.first?.centerInHz, let high = bands.last?.centerInHz,
      let axis = FrequencyAxis(edgesInHz: [low * 0.89, high * 1.12])
    else { return }
    let range = DecibelRange(bottom: -120, top: 0)
    frame.drawHorizontalMarks(
      range.marks(length: frame.plot.height, minimumDistance: 22).map {
        (DecimalText.number($0.level, places: 0), $0.fraction)
      },
      on: canvas)
    frame.drawVerticalMarks(
      axis.marks(length: frame.plot.width, minimumDistance: 32)
        .map { (FrequencyAxis.label(hertz: $0.hertz), Double(frame.x($0.fraction))) }, unit: "Hz", on: canvas)
    frame.drawUnit(left: "dB", on: canvas)
    let bars = bands.compactMap { band -> PixelRectangle? in
      guard let level = band.afterGainInDB else { return nil }
      let left = frame.x(axis.fraction(ofHz: band.centerInHz * 0.89))
      let right = frame.x(axis.fraction(ofHz: band.centerInHz * 1.12))
      let top = frame.y(range.fraction(of: min(level, 0)))
      let bar = PixelRectangle(x: left, y: top, width: right - left - 1, height: frame.plot.bottom - top)
      return bar.isEmpty ? nil : bar
    }
    canvas.fill(bars, withGradientOver: frame.plot, theme.bars)
    func line(_ value: (Band) -> Double?) -> [(x: Double, y: Double)] {
      bands.compactMap { band in
        value(band).map { level in
          (
            Double(frame.plot.x) + axis.fraction(ofHz: band.centerInHz) * Double(frame.plot.width),
            Double(frame.plot.bottom) - range.fraction(of: min(level, 0)) * Double(frame.plot.height)
          )
        }
      }
    }
    canvas.stroke(line(\.afterFilterInDB), width: 1.5, with: theme.maximum)
    drawFilter(in: frame, axis, on: canvas)
    drawLegend(
      [("left after one gain", theme.bars[0]), ("after the filter", theme.maximum), ("filter", theme.rightBars[0])],
      in: frame, on: canvas)
  }

  /// The filter around its middle, on a scale of its own at the right: 12 dB or more to each side.
  private func drawFilter(in frame: ChartFrame, _ axis: FrequencyAxis, on canvas: borrowing Canvas) {
    let known = bands.compactMap(\.filterInDB).sorted()
    guard !known.isEmpty, frame.plot != frame.area else { return }
    let middle = known[known.count / 2]
    let half = max(12, (known.map { abs($0 - middle) }.max() ?? 0).rounded(.up))
    let range = DecibelRange(bottom: middle - half, top: middle + half)
    let points = bands.compactMap { band in
      band.filterInDB.map { level in
        (
          x: Double(frame.plot.x) + axis.fraction(ofHz: band.centerInHz) * Double(frame.plot.width),
          y: Double(frame.plot.bottom) - range.fraction(of: level) * Double(frame.plot.height)
        )
      }
    }
    canvas.stroke(points, width: 2, with: theme.rightBars[0])
    for level in [range.bottom, middle, range.top] {
      canvas.text(
        DecimalText.number((level * 10).rounded() / 10, places: 1), x: Double(frame.plot.right) + 6,
        baseline: Double(frame.y(range.fraction(of: level))) + 4, size: ChartFrame.fontSize, color: theme.rightBars[0])
    }
  }

  private func drawGains(in frame: ChartFrame, on canvas: borrowing Canvas) {
    canvas.fill(frame.plot, with: theme.plot)
    let known = gains.compactMap { $0 }.sorted()
    let middle = known.isEmpty ? 0 : known[known.count / 2]
    let spread = max(1, (known.map { abs($0 - middle) }.max() ?? 0) * 1.1)
    let range = DecibelRange(bottom: middle - min(spread, 24), top: middle + min(spread, 24))
    frame.drawHorizontalMarks(
      [range.bottom, middle, range.top].map {
        (DecimalText.number(($0 * 10).rounded() / 10, places: 1), range.fraction(of: $0))
      },
      on: canvas)
    frame.drawUnit(left: "dB", on: canvas)
    let width = Double(frame.plot.width) / Double(max(gains.count, 1))
    let step = [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600].first { Double($0) * width > 60 } ?? 7_200
    frame.drawVerticalMarks(
      stride(from: 0, to: gains.count, by: step).map {
        (DurationText.clock(Double($0)), Double(frame.plot.x) + Double($0) * width)
      }, on: canvas)
    var lines: [[(x: Double, y: Double)]] = [[]]
    for (second, gain) in gains.enumerated() {
      guard let gain else {
        lines.append([])
        continue
      }
      let y = Double(frame.plot.bottom) - range.fraction(of: gain) * Double(frame.plot.height)
      lines[lines.count - 1].append((Double(frame.plot.x) + (Double(second) + 0.5) * width, y))
    }
    for line in lines { canvas.stroke(line, width: 1.5, with: theme.rightBars[0]) }
    drawLegend([("gain over time", theme.rightBars[0])], in: frame, on: canvas)
  }

  private func drawLegend(
    _ entries: [(String, PictureColor)], in frame: ChartFrame, on canvas: borrowing Canvas
  ) {
    guard frame.plot != frame.area else { return }
    var x = Double(frame.plot.right)
    for (text, color) in entries.reversed() {
      canvas.text(
        text, x: x, baseline: Double(frame.plot.y) - 9, size: ChartFrame.fontSize, align: .right, color: color)
      x -= canvas.width(ofText: text, size: ChartFrame.fontSize) + 14
    }
  }
}
