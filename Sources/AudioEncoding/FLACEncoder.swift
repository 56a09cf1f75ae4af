internal import CFLAC
import MediaModel

/// A FLAC file through libFLAC, with the number of frames and the MD5 of the samples in its STREAMINFO.
final class FLACEncoder: SoundEncoder {
  private static let streamInfoOffset = 8

  private let encoder: UnsafeMutablePointer<FLAC__StreamEncoder>
  private let output = FLACOutput()
  private let channelCount: Int
  private let bits: Int
  private var writer: SampleWriter
  private var integers: [Int32] = []
  /// Must live as long as the encoder; libFLAC does not free it.
  private var metadata: [UnsafeMutablePointer<FLAC__StreamMetadata>?] = []

  init(_ format: AudioFormat, form: SampleForm, frameCount: Int64, tags: SoundTags = .none) throws(AudioEncodingError) {
    guard form != .float32 else { throw AudioEncodingError(reason: "FLAC stores 16- or 24-bit integers, not floats") }
    guard format.channelCount <= 8 else {
      throw AudioEncodingError(reason: "FLAC supports at most 8 channels, not \(format.channelCount)")
    }
    try AudioEncodingError.check(dw_flac_load())
    guard let encoder = FLAC__stream_encoder_new() else { throw AudioEncodingError(reason: "libFLAC failed to start") }
    self.encoder = encoder
    channelCount = format.channelCount
    bits = form == .int16 ? 16 : 24
    writer = SampleWriter(form: form)
    FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount))
    FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
    FLAC__stream_encoder_set_sample_rate(encoder, UInt32(format.sampleRateInHz))
    FLAC__stream_encoder_set_compression_level(encoder, 5)
    // The subset excludes rates above 65,535 Hz that are not multiples of 10 Hz.
    FLAC__stream_encoder_set_streamable_subset(encoder, 0)
    FLAC__stream_encoder_set_total_samples_estimate(encoder, UInt64(clamping: frameCount))
    let isForNoLoudspeakers = format.channelOrder == .unspecified && format.channelCount > 2
    metadata = Self.metadata(tags, mask: isForNoLoudspeakers ? 0 : format.unusualMask)
    if !metadata.isEmpty {
      _ = metadata.withUnsafeMutableBufferPointer {
        FLAC__stream_encoder_set_metadata(encoder, $0.baseAddress, UInt32($0.count))
      }
    }
    let status = FLAC__stream_encoder_init_stream(
      encoder, flacWrite, nil, nil, flacStreamInfo, Unmanaged.passUnretained(output).toOpaque())
    guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
      throw AudioEncodingError(reason: "libFLAC rejects \(format.sampleRateInHz) Hz (status \(status.rawValue))")
    }
  }

  deinit {
    FLAC__stream_encoder_delete(encoder)
    for block in metadata { FLAC__metadata_object_delete(block) }
  }

  /// Whether a picture with its header fits into a block: fewer than 2^24 bytes (RFC 9639 section 8.1), and
  /// libFLAC gathers a block in memory that grows by 4 KiB up to as many.
  static func holds(_ picture: Artwork) -> Bool {
    36 + picture.mimeType.utf8.count + picture.caption.utf8.count + picture.bytes.count <= (1 << 24) - 4096
  }

  /// Blocks of comments and pictures; none if nothing is to be said.
  ///
  /// - Parameter mask: Loudspeakers that do not follow from the number of channels (RFC 9639 section 8.6.2).
  private static func metadata(_ tags: SoundTags, mask: UInt32?) -> [UnsafeMutablePointer<FLAC__StreamMetadata>?] {
    var blocks: [UnsafeMutablePointer<FLAC__StreamMetadata>?] = []
    var comments = XiphComments.comments(tags)
    if let mask {
      comments.append(Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x\(String(mask, radix: 16, uppercase: true))".utf8))
    }
    if !comments.isEmpty, let block = FLAC__metadata_object_new(FLAC__METADATA_TYPE_VORBIS_COMMENT) {
      for var comment in comments {
        comment.withUnsafeMutableBufferPointer {
          let entry = FLAC__StreamMetadata_VorbisComment_Entry(length: UInt32($0.count), entry: $0.baseAddress)
          _ = FLAC__metadata_object_vorbiscomment_append_comment(block, entry, 1)
        }
      }
      blocks.append(block)
    }
    var single: Set<Int> = []
    for picture in tags.artwork where holds(picture) {
      guard let block = FLAC__metadata_object_new(FLAC__METADATA_TYPE_PICTURE) else { continue }
      // RFC 9639 section 8.8: at most one icon of 32 by 32 pixels in PNG, and one other icon; libFLAC refuses more.
      var type = picture.pictureType
      if type == 1 && !picture.isFileIcon || (1...2).contains(type) && !single.insert(type).inserted { type = 0 }
      if type == 1 {
        block.pointee.data.picture.width = 32
        block.pointee.data.picture.height = 32
      }
      block.pointee.data.picture.type = FLAC__StreamMetadata_Picture_Type(UInt32(type))
      var bytes = picture.bytes
      var texts = (Array(picture.mimeType.utf8CString), Array((picture.caption + "\0").utf8))
      texts.0.withUnsafeMutableBufferPointer {
        _ = FLAC__metadata_object_picture_set_mime_type(block, $0.baseAddress, 1)
      }
      texts.1.withUnsafeMutableBufferPointer {
        _ = FLAC__metadata_object_picture_set_description(block, $0.baseAddress, 1)
      }
      bytes.withUnsafeMutableBufferPointer {
        _ = FLAC__metadata_object_picture_set_data(block, $0.baseAddress, UInt32($0.count), 1)
      }
      blocks.append(block)
    }
    return blocks
  }

  var clippedSampleCount: Int { writer.clippedSampleCount }

  func encode(_ samples: Span<Float>) throws(AudioEncodingError) -> [UInt8] {
    integers.removeAll(keepingCapacity: true)
    for index in samples.indices { integers.append(writer.integer(samples[index], bits: bits)) }
    guard
      FLAC__stream_encoder_process_interleaved(encoder, integers, UInt32(integers.count / channelCount)) != 0
    else { throw failure() }
    return output.take()
  }

  func finish() throws(AudioEncodingError) -> (end: [UInt8], start: [UInt8]) {
    guard FLAC__stream_encoder_finish(encoder) != 0 else { throw failure() }
    let end = output.take()
    guard var start = output.start, let info = output.streamInfo else { throw failure() }
    start.replaceSubrange(Self.streamInfoOffset..<Self.streamInfoOffset + info.count, with: info)
    return (end, start)
  }

  private func failure() -> AudioEncodingError {
    AudioEncodingError(reason: "libFLAC failed (state \(FLAC__stream_encoder_get_state(encoder).rawValue))")
  }
}

