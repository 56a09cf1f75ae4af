package import MediaModel

/// A waveform over time, one row for each channel, by the rules of audiowaveform's pictures.
///
/// A column of pixels is a point of the peaks. Columns beyond the data stay background; silence is one pixel high.
package struct WaveformPicture: Picture {
  /// How peaks become shapes.
  package enum Shape: Hashable, Sendable {
    case normal
    /// Symmetric bars, each as high as the largest excursion in its columns.
    case bars(width: Int, gap: Int, isRounded: Bool)

    package static let bars = Shape.bars(width: 8, gap: 4, isRounded: false)
  }

  /// What the colours show.
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
  /// Needed by the styles `rms` and `bands`, which without it draw only peaks.
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

  /// One row for each channel, with a blank line of pixels between two; the last row gets what remains.
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

  /// `auto` considers only the visible points.
  private var visibleFactor: Double {
    let extremes = (0..<peaks.channelCount).compactMap { peaks.extremes(of: visiblePoints, channel: $0) }
    return amplitudeScale.factor(
      low: extremes.map(\.lowerBound).min() ?? 0, high: extremes.map(\.upperBound).max() ?? 0)
  }
}

/// The colours of a waveform picture.
package struct WaveformColors: Hashable, Sendable {
  package var border: PictureColor
  package var background: PictureColor
  /// One for each channel, reused in turn if there are more channels; at least one.
  package var waveform: [PictureColor]
  package var axisText: PictureColor

  package init(
    border: PictureColor, background: PictureColor, waveform: [PictureColor], axisText: PictureColor
  ) {
    self.border = border
    self.background = background
    self.waveform = waveform
    self.axisText = axisText
  }

  package static let audacity = WaveformColors(
    border: PictureColor(0, 0, 0), background: PictureColor(214, 214, 214), waveform: [PictureColor(63, 77, 155)],
    axisText: PictureColor(0, 0, 0))

  package static let audition = WaveformColors(
    border: PictureColor(157, 157, 157), background: PictureColor(0, 63, 34),
    waveform: [PictureColor(134, 252, 199)], axisText: PictureColor(190, 190, 190))

  /// The colours of the spectra's dark theme.
  package static let dark = WaveformColors(
    border: PictureColor(60, 66, 80), background: PictureColor(16, 18, 24),
    waveform: [PictureColor(255, 176, 32), PictureColor(76, 201, 240)], axisText: PictureColor(186, 192, 204))

  /// The colours of the spectra's light theme.
  package static let light = WaveformColors(
    border: PictureColor(196, 202, 214), background: PictureColor(255, 255, 255),
    waveform: [PictureColor(214, 92, 12), PictureColor(11, 112, 160)], axisText: PictureColor(60, 66, 80))

  func waveform(ofChannel channel: Int) -> PictureColor {
    waveform.isEmpty ? axisText : waveform[channel % waveform.count]
  }
}

extension WaveformPicture {
  private static let tickLength = 10
  private static let fontSize = 11.0
  private static let titleSize = 13.0

  /// The border, and for each label a tick at top and bottom with the time above the bottom one.
  func drawAxis(on canvas: borrowing Canvas) {
    let area = PixelRectangle(x: 0, y: 0, width: size.width, height: size.height)
    canvas.stroke(area, with: colors.border)
    let axis = TimeAxis(
      startInSeconds: startInSeconds,
      placesPerSecond: Double(peaks.sampleRateInHz) / Double(max(peaks.framesPerPoint, 1)), length: size.width)
    let length = min(Self.tickLength, size.height / 4)
    let ticks = axis.marks.flatMap { mark in
      let x = Int(mark.position)
      return [
        PixelRectangle(x: x, y: 0, width: 1, height: length),
        PixelRectangle(x: x, y: size.height - length, width: 1, height: length),
      ]
    }
    canvas.fill(ticks, with: colors.border)

    // A strip of a few pixels has no room for labels.
    guard size.height >= 40 else { return }
    let baseline = Double(size.height - length) - 3
    for mark in axis.marks {
      let half = canvas.width(ofText: mark.label, size: Self.fontSize) / 2
      // A label that would be cut at an edge is left out, except the first, which moves inside.
      let x = mark.position < half + 3 ? half + 3 : mark.position + 0.5
      guard x + half + 2 <= Double(size.width) else { continue }
      canvas.text(
        mark.label, x: x, baseline: baseline, size: Self.fontSize, align: .center, color: colors.axisText,
        halo: colors.background.withAlpha(0.75))
    }
  }

  /// To the right of the first tick if there is an axis.
  func drawTitle(on canvas: borrowing Canvas) {
    guard size.height >= 40 else { return }
    canvas.title(
      title, x: 8, baseline: 20, width: Double(size.width) - 16, size: Self.titleSize, color: colors.axisText,
      halo: colors.background.withAlpha(0.75))
  }
}
