package import Base
package import MediaModel

/// Turns blocks of samples into the bytes of a sound file, in order.
///
/// The number of frames must be known at the start, because most headers state it.
package protocol SoundEncoder: AnyObject {
  /// Samples beyond full scale that were cut to it.
  var clippedSampleCount: Int { get }

  /// Of the whole file; nil if that depends on the samples.
  var byteCount: Int64? { get }

  /// Adds interleaved samples of whole frames; returns the bytes that are ready.
  func encode(_ samples: Span<Float>) throws(AudioEncodingError) -> [UInt8]

  /// The last bytes, and those that replace the start of the file if ``SoundFileKind/rewritesStart``. Call it once.
  func finish() throws(AudioEncodingError) -> (end: [UInt8], start: [UInt8])
}

extension SoundEncoder {
  package var byteCount: Int64? { nil }
}

/// The sound files that can be written.
package enum SoundFileKind: String, CaseIterable, Sendable {
  case wav, flac, raw, ogg, opus, mp3

  /// Those that only encode; `AudioDecoding` has the others.
  package static var libraries: [SharedLibrary] { [MP3Encoder.library, VorbisEncoder.library] }

  /// Whether the first bytes are known only at the end.
  package var rewritesStart: Bool { self == .flac || self == .mp3 }

  /// Whether samples are changed by the encoder, which also moves peaks.
  package var isLossy: Bool {
    switch self {
    case .ogg, .opus, .mp3: true
    case .wav, .flac, .raw: false
    }
  }

  /// The sample rate at which a recording is encoded.
  package func sampleRate(for rate: Int) -> Int {
    switch self {
    case .opus: OpusEncoder.sampleRateInHz
    case .mp3: MP3Encoder.sampleRate(for: rate)
    case .ogg: VorbisEncoder.sampleRate(for: rate)
    case .wav, .flac, .raw: rate
    }
  }

  /// The highest constant bit rate of MP3 up to a limit; the lowest one if all are beyond it.
  ///
  /// - Parameters:
  ///   - limit: In kbit/s, and so is the result.
  ///   - sampleRateInHz: At which a recording is encoded.
  package static func mp3BitRate(upTo limit: Int, sampleRateInHz: Int) -> Int {
    MP3Encoder.bitRate(upTo: limit, sampleRateInHz: sampleRateInHz)
  }

  /// How many channels a file can have.
  package var largestChannelCount: Int {
    switch self {
    case .mp3: 2
    case .flac, .opus: 8
    case .ogg: 255
    case .wav, .raw: .max
    }
  }

  /// The form that loses nothing of a recording, as far as such a file can hold it: ``SampleForm/init(holding:)``, but 24
  /// bits instead of floats in FLAC, and always floats in raw files and for lossy encoders.
  package func form(holding format: MediaFormat) -> SampleForm {
    let holding = SampleForm(holding: format)
    return switch self {
    case .wav: holding
    case .flac: holding == .float32 ? .int24 : holding
    case .raw, .ogg, .opus, .mp3: .float32
    }
  }

  /// Whether channels keep their loudspeakers: in Vorbis, Opus and MP3 these follow from the number of channels.
  package func keepsLoudspeakers(of format: AudioFormat) -> Bool {
    switch self {
    case .ogg, .opus, .mp3: format.unusualMask == nil
    case .wav, .flac, .raw: true
    }
  }

  /// Whether a picture fits into the file.
  package func holds(_ picture: Artwork) -> Bool { self != .flac || FLACEncoder.holds(picture) }

  /// - Parameters:
  ///   - form: FLAC has no ``SampleForm/float32``; lossy encoders ignore it.
  ///   - frameCount: of all blocks together.
  ///   - tags: ignored by raw samples.
  /// - Throws: ``AudioEncodingError(reason:)`` for what the format cannot hold.
  package func makeEncoder(
    _ format: AudioFormat, form: SampleForm, frameCount: Int64, tags: SoundTags = .none,
    lossy: LossyEncoding = LossyEncoding()
  ) throws(AudioEncodingError) -> any SoundEncoder {
    switch self {
    case .wav: try WaveEncoder(format, form: form, frameCount: frameCount, tags: tags)
    case .flac: try FLACEncoder(format, form: form, frameCount: frameCount, tags: tags)
    case .ogg: try VorbisEncoder(format, quality: lossy.quality ?? 6, frameCount: frameCount, tags: tags)
    case .opus:
      try OpusEncoder(
        format, bitRate: lossy.bitRate ?? 80_000 * format.channelCount,
        sourceRateInHz: lossy.sourceRateInHz ?? format.sampleRateInHz, frameCount: frameCount, tags: tags)
    case .mp3:
      try MP3Encoder(
        format, bitRate: lossy.bitRate, quality: lossy.quality ?? 2, frameCount: frameCount, tags: tags)
    case .raw:
      RawEncoder(form: form, byteCount: frameCount * Int64(format.channelCount * form.bytesPerSample))
    }
  }
}

/// Writes samples and nothing else.
final class RawEncoder: SoundEncoder {
  let byteCount: Int64?
  private var writer: SampleWriter

  init(form: SampleForm, byteCount: Int64) {
    self.byteCount = byteCount
    writer = SampleWriter(form: form)
  }

  var clippedSampleCount: Int { writer.clippedSampleCount }

  func encode(_ samples: Span<Float>) -> [UInt8] {
    var bytes: [UInt8] = []
    writer.append(samples, to: &bytes)
    return bytes
  }

  func finish() -> (end: [UInt8], start: [UInt8]) { ([], []) }
}

/// Settings of lossy encoders.
package struct LossyEncoding: Hashable, Sendable {
  /// Of Vorbis, as in `oggenc -q` (default: 6, about 192 kbit/s for stereo), or of MP3 with a variable bit rate, as in
  /// `lame -V` (default: 2, about 190 kbit/s for stereo). A larger number is better in Vorbis, worse in MP3.
  package var quality: Double?
  /// Of Opus (default: 80 kbit/s per channel) or of MP3 with a constant bit rate, in bits per second for all channels.
  package var bitRate: Int?
  /// Of the recording before it was resampled to Opus's 48 kHz.
  package var sourceRateInHz: Int?

  package init(quality: Double? = nil, bitRate: Int? = nil, sourceRateInHz: Int? = nil) {
    self.quality = quality
    self.bitRate = bitRate
    self.sourceRateInHz = sourceRateInHz
  }
}

/// Why a sound file cannot be encoded, as a sentence for the user.
package struct AudioEncodingError: Error, Hashable, CustomStringConvertible {
  package let reason: String
  package var description: String { reason }

  /// Throws what the `load` function of a library has returned.
  static func check(_ problem: UnsafePointer<CChar>?) throws(AudioEncodingError) {
    if let problem { throw AudioEncodingError(reason: String(cString: problem)) }
  }
}