/// The state of libFLAC's callbacks.
private final class FLACOutput {
  /// The marker and the STREAMINFO block as first written.
  private(set) var start: [UInt8]?
  /// The final body of STREAMINFO.
  var streamInfo: [UInt8]?
  private var bytes: [UInt8] = []
  private var byteCount = 0

  func append(_ new: UnsafeBufferPointer<UInt8>) {
    bytes.append(contentsOf: new)
    byteCount += new.count
    if start == nil, byteCount >= 42 { start = Array(bytes.prefix(42)) }
  }

  func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

private func output(_ context: UnsafeMutableRawPointer?) -> FLACOutput? {
  context.map { Unmanaged<FLACOutput>.fromOpaque($0).takeUnretainedValue() }
}

private let flacWrite: FLAC__StreamEncoderWriteCallback = { _, bytes, count, _, _, context in
  guard let output = output(context), let bytes else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
  output.append(UnsafeBufferPointer(start: bytes, count: count))
  return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
}

/// Called at the end with the values that were unknown at the start (RFC 9639 section 8.2).
private let flacStreamInfo: FLAC__StreamEncoderMetadataCallback = { _, metadata, context in
  guard let output = output(context), let info = metadata?.pointee.data.stream_info else { return }
  func bigEndian(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64(byteCount - 1 - $0))) }
  }
  let packed =
    UInt64(info.sample_rate) << 44 | UInt64(info.channels - 1) << 41 | UInt64(info.bits_per_sample - 1) << 36
    | info.total_samples & 0xF_FFFF_FFFF
  output.streamInfo =
    bigEndian(UInt64(info.min_blocksize), 2) + bigEndian(UInt64(info.max_blocksize), 2)
    + bigEndian(UInt64(info.min_framesize), 3) + bigEndian(UInt64(info.max_framesize), 3) + bigEndian(packed, 8)
    + withUnsafeBytes(of: info.md5sum) { Array($0) }
}

extension Artwork {
  /// Whether it is a PNG file of 32 by 32 pixels.
  fileprivate var isFileIcon: Bool {
    mimeType == "image/png" && bytes.count >= 24 && bytes[16..<24].elementsEqual([0, 0, 0, 32, 0, 0, 0, 32])
  }
}
