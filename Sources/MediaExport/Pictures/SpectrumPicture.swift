internal import MediaModel

/// The spectrum of a recording: the mean of each band as a bar, its maximum as a line above; dB over the logarithm of
/// the frequency.
package struct SpectrumPicture: Picture {
  package var size: PictureSize
  package var table: SpectrumTable

  package init(size: PictureSize, table: SpectrumTable) {
    self.size = size
    self.table = table
  }

  package func draw(on canvas: borrowing Canvas) {
    let frame = ChartFrame(size: size)
    canvas.fill(frame.area, with: ChartColors.background)
    canvas.fill(frame.plot, with: ChartColors.plot)
    guard let axis = FrequencyAxis(edgesInHz: edges) else { return }
    let range = range

    let rows = range.marks(length: frame.plot.height, minimumDistance: 24)
    frame.drawHorizontalMarks(
      rows.map { (DecimalText.number($0.level, places: 0), $0.fraction) }, on: canvas)
    let columns = axis.marks(length: frame.plot.width, minimumDistance: 32)
    frame.drawVerticalMarks(
      columns.map { (FrequencyAxis.label(hertz: $0.hertz), Double(frame.x($0.fraction))) }, on: canvas)
    frame.drawUnits(left: table.weighting == .a ? "dBA" : "dB", below: "Hz", on: canvas)

    canvas.fill(bars(in: frame, axis: axis, range: range), withGradientOver: frame.plot, ChartColors.bars)
    for line in maximumLines(in: frame, axis: axis, range: range) {
      canvas.stroke(line, width: 1.5, with: ChartColors.maximum)
    }
  }

  /// 80 dB below the next 10 dB above the loudest maximum.
  var range: DecibelRange {
    DecibelRange(around: table.bands.compactMap { $0.maximumInDB ?? $0.meanInDB }.max())
  }

  private var edges: [Double] { table.bands.map(\.lowInHz) + table.bands.suffix(1).map(\.highInHz) }

  /// A pixel is left free between two bars where they are wide enough to spare it.
  func bars(in frame: ChartFrame, axis: FrequencyAxis, range: DecibelRange) -> [PixelRectangle] {
    table.bands.compactMap { band in
      let left = frame.x(axis.fraction(ofHz: band.lowInHz))
      let right = frame.x(axis.fraction(ofHz: band.highInHz))
      let top = frame.y(range.fraction(of: band.meanInDB))
      let gap = right - left >= 4 ? 1 : 0
      let bar = PixelRectangle(x: left, y: top, width: right - left - gap, height: frame.plot.bottom - top)
      return bar.isEmpty ? nil : bar
    }
  }

  /// Through the middles of the bands; broken where a band has no maximum.
  private func maximumLines(
    in frame: ChartFrame, axis: FrequencyAxis, range: DecibelRange
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
