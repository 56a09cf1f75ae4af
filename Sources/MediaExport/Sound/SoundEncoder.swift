package import MediaModel

/// Turns blocks of samples into the bytes of a sound file, in order.
///
/// The number of frames is known before the first, because most headers state it.
package protocol SoundEncoder: AnyObject {
  /// Samples beyond full scale that were cut to it.
  var clippedSampleCount: Int { get }

  /// The bytes that are ready after these interleaved samples of whole frames.
  func encode(_ samples: Span<Float>) throws(ExportError) -> [UInt8]

  /// The last bytes, and those that replace as many at the start where ``SoundFileKind/rewritesStart``; called once.
  func finish() throws(ExportError) -> (end: [UInt8], start: [UInt8])
}

/// The sound files that can be written.
package enum SoundFileKind: String, CaseIterable, Sendable {
  case wav, flac, raw, ogg, opus

  /// Whether the first bytes are known when the last ones are.
  package var rewritesStart: Bool { self == .flac }

  /// Whether the channels of a sound keep their loudspeakers: Vorbis and Opus know those of a number of channels only.
  package func keepsLoudspeakers(of format: AudioFormat) -> Bool {
    switch self {
    case .ogg, .opus: format.unusualMask == nil
    case .wav, .flac, .raw: true
    }
  }

  /// Whether a picture fits into the file.
  package func holds(_ picture: Artwork) -> Bool { self != .flac || FLACEncoder.holds(picture) }

  /// - Parameters:
  ///   - form: ``SampleForm/float32`` is none of FLAC; Vorbis and Opus have none.
  ///   - frameCount: of all blocks together.
  ///   - tags: raw samples have none.
  /// - Throws: ``ExportError/encoding(reason:)`` for what the format cannot hold.
  package func makeEncoder(
    _ format: AudioFormat, form: SampleForm, frameCount: Int64, tags: SoundTags = .none,
    lossy: LossyEncoding = LossyEncoding()
  ) throws(ExportError) -> any SoundEncoder {
    switch self {
    case .wav: try WaveEncoder(format, form: form, frameCount: frameCount, tags: tags)
    case .flac: try FLACEncoder(format, form: form, frameCount: frameCount, tags: tags)
    case .ogg: try VorbisEncoder(format, quality: lossy.quality, frameCount: frameCount, tags: tags)
    case .opus:
      try OpusEncoder(
        format, bitRate: lossy.bitRate ?? 80_000 * format.channelCount,
        sourceRateInHz: lossy.sourceRateInHz ?? format.sampleRateInHz, frameCount: frameCount, tags: tags)
    case .raw: RawEncoder(form: form)
    }
  }
}

/// Samples and nothing else.
final class RawEncoder: SoundEncoder {
  private var writer: SampleWriter

  init(form: SampleForm) { writer = SampleWriter(form: form) }

  var clippedSampleCount: Int { writer.clippedSampleCount }

  func encode(_ samples: Span<Float>) -> [UInt8] {
    var bytes: [UInt8] = []
    writer.append(samples, to: &bytes)
    return bytes
  }

  func finish() -> (end: [UInt8], start: [UInt8]) { ([], []) }
}
