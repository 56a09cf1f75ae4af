package import MediaModel

/// A waveform over time, a row a channel, after the rules of audiowaveform's pictures.
///
/// A column of pixels is a point of the peaks. Columns beyond the data stay background; silence is one pixel high.
package struct WaveformPicture: Picture {
  /// How peaks become shapes.
  package enum Shape: Hashable, Sendable {
    case normal
    /// Symmetric bars, each the largest excursion below it.
    case bars(width: Int, gap: Int, isRounded: Bool)

    package static let bars = Shape.bars(width: 8, gap: 4, isRounded: false)
  }

  /// What the colours tell.
  package enum Style: String, CaseIterable, Sendable {
    case peaks
    /// The RMS level of the mix inside its peaks.
    case rms
    /// Peaks coloured by the energy of lows, mids and highs.
    case bands
  }

  package var size: PictureSize
  package var peaks: WaveformPeaks
  /// The point of `peaks` in the first column; columns before point 0 stay background.
  package var firstPoint = 0
  /// Time of the first column, for the axis.
  package var startInSeconds = 0.0
  package var shape = Shape.normal
  package var style = Style.peaks
  /// Needed by the styles `rms` and `bands`, which otherwise draw peaks alone.
  package var energy: WaveformEnergy?
  /// The frame of the recording at which point 0 of `peaks` begins, to find its energy.
  package var firstFrame: Int64 = 0
  package var amplitudeScale = AmplitudeScale.one
  package var colors = WaveformColors.audacity
  package var hasAxis = true
  /// Drawn over the top left corner, in any script.
  package var title = ""

  package init(size: PictureSize, peaks: WaveformPeaks) {
    self.size = size
    self.peaks = peaks
  }

  package var isOpaque: Bool { colors.background.alpha >= 1 }

  package func draw(on canvas: borrowing Canvas) {
    let area = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    canvas.fill(area, with: colors.background)
    let factor = visibleFactor
    for (channel, row) in rows.enumerated() where !row.isEmpty {
      drawRow(row, channel: channel, factor: factor, on: canvas)
    }
    if hasAxis { drawAxis(on: canvas) }
    drawTitle(on: canvas)
  }

  /// One row of pixels for each channel, a blank row of pixels between two; the last takes what remains.
  var rows: [PixelRectangle] {
    let border = hasAxis ? 1 : 0
    let usable = size.height - 2 * border
    let height = usable / peaks.channelCount
    return (0..<peaks.channelCount).map { channel in
      let top = border + channel * (height + 1)
      let isLast = channel == peaks.channelCount - 1
      return PixelRectangle(
        x: 0, y: top, width: size.width, height: isLast ? size.height - border - top : height)
    }
  }

  /// The points that have a column.
  var visiblePoints: Range<Int> {
    let end = firstPoint.addingReportingOverflow(size.width)
    return (firstPoint..<(end.overflow ? .max : end.partialValue)).clamped(to: 0..<peaks.pointCount)
  }

  /// `auto` looks at the points in sight alone.
  private var visibleFactor: Double {
    let extremes = (0..<peaks.channelCount).compactMap { peaks.extremes(of: visiblePoints, channel: $0) }
    return amplitudeScale.factor(
      low: extremes.map(\.lowerBound).min() ?? 0, high: extremes.map(\.upperBound).max() ?? 0)
  }
}
