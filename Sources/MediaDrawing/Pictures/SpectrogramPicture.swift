internal import Base
internal import Glibc
package import MediaModel

/// A spectrum over time: frequencies upwards, levels as colours.
package struct SpectrogramPicture: Picture {
  package var size: PictureSize
  package var section: SpectrogramSection
  package var colors = ColorMap.ember
  package var theme = ChartTheme.dark
  /// Drawn above the plot, in any script.
  package var title = ""
  package var scale = FrequencyAxis.Scale.log
  /// The time that the width shows; the section may be shorter at the end of a recording. nil for the section's length.
  package var durationInSeconds: Double?
  /// The levels that the colours cover; if nil, 80 dB up to the multiple of 10 dB above the loudest level.
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

  /// The size of the plot in pixels: that of the picture without its axes.
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

/// A spectrogram resampled to a number of columns and rows: pixels, or half cells in a terminal.
struct SpectrogramRaster {
  let width: Int
  let height: Int
  /// In dB, row by row from the highest frequency down; empty if there is nothing to show.
  private(set) var levelsInDB: [Float] = []

  /// Several columns in one place become their mean power; between columns and bands it interpolates.
  init(_ section: SpectrogramSection, scale: FrequencyAxis.Scale = .log, width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    guard section.columnCount > 0, section.bandCount > 0, self.width > 0, self.height > 0 else { return }
    guard let axis = FrequencyAxis(edgesInHz: section.edgesInHz, scale: scale) else { return }
    levelsInDB = Array(repeating: 0, count: self.width * self.height)
    let places = (0..<self.height).map { y in
      let fraction = (Double(self.height - y) - 0.5) / Double(self.height)
      return section.bandPlace(ofHz: axis.frequencyInHz(at: fraction)) - 0.5
    }
    for x in 0..<self.width {
      let column = Self.column(x, of: self.width, in: section)
      for y in 0..<self.height {
        levelsInDB[y * self.width + x] = Self.interpolated(column, at: places[y])
      }
    }
  }

  /// Levels of all bands for one place.
  private static func column(_ x: Int, of width: Int, in section: SpectrogramSection) -> [Float] {
    let bands = 0..<section.bandCount
    let columnsPerPlace = Double(section.columnCount) / Double(width)
    guard columnsPerPlace > 1 else {
      let place = (Double(x) + 0.5) * columnsPerPlace - 0.5
      let left = max(0, Int(place.rounded(.down)))
      let right = min(left + 1, section.columnCount - 1)
      let amount = Float(max(0, min(place - Double(left), 1)))
      return bands.map { band in
        let (from, to) = (section.levelInDB(column: left, band: band), section.levelInDB(column: right, band: band))
        return from + (to - from) * amount
      }
    }
    let first = Int(Double(x) * columnsPerPlace)
    let end = min(max(first + 1, Int(Double(x + 1) * columnsPerPlace)), section.columnCount)
    return bands.map { band in
      var power = 0.0
      for column in first..<end { power += pow(10, Double(section.levelInDB(column: column, band: band)) / 10) }
      return Float(10 * log10(power / Double(end - first)))
    }
  }

  private static func interpolated(_ column: [Float], at place: Double) -> Float {
    let low = max(0, min(Int(place.rounded(.down)), column.count - 1))
    let high = min(low + 1, column.count - 1)
    let amount = Float(max(0, min(place - Double(low), 1)))
    return column[low] + (column[high] - column[low]) * amount
  }
}
