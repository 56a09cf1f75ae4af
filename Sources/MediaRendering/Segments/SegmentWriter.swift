package import AudioEncoding
internal import DecodingService
internal import LibraryTracks
internal import MediaModel

/// A part of a track as a sound file.
package struct SegmentRequest: Hashable, Sendable {
  package var part: TrackPart
  package var kind: SoundFileKind
  /// nil for ``SoundFileKind/form(holding:)``.
  package var form: SampleForm?

  package init(part: TrackPart = TrackPart(), kind: SoundFileKind, form: SampleForm? = nil) {
    self.part = part
    self.kind = kind
    self.form = form
  }

  fileprivate func makeEncoder(
    _ format: AudioFormat, of recording: MediaFormat, frameCount: Int64
  ) throws(AudioEncodingError) -> any SoundEncoder {
    try kind.makeEncoder(format, form: form ?? kind.form(holding: recording), frameCount: frameCount)
  }
}

/// Writes a part of a track as a sound file, block by block; the samples are bit for bit those of a whole decode.
package struct SegmentWriter {
  package let frames: Range<Int64>
  /// Whether the track ends before the part does.
  package let isCutAtEnd: Bool
  private let reader: SegmentReader
  private let encoder: any SoundEncoder
  /// Where each channel of the file comes from; nil if the order stays.
  private let permutation: [Int]?

  /// Opens the recording.
  ///
  /// - Throws: ``RenderingError/nothingInRange(_:durationInSeconds:)``, `AudioEncodingError` for what the format cannot
  ///   hold, and what opening throws.
  package init(_ request: SegmentRequest, of source: RecordingSource) throws {
    frames = try request.part.frames(of: source.readableTrack)
    reader = try source.makeReader()
    let format = reader.format
    isCutAtEnd =
      request.part.endFrame(atRateInHz: format.sampleRateInHz).map { [frames] end in
        (source.track.part?.part.frames.lowerBound ?? 0) + end > frames.upperBound
      } ?? false
    encoder = try request.makeEncoder(format, of: source.track.format, frameCount: Int64(frames.count))
    // Raw samples keep the order of the source.
    permutation =
      request.kind == .raw
      ? nil : ChannelOrder.permutation(from: format.channelOrder, channelCount: format.channelCount)
  }

  /// Samples beyond full scale that were cut to it.
  package var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Of the whole file; nil if that depends on the samples.
  package var byteCount: Int64? { encoder.byteCount }

  /// Passes on the bytes of the sound file, from the first to the last; call this once.
  ///
  /// - Returns: What replaces the first bytes; empty if they stay.
  package func write(_ append: ([UInt8]) throws -> Void) throws -> [UInt8] {
    let count = try reader.forEachPiece(of: frames) { samples in
      if let permutation {
        let reordered = ChannelOrder.reordered(samples, by: permutation)
        try append(try encoder.encode(reordered.span))
      } else {
        try append(try encoder.encode(samples))
      }
    }
    guard count == Int64(frames.count) else { throw RenderingError.missingFrames(Int64(frames.count) - count) }
    let (end, start) = try encoder.finish()
    if !end.isEmpty { try append(end) }
    return start
  }
}
