internal import CSndFile
internal import CTagLib
package import MediaModel

/// Reads every tag and picture of a file through TagLib.
///
/// TagLib keeps process-wide state without locks, and trusts its input: use it on one thread, in a worker.
struct TagReader {
  let file: FileBytes
  let content: SniffedContent

  func read() throws(DecodingError) -> TagReading {
    var reading = TagReading()
    let collector = TagCollector()
    if content.container == .rf64 || content.container == .caf {
      if content.container == .caf {
        try CAFTexts.read(BufferedBytes(file), into: collector)
      } else {
        try SoundFileStrings.read(file, into: collector)
      }
      reading.tags = collector.tags
      return reading
    }
    if content.container == .matroska {
      try MatroskaTags.read(BufferedBytes(file), into: collector)
      reading.tags = collector.tags
      reading.artwork = collector.artwork
      if collector.isTruncated { reading.notes.append("truncated-tags") }
      return reading
    }
    guard let container = content.container else { return reading }
    let reader = kind(of: container)
    let ranges = try ranges(of: container, hasReader: reader != nil)
    guard reader != nil || !ranges.isEmpty else { return reading }
    var sink = dw_tag_sink(
      context: Unmanaged.passUnretained(collector).toOpaque(), property: addProperty, picture: addPicture)
    var audio = dw_tag_audio()
    var error = dw_read_error()
    let pieces = ranges.map { dw_byte_range(offset: file.origin + $0.lowerBound, size: $0.upperBound - $0.lowerBound) }
    // If there is a decoder, it measures the format; and a few pages do not give the length.
    let needsFormat = reader != nil && (!container.hasDecoder || content.codec == .speex)
    let asksForAudio = needsFormat && ranges == [0..<file.byteCount]
    let result = withExtendedLifetime(collector) {
      withUnsafeMutablePointer(to: &audio) {
        dw_read_tags(
          file.descriptor, pieces, pieces.count, TagLimits.readBudget, reader ?? DW_TAG_MPEG, &sink,
          asksForAudio ? $0 : nil, &error)
      }
    }
    guard result != DW_TAG_READ_FAILED else {
      throw .unreadable(errorNumber: error.number, byteOffset: error.offset)
    }
    if container == .mpeg, let found = try ID3v22Date(BufferedBytes(file)) {
      collector.replace("DATE", found.year, with: found.date)
    }
    let isRefused = result != DW_TAG_DONE
    collector.addMissing(
      try MisencodedText(BufferedBytes(file), container: container, isRefused: isRefused).values)
    if container == .mp4 { collector.addMissing(try QuickTimeTags.values(BufferedBytes(file))) }
    reading.tags = collector.tags
    reading.artwork = collector.artwork
    if collector.isTruncated { reading.notes.append("truncated-tags") }
    if isRefused { reading.notes.append("unreadable-tags") }
    if needsFormat { reading.format = format(container, audio) }
    return reading
  }

  /// What TagLib gets to see of the file.
  private func ranges(of container: Container, hasReader: Bool) throws(DecodingError) -> [Range<Int64>] {
    let bytes = BufferedBytes(file)
    switch container {
    case .ogg: return hasReader ? try OggHeaderPages.find(bytes) ?? [0..<file.byteCount] : []
    case _ where !hasReader: return try SurroundingTags.find(bytes, container: container)
    // TagLib expects RIFF and IFF at the start of what it reads.
    case .wav, .aiff: return [try TagBounds.start(of: bytes)..<file.byteCount]
    default: return [0..<file.byteCount]
    }
  }

