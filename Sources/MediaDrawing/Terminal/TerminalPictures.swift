package import MediaModel

/// Waveforms and spectra drawn with characters: lines of text, each ended by a newline. Sizes are in cells.
package enum TerminalPictures {
  /// The largest width and height of a drawing; larger ones are reduced to it.
  static let maximumSide = 10_000

  static func side(_ asked: Int) -> Int { max(0, min(asked, maximumSide)) }

  /// A line of labels below a drawing, each a tick and a text to its right. Labels that do not fit are left out.
  static func axisLine(
    _ marks: [(cell: Int, label: String)], width: Int, indent: Int = 0, capabilities: TerminalCapabilities
  ) -> String {
    let tick = capabilities.hasUnicode ? "╵" : "'"
    var line = String(repeating: " ", count: indent)
    var end = 0
    for mark in marks {
      let length = mark.label.count + 1
      guard mark.cell >= end, mark.cell + length <= width else { continue }
      line += String(repeating: " ", count: mark.cell - end) + tick + mark.label
      end = mark.cell + length
      // A blank separates two labels.
      if end < width {
        line += " "
        end += 1
      }
    }
    return trimmed(line) + "\n"
  }

  static func timeAxisLine(
    startInSeconds start: Double, durationInSeconds duration: Double, width: Int, indent: Int = 0,
    capabilities: TerminalCapabilities
  ) -> String {
    let axis = TimeAxis(
      startInSeconds: start, placesPerSecond: Double(width) / duration, length: width, minimumDistance: 10)
    return axisLine(
      axis.marks.map { (Int($0.position), $0.label) }, width: width, indent: indent, capabilities: capabilities)
  }

  static func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }
}

extension TerminalPictures {
  /// A waveform in braille (in ASCII without Unicode), with a time axis below.
  ///
  /// - Parameters:
  ///   - peaks: each channel gets its own rows; the mono mix has one.
  ///   - energy: colours the columns by lows, mids and highs if the terminal has colours.
  ///   - firstFrame: the frame of the recording at which point 0 of `peaks` begins.
  ///   - range: points that are drawn from edge to edge; nil for all.
  ///   - height: rows of cells for each channel.
  /// - Returns: `height` lines for each channel and one for the axis; the empty string if there is nothing to draw.
  package static func waveform(
    _ peaks: WaveformPeaks, energy: WaveformEnergy? = nil, firstFrame: Int64 = 0, points range: Range<Int>? = nil,
    width: Int,
    height: Int = 6, amplitudeScale: AmplitudeScale = .one, hasAxis: Bool = true, capabilities: TerminalCapabilities
  ) -> String {
    let (width, height) = (side(width), side(height))
    let points = (range ?? 0..<peaks.pointCount).clamped(to: 0..<peaks.pointCount)
    let origin = Int(clamping: max(0, min(firstFrame, Int64.max / 2)))
    guard width > 0, height > 0, !points.isEmpty, peaks.framesPerPoint > 0, peaks.sampleRateInHz > 0 else { return "" }
    let extremes = (0..<peaks.channelCount).compactMap { peaks.extremes(of: points, channel: $0) }
    let factor = amplitudeScale.factor(
      low: extremes.map(\.lowerBound).min() ?? 0, high: extremes.map(\.upperBound).max() ?? 0)
    let colors = columnColors(
      energy, peaks: peaks, origin: origin, points: points, width: width, capabilities: capabilities)

    var text = ""
    for channel in 0..<peaks.channelCount {
      let grid = dots(
        of: peaks, channel: channel, points: points, factor: factor,
        grid: DotGrid(width: width, height: height, capabilities: capabilities))
      for row in 0..<height {
        var line = TerminalLine(capabilities)
        for column in 0..<width {
          line.append(grid.character(column: column, row: row), foreground: colors.isEmpty ? nil : colors[column])
        }
        text += line.finish()
      }
    }
    guard hasAxis else { return text }
    let secondsPerPoint = Double(peaks.framesPerPoint) / Double(peaks.sampleRateInHz)
    return text
      + timeAxisLine(
        startInSeconds: Double(origin) / Double(peaks.sampleRateInHz) + Double(points.lowerBound) * secondsPerPoint,
        durationInSeconds: Double(points.count) * secondsPerPoint, width: width, capabilities: capabilities)
  }

  static func dots(
    of peaks: WaveformPeaks, channel: Int, points: Range<Int>, factor: Double, grid: consuming DotGrid
  ) -> DotGrid {
    let row = PixelRectangle(x: 0, y: 0, width: grid.dotColumnCount, height: grid.dotRowCount)
    for x in 0..<row.width {
      guard let extremes = peaks.extremes(of: place(x, of: row.width, in: points), channel: channel) else { continue }
      let top = WaveformPicture.y(of: AmplitudeScale.scale(extremes.upperBound, by: factor), in: row)
      let bottom = WaveformPicture.y(of: AmplitudeScale.scale(extremes.lowerBound, by: factor), in: row)
      grid.setColumn(x, rows: min(top, bottom)...max(top, bottom))
    }
    return grid
  }

  /// Empty without energy or without colours.
  static func columnColors(
    _ energy: WaveformEnergy?, peaks: WaveformPeaks, origin: Int, points: Range<Int>, width: Int,
    capabilities: TerminalCapabilities
  ) -> [PictureColor] {
    guard let energy, capabilities.colorDepth > .none else { return [] }
    return (0..<width).map { column in
      let points = place(column, of: width, in: points)
      return BandColor.color(
        of: BandEnergy(
          energy,
          frames: origin + points.lowerBound * peaks.framesPerPoint..<origin + points.upperBound * peaks.framesPerPoint)
      )
    }
  }

  /// The points that one of `count` places shows; at least one, so that few points fill many places.
  static func place(_ index: Int, of count: Int, in points: Range<Int>) -> Range<Int> {
    let start = points.lowerBound + index * points.count / count
    return start..<max(start + 1, points.lowerBound + (index + 1) * points.count / count)
  }
}
