internal import MediaModel

extension WaveformPicture {
  private static let tickLength = 10
  private static let fontSize = 11.0
  private static let titleSize = 13.0

  /// The border, a tick at top and bottom for each label, and the time above the bottom tick.
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

    // The labels need room that a strip of a few pixels does not have.
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

  /// Right of the first tick, where there is an axis.
  func drawTitle(on canvas: borrowing Canvas) {
    guard size.height >= 40 else { return }
    canvas.title(
      title, x: 8, baseline: 20, width: Double(size.width) - 16, size: Self.titleSize, color: colors.axisText,
      halo: colors.background.withAlpha(0.75))
  }
}