  private func kind(of container: Container) -> dw_tag_kind? {
    switch container {
    case .mpeg: DW_TAG_MPEG
    case .flac: DW_TAG_FLAC
    case .wav: DW_TAG_WAV
    case .aiff: DW_TAG_AIFF
    case .mp4: DW_TAG_MP4
    case .asf: DW_TAG_ASF
    case .ape: DW_TAG_APE
    case .wavpack: DW_TAG_WAVPACK
    case .musepack: DW_TAG_MUSEPACK
    case .trueAudio: DW_TAG_TRUE_AUDIO
    case .adts: DW_TAG_MPEG
    case .ogg:
      switch content.codec {
      case .vorbis?: DW_TAG_VORBIS
      case .opus?: DW_TAG_OPUS
      case .speex?: DW_TAG_SPEEX
      case .flac?: DW_TAG_OGG_FLAC
      default: nil
      }
    case .trackerModule:
      switch content.name {
      case "IT module": DW_TAG_IT
      case "XM module": DW_TAG_XM
      case "S3M module": DW_TAG_S3M
      default: DW_TAG_MOD
      }
    default: nil
    }
  }

  /// The numbers that are possible; TagLib is known to give -1, and worse.
  private func format(_ container: Container, _ audio: dw_tag_audio) -> MediaFormat {
    var format = MediaFormat(container: container, codec: content.codec)
    if (1...384_000).contains(audio.sample_rate) { format.sampleRateInHz = Int(audio.sample_rate) }
    if (1...64).contains(audio.channels) { format.channelCount = Int(audio.channels) }
    if (1...64).contains(audio.bits), content.codec?.isLossless == true { format.bitsPerSample = Int(audio.bits) }
    if (1...100_000).contains(audio.bit_rate) { format.bitRateInBitsPerSecond = Int(audio.bit_rate) * 1000 }
    if audio.length_milliseconds > 0, let rate = format.sampleRateInHz {
      format.declaredFrameCount = Int64(audio.length_milliseconds) * Int64(rate) / 1000
    }
    return format
  }
}

extension Container {
  fileprivate var hasDecoder: Bool {
    switch self {
    case .mpeg, .flac, .ogg, .wav, .rf64, .w64, .aiff, .caf, .au: true
    default: false
    }
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
}

/// The tags of RF64, which libsndfile knows and TagLib does not.
enum SoundFileStrings {
  private static let names: [(kind: Int, name: String)] = [
    (SF_STR_TITLE, "TITLE"), (SF_STR_ARTIST, "ARTIST"), (SF_STR_ALBUM, "ALBUM"), (SF_STR_DATE, "DATE"),
    (SF_STR_TRACKNUMBER, "TRACKNUMBER"), (SF_STR_GENRE, "GENRE"), (SF_STR_COMMENT, "COMMENT"),
    (SF_STR_COPYRIGHT, "COPYRIGHT"), (SF_STR_LICENSE, "LICENSE"), (SF_STR_SOFTWARE, "ENCODING"),
  ]

  /// Adds the tags to the collector; none if libsndfile cannot read the file.
  static func read(_ file: FileBytes, into collector: TagCollector) throws(DecodingError) {
    try DecoderLibraries.check(dw_sndfile_load())
    let source = SoundFileSource(file, range: try TagBounds.start(of: BufferedBytes(file))..<file.byteCount)
    var io = SF_VIRTUAL_IO(
      get_filelen: soundFileLength, seek: soundFileSeek, read: soundFileRead, write: soundFileWrite,
      tell: soundFileTell)
    var info = SF_INFO()
    withExtendedLifetime(source) {
      guard let handle = sf_open_virtual(&io, Int32(SFM_READ), &info, Unmanaged.passUnretained(source).toOpaque())
      else { return }
      defer { sf_close(handle) }
      for (kind, name) in names {
        guard let value = sf_get_string(handle, Int32(kind)) else { continue }
        var length = 0
        while value[length] != 0 { length += 1 }
        Array(name.utf8).withUnsafeBytes {
          collector.addProperty(name: $0, value: UnsafeRawBufferPointer(start: value, count: length))
        }
      }
    }
    // The library treats a failed read as the end of the file.
    if let failure = source.failure { throw failure }
  }
}
