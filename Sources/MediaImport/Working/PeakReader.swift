internal import AudioAnalysis
package import AudioDecoding
package import MediaModel

/// Peaks of a recording that must be decoded for them.
package enum PeakReader {
  /// Reduces the frames asked for.
  ///
  /// - Returns: peaks that begin at the first frame of the request; fewer points where the recording ends before.
  package static func peaks(from reader: SegmentReader, _ request: PeakRequest) throws -> WaveformPeaks {
    var analyzer = WaveformPeakAnalyzer(
      format: reader.format, channels: request.splitsChannels ? .separate(limit: 24) : .mixed,
      framesPerPoint: request.framesPerPoint, resolution: request.resolution)
    try reader.forEachPiece(of: request.frames) { analyzer.consume($0) }
    return analyzer.finish()
  }
}
