internal import Base
import MediaModel

/// A WAV file, or RF64 (EBU Tech 3306) if its sizes exceed 32 bits.
final class WaveEncoder: SoundEncoder {
  private var writer: SampleWriter
  let byteCount: Int64?
  private let dataByteCount: Int64
  /// Empty after it was returned with the first samples.
  private var header: [UInt8]
  /// Written after the samples.
  private let tagChunk: [UInt8]

  init(_ format: AudioFormat, form: SampleForm, frameCount: Int64, tags: SoundTags = .none) throws(AudioEncodingError) {
    writer = SampleWriter(form: form)
    let bytesPerFrame = format.channelCount * form.bytesPerSample
    let (byteCount, overflow) = frameCount.multipliedReportingOverflow(by: Int64(bytesPerFrame))
    guard !overflow, frameCount >= 0, byteCount < Int64.max / 2, bytesPerFrame <= UInt16.max else {
      throw AudioEncodingError(reason: "\(frameCount) frames of \(bytesPerFrame) bytes do not fit into a WAV file")
    }
    dataByteCount = byteCount
    tagChunk = Self.chunk(of: tags)
    header = Self.header(
      format, form: form, frameCount: frameCount, dataByteCount: byteCount, tagByteCount: tagChunk.count)
    self.byteCount = Int64(header.count + tagChunk.count) + byteCount + byteCount % 2
  }

  var clippedSampleCount: Int { writer.clippedSampleCount }

  func encode(_ samples: Span<Float>) -> [UInt8] {
    var bytes = header
    header = []
    writer.append(samples, to: &bytes)
    return bytes
  }

  /// Chunks are padded to an even length.
  func finish() -> (end: [UInt8], start: [UInt8]) { (header + (dataByteCount % 2 == 0 ? [] : [0]) + tagChunk, []) }

  /// Up to the first byte of the samples.
  static func header(
    _ format: AudioFormat, form: SampleForm, frameCount: Int64, dataByteCount: Int64, tagByteCount: Int = 0
  ) -> [UInt8] {
    let formatChunk = formatChunk(format, form: form)
    // Formats other than integers state the number of frames in a chunk of their own.
    let factByteCount = form == .float32 ? 12 : 0
    let riffByteCount =
      Int64(4 + 8 + formatChunk.count + factByteCount + 8) + dataByteCount + dataByteCount % 2
      + Int64(tagByteCount)
    let isLarge = riffByteCount + 36 > Int64(UInt32.max)
    var writer = ByteWriter()
    writer.append(raw: (isLarge ? "RF64" : "RIFF").utf8)
    writer.append(isLarge ? UInt32.max : UInt32(riffByteCount))
    writer.append(raw: "WAVE".utf8)
    if isLarge {
      writer.append(raw: "ds64".utf8)
      writer.append(UInt32(28))
      writer.append(riffByteCount + 36)
      writer.append(dataByteCount)
      writer.append(frameCount)
      writer.append(UInt32(0))
    }
    writer.append(raw: "fmt ".utf8)
    writer.append(lengthPrefixed: formatChunk)
    if factByteCount > 0 {
      writer.append(raw: "fact".utf8)
      writer.append(UInt32(4))
      writer.append(UInt32(clamping: frameCount))
    }
    writer.append(raw: "data".utf8)
    writer.append(isLarge ? UInt32.max : UInt32(dataByteCount))
    return writer.bytes
  }

  /// An ID3v2 tag in a chunk of its own, which TagLib, FFmpeg and players read; empty if nothing is to be said.
  private static func chunk(of tags: SoundTags) -> [UInt8] {
    let tag = ID3v2Tag.bytes(tags)
    guard !tag.isEmpty else { return [] }
    var writer = ByteWriter()
    writer.append(raw: "id3 ".utf8)
    writer.append(lengthPrefixed: tag)
    return writer.bytes + (tag.count % 2 == 0 ? [] : [0])
  }

  /// The extensible form if the plain one is not enough: for more than two channels or integers of more than 16 bits.
  private static func formatChunk(_ format: AudioFormat, form: SampleForm) -> [UInt8] {
    let tag: UInt16 = form == .float32 ? 3 : 1
    let isExtensible = format.channelCount > 2 || form == .int24
    let bytesPerFrame = format.channelCount * form.bytesPerSample
    var writer = ByteWriter()
    writer.append(isExtensible ? 0xFFFE : tag)
    writer.append(UInt16(format.channelCount))
    writer.append(UInt32(format.sampleRateInHz))
    writer.append(UInt32(clamping: format.sampleRateInHz * bytesPerFrame))
    writer.append(UInt16(bytesPerFrame))
    writer.append(UInt16(8 * form.bytesPerSample))
    if isExtensible {
      writer.append(UInt16(22))
      writer.append(UInt16(8 * form.bytesPerSample))
      let standard =
        format.channelOrder == .unspecified ? 0 : AudioFormat.standardMask(channelCount: format.channelCount)
      writer.append(format.channelMask ?? standard)
      writer.append(tag)
      // The rest of the GUIDs KSDATAFORMAT_SUBTYPE_PCM and _IEEE_FLOAT.
      writer.append(raw: [0, 0, 0, 0, 16, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71])
    } else if form == .float32 {
      writer.append(UInt16(0))
    }
    return writer.bytes
  }
}
