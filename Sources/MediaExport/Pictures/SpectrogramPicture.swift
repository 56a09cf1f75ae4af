internal import MediaModel

/// The spectrum over time: frequencies upwards, levels as colours.
package struct SpectrogramPicture: Picture {
  package var size: PictureSize
  package var section: SpectrogramSection
  package var colors = ColorMap.ember
  package var theme = ChartTheme.dark
  /// Drawn above the plot, in any script.
  package var title = ""
  package var scale = FrequencyAxis.Scale.log
  /// What the width stands for; the section ends before that where the recording does. nil for the section's length.
  package var durationInSeconds: Double?
  /// The levels that the colours cover; 80 dB below the next 10 dB above the loudest level where it is nil.
  package var levels: DecibelRange?

  package init(size: PictureSize, section: SpectrogramSection) {
    self.size = size
    self.section = section
  }

  package func draw(on canvas: borrowing Canvas) {
    let frame = frame
    canvas.fill(frame.area, with: theme.background)
    canvas.fill(frame.plot, with: theme.plot)
    frame.drawTitle(title, width: Double(frame.plot.width), on: canvas)
    guard let axis = FrequencyAxis(edgesInHz: section.edgesInHz, scale: scale), section.columnCount > 0 else { return }
    let range = range
    let placesPerSecond = Double(frame.plot.width) / max(durationInSeconds ?? 0, section.durationInSeconds)
    let width = max(1, Int((placesPerSecond * section.durationInSeconds).rounded()))
    canvas.paint(image(width: width, height: frame.plot.height, range: range), x: frame.plot.x, y: frame.plot.y)

    let rows = axis.marks(length: frame.plot.height, minimumDistance: scale == .log ? 18 : 30)
    frame.drawHorizontalMarks(
      rows.map { (FrequencyAxis.label(hertz: $0.hertz), $0.fraction) }, hasLines: false, on: canvas)
    let times = TimeAxis(
      startInSeconds: section.startInSeconds, placesPerSecond: placesPerSecond, length: frame.plot.width)
    frame.drawVerticalMarks(
      times.marks.map { ($0.label, Double(frame.plot.x) + $0.position) }, hasLines: false, on: canvas)
    frame.drawUnit(left: "Hz", on: canvas)
    drawScale(beside: frame, range: range, on: canvas)
  }

  /// The pixels that the levels are drawn on: what is left of a picture beside its axes.
  package static func plotSize(of size: PictureSize) -> (width: Int, height: Int) {
    let plot = frame(size, .dark).plot
    return (plot.width, plot.height)
  }

  var frame: ChartFrame { Self.frame(size, theme) }

  /// Room on the right for the scale of colours.
  private static func frame(_ size: PictureSize, _ theme: ChartTheme) -> ChartFrame {
    ChartFrame(size: size, theme: theme, right: 74)
  }

  var range: DecibelRange { levels ?? DecibelRange(around: section.maximumInDB.map(Double.init)) }

  func image(width: Int, height: Int, range: DecibelRange) -> PixelImage {
    let raster = SpectrogramRaster(section, scale: scale, width: width, height: height)
    let palette = colors.colors.map(PixelImage.pixel)
    var image = PixelImage(width: width, height: height)
    for (index, level) in raster.levelsInDB.enumerated() {
      let place = range.fraction(of: Double(level)) * Double(palette.count - 1)
      image.pixels[index] = palette[Int(place.rounded())]
    }
    return image
  }

  private func drawScale(beside frame: ChartFrame, range: DecibelRange, on canvas: borrowing Canvas) {
    guard frame.plot != frame.area else { return }
    let bar = PixelRectangle(x: frame.plot.right + 16, y: frame.plot.y, width: 12, height: frame.plot.height)
    var image = PixelImage(width: bar.width, height: bar.height)
    for y in 0..<bar.height {
      let pixel = PixelImage.pixel(colors.color(at: 1 - (Double(y) + 0.5) / Double(bar.height)))
      for x in 0..<bar.width { image.pixels[y * bar.width + x] = pixel }
    }
    canvas.paint(image, x: bar.x, y: bar.y)
    for mark in range.marks(length: bar.height, minimumDistance: 24) {
      canvas.text(
        DecimalText.number(mark.level, places: 0), x: Double(bar.right + 6),
        baseline: Double(frame.y(mark.fraction)) + 4,
        size: ChartFrame.fontSize, color: theme.text)
    }
    canvas.text(
      section.weighting == .a ? "dBA" : "dB", x: Double(bar.right + 6), baseline: Double(frame.plot.y) - 9,
      size: ChartFrame.fontSize, color: theme.text)
  }
}
