internal import CTagLib
package import MediaModel

/// The readers of TagLib; which one is used depends on what the bytes are, never on a name.
enum TagLibFormat {
  case mpeg, flac, vorbis, opus, speex, oggFLAC, wav, aiff, mp4, asf, ape, wavPack, musepack, trueAudio
  case it, xm, s3m, mod

  fileprivate var kind: dw_tag_kind {
    switch self {
    case .mpeg: DW_TAG_MPEG
    case .flac: DW_TAG_FLAC
    case .vorbis: DW_TAG_VORBIS
    case .opus: DW_TAG_OPUS
    case .speex: DW_TAG_SPEEX
    case .oggFLAC: DW_TAG_OGG_FLAC
    case .wav: DW_TAG_WAV
    case .aiff: DW_TAG_AIFF
    case .mp4: DW_TAG_MP4
    case .asf: DW_TAG_ASF
    case .ape: DW_TAG_APE
    case .wavPack: DW_TAG_WAVPACK
    case .musepack: DW_TAG_MUSEPACK
    case .trueAudio: DW_TAG_TRUE_AUDIO
    case .it: DW_TAG_IT
    case .xm: DW_TAG_XM
    case .s3m: DW_TAG_S3M
    case .mod: DW_TAG_MOD
    }
  }
}

/// Reads every tag and picture of a file by what its format finds, or through TagLib where nothing here reads it.
///
/// TagLib keeps process-wide state without locks, and trusts its input: use it on one thread, in a worker.
struct TagReader {
  let bytes: BufferedBytes
  /// False where no library may read tags: then it is as if it had found none.
  var usesLibraries = true
  /// Whether TagLib measures the audio of a file, because nothing is known to decode it.
  var measures = true

  /// What a format reads itself.
  ///
  /// - Parameters:
  ///   - known: of a file whose audio TagLib measures in case that nothing decodes it; nil if there is no need to.
  ///   - format: as what it does.
  func collect(
    measuring known: MediaFormat? = nil, as format: TagLibFormat = .mpeg,
    _ read: (TagCollector) throws(DecodingError) -> Void
  ) throws(DecodingError) -> TagReading {
    let collector = TagCollector()
    try read(collector)
    var reading = TagReading(collector)
    if let known {
      var audio = dw_tag_audio()
      if usesLibraries, measures { (_, audio) = try readByTagLib(format, into: TagCollector(), asksForAudio: true) }
      reading.format = Self.measured(known, audio)
    }
    return reading
  }

  /// What TagLib reads in a container that nothing here reads.
  func read(as format: TagLibFormat, measuring known: MediaFormat? = nil) throws(DecodingError) -> TagReading {
    let collector = TagCollector()
    var (isRefused, audio) = (false, dw_tag_audio())
    if usesLibraries {
      (isRefused, audio) = try readByTagLib(format, into: collector, asksForAudio: known != nil)
    }
    var reading = TagReading(collector)
    if isRefused { reading.notes.append("unreadable-tags") }
    reading.format = known.map { Self.measured($0, audio) }
    return reading
  }

  private func readByTagLib(
    _ format: TagLibFormat, into collector: TagCollector, asksForAudio: Bool
  ) throws(DecodingError) -> (isRefused: Bool, dw_tag_audio) {
    var sink = dw_tag_sink(
      context: Unmanaged.passUnretained(collector).toOpaque(), property: addProperty, picture: addPicture)
    var error = dw_read_error()
    var audio = dw_tag_audio()
    let file = bytes.file
    var whole = dw_byte_range(offset: file.origin, size: file.byteCount)
    let result = withExtendedLifetime(collector) {
      withUnsafeMutablePointer(to: &audio) {
        dw_read_tags(
          file.descriptor, &whole, 1, TagLimits.readBudget, format.kind, &sink, asksForAudio ? $0 : nil, &error)
      }
    }
    guard result != DW_TAG_READ_FAILED else {
      throw .unreadable(errorNumber: error.number, byteOffset: error.offset)
    }
    return (result != DW_TAG_DONE, audio)
  }

  /// The numbers that are possible; TagLib is known to give -1, and worse.
  private static func measured(_ known: MediaFormat, _ audio: dw_tag_audio) -> MediaFormat {
    var format = known
    if (1...384_000).contains(audio.sample_rate) { format.sampleRateInHz = Int(audio.sample_rate) }
    if (1...64).contains(audio.channels) { format.channelCount = Int(audio.channels) }
    if (1...64).contains(audio.bits), known.codec?.isLossless == true { format.bitsPerSample = Int(audio.bits) }
    if (1...100_000).contains(audio.bit_rate) { format.bitRateInBitsPerSecond = Int(audio.bit_rate) * 1000 }
    if audio.length_milliseconds > 0, let rate = format.sampleRateInHz {
      format.declaredFrameCount = Int64(audio.length_milliseconds) * Int64(rate) / 1000
    }
    return format
  }
}

extension TagReading {
  fileprivate init(_ collector: TagCollector) {
    tags = collector.tags
    artwork = collector.artwork
    notes = collector.notes
  }
}

private func addProperty(
  context: UnsafeMutableRawPointer?, name: UnsafePointer<CChar>?, nameSize: Int, value: UnsafePointer<CChar>?,
  valueSize: Int
) {
  guard let context else { return }
  Unmanaged<TagCollector>.fromOpaque(context).takeUnretainedValue().addProperty(
    name: UnsafeRawBufferPointer(start: name, count: nameSize),
    value: UnsafeRawBufferPointer(start: value, count: valueSize))
}

private func addPicture(
  context: UnsafeMutableRawPointer?, type: Int32, mime: UnsafePointer<CChar>?, mimeSize: Int,
  caption: UnsafePointer<CChar>?, captionSize: Int, bytes: UnsafePointer<UInt8>?, size: Int
) {
  guard let context else { return }
  Unmanaged<TagCollector>.fromOpaque(context).takeUnretainedValue().addPicture(
    type: Int(type), mimeType: UnsafeRawBufferPointer(start: mime, count: mimeSize),
    caption: UnsafeRawBufferPointer(start: caption, count: captionSize),
    bytes: UnsafeRawBufferPointer(start: bytes, count: size))
}

/// What the tag library says about a file.
package struct TagReading: Hashable, Sendable {
  package var tags = Tags()
  package var artwork: [Artwork] = []
  /// For containers without a decoder, as far as the numbers are possible; nil for all others.
  package var format: MediaFormat?
  /// `truncated-tags` if more was found than is kept, `unreadable-tags` if the library gave up.
  package var notes: [String] = []

  package init() {}
}

/// How much of a file's tags is kept: more than anyone needs.
package enum TagLimits {
  static let maximumValueByteCount = 64 << 10
  static let maximumValueCount = 10_000
  static let maximumTextByteCount = 8 << 20
  package static let maximumPictureByteCount = 16 << 20
  package static let maximumPictureCount = 32
  /// Bytes that are read of a file, pictures included.
  static let readBudget: Int64 = 256 << 20
  /// Of all pictures.
  static let maximumPicturesByteCount = 64 << 20
  /// Of a tag that has to be restored in memory before it is read: the pictures, and as much again.
  static let maximumRestoredByteCount: Int64 = 128 << 20
}
