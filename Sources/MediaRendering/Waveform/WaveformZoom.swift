internal import Base

/// How many frames one point of a waveform covers, as asked for.
package enum WaveformZoom: Hashable, Sendable {
  /// At least 2 frames per point.
  case framesPerPoint(Int)
  /// A whole number of points per second; the frames per point are rounded down.
  case pointsPerSecond(Int)
  /// The whole recording in this many points.
  case fitting(pointCount: Int)
  /// A range of the recording, in seconds, in this many points.
  case range(startInSeconds: Double, endInSeconds: Double, pointCount: Int)

  package static let minimumFramesPerPoint = 2

  /// The frames per point, computed as audiowaveform does.
  ///
  /// A recording too short for ``fitting(pointCount:)`` gets the finest zoom instead of an error.
  /// - Throws: ``RenderingError/zoom(reason:)`` if the result is not in `2...2^31-1`.
  package func framesPerPoint(sampleRateInHz rate: Int, frameCount: Int64) throws(RenderingError) -> Int {
    let result: Int
    switch self {
    case .framesPerPoint(let frames):
      result = frames
    case .pointsPerSecond(let points):
      guard points > 0 else { throw .zoom(reason: "points per second must be at least 1, not \(points)") }
      result = rate / points
      guard result >= Self.minimumFramesPerPoint else {
        throw .zoom(reason: "at \(rate) Hz there can be 1 to \(rate / 2) points per second, not \(points)")
      }
    case .fitting(let points):
      guard points > 0 else { throw .zoom(reason: "a width must be at least 1, not \(points)") }
      result = max(Self.minimumFramesPerPoint, Int(clamping: frameCount) / points)
    case .range(let start, let end, let points):
      guard points > 0 else { throw .zoom(reason: "a width must be at least 1, not \(points)") }
      guard start >= 0, end > start, let frames = Int(exactly: ((end - start) * Double(rate)).rounded(.towardZero))
      else {
        throw .zoom(
          reason: "nothing between \(DecimalText.number(start, places: 3)) and "
            + "\(DecimalText.number(end, places: 3)) s")
      }
      result = frames / points
      guard result >= Self.minimumFramesPerPoint else {
        throw .zoom(
          reason: "\(DecimalText.number(end - start, places: 6)) s at \(rate) Hz are \(frames) frames: "
            + "enough for at most \(frames / 2) points of 2 frames, not \(points)")
      }
    }
    guard (Self.minimumFramesPerPoint...Int(Int32.max)).contains(result) else {
      throw .zoom(reason: "frames per point must be 2 to \(Int32.max), not \(result)")
    }
    return result
  }
}
