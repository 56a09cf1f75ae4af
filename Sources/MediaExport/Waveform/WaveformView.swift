/// The part of a recording that a picture shows, as points of a waveform.
package struct WaveformView: Hashable, Sendable {
  package let framesPerPoint: Int
  /// The first point that is shown; points begin at multiples of `framesPerPoint` frames from the recording's start.
  package let firstPoint: Int
  /// Columns of the picture; the recording may end before the last.
  package let pointCount: Int
  package let startInSeconds: Double

  /// - Throws: ``ExportError/zoom(reason:)`` for a zoom that cannot be, or a start that is no time.
  package init(
    zoom: WaveformZoom, startInSeconds start: Double, pointCount: Int, of stored: WaveformInventory
  ) throws(ExportError) {
    framesPerPoint = try zoom.framesPerPoint(sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    guard start >= 0, let frame = Int(exactly: (start * Double(stored.sampleRateInHz)).rounded(.towardZero)),
      frame < Int.max / 2
    else { throw .zoom(reason: "the start must be a time in seconds, not \(start)") }
    firstPoint = frame / framesPerPoint
    self.pointCount = max(pointCount, 0)
    startInSeconds = start
  }

  /// The frames that are shown; they may reach beyond the recording's end.
  package var frames: Range<Int64> {
    let start = firstPoint * framesPerPoint
    let (length, overflow) = pointCount.multipliedReportingOverflow(by: framesPerPoint)
    return Int64(
      start)..<Int64(overflow ? Int.max : start.addingReportingOverflow(length).overflow ? .max : start + length)
  }
}
