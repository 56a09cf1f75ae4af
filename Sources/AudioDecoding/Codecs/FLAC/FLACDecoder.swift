internal import CFLAC
import MediaModel

/// Decodes FLAC, bare or in Ogg, through libFLAC.
///
/// Not through libsndfile, which stops at a damaged frame without an error, mixes streams whose parameters change, and
/// does not open every Ogg FLAC. Here the header, the CRC and the number of each frame are checked.
final class FLACDecoder: DecodingEngine {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  let countedByteCount: Int64?
  private(set) var ownProblem: Problem?
  let notes: [String]
  /// A gap in the numbers of the frames counts only if nothing else explains it.
  var streamProblem: Problem? { feed.problem ?? feed.gap }

  private let feed: FLACFeed
  private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
  private let streamInfo: FLACStreamInfo?
  private let isChained: Bool
  private let verifiesChecksum: Bool
  private(set) var hasMatchingChecksum = false
  private var hasSought = false

  /// - Parameters:
  ///   - head: what the library reads first.
  ///   - range: what it reads then.
  ///   - byteCount: of the frames.
  ///   - ownProblem: of the container, as are the notes.
  init(
    _ bytes: BufferedBytes, head: [UInt8] = [], range: Range<Int64>, byteCount: Int64, streamInfo: FLACStreamInfo?,
    channelMask: UInt32? = nil, container: Container, oggSerial: UInt32? = nil, ownProblem: Problem? = nil,
    notes: [String] = [], isChained: Bool = false, options: DecodingOptions = DecodingOptions()
  ) throws(DecodingError) {
    if let streamInfo {
      _ = try AudioFormat.checked(
        sampleRateInHz: streamInfo.sampleRateInHz, channelCount: streamInfo.channelCount, sampleEncoding: .integer)
    }
    try DecodingError.check(loading: dw_flac_load())
    guard let decoder = FLAC__stream_decoder_new() else {
      throw .unsupported(reason: "libFLAC failed to start")
    }
    // The other links of a chain are not decoded: the samples are not all of the stream.
    self.isChained = isChained
    self.notes = notes
    let feed = FLACFeed(bytes, head: head, range: range, hashesSamples: options.hashesSamples && !isChained)
    self.decoder = decoder
    self.feed = feed
    self.streamInfo = streamInfo
    countedByteCount = byteCount
    self.verifiesChecksum = options.verifiesChecksum && streamInfo?.md5 != nil
    var first: FLACFeed.Shape?
    do throws(DecodingError) {
      first = try feed.start(decoder, oggSerial: oggSerial, verifiesChecksum: self.verifiesChecksum)
    } catch {
      FLAC__stream_decoder_delete(decoder)
      throw error
    }
    guard let shape = first ?? streamInfo.map({ FLACFeed.Shape($0) }) else {
      FLAC__stream_decoder_delete(decoder)
      throw .damaged(feed.problem ?? Problem(code: "corrupt", reason: "no FLAC frame could be read"))
    }
    do throws(DecodingError) {
      format = try .checked(
        sampleRateInHz: shape.sampleRateInHz, channelCount: shape.channelCount, sampleEncoding: .integer,
        channelMask: channelMask)
    } catch {
      FLAC__stream_decoder_delete(decoder)
      throw error
    }
    var bitRate: Int?
    if let frameCount = streamInfo?.frameCount, frameCount > 0 {
      let bits = Double(byteCount) * 8
      bitRate = Int((bits * Double(shape.sampleRateInHz) / Double(frameCount)).rounded())
    }
    mediaFormat = MediaFormat(
      container: container, codec: .flac, sampleRateInHz: shape.sampleRateInHz, channelCount: shape.channelCount,
      bitsPerSample: shape.bitsPerSample, bitRateInBitsPerSecond: bitRate,
      declaredFrameCount: streamInfo?.frameCount)
    if let streamInfo, FLACFeed.Shape(streamInfo) != shape {
      self.ownProblem = Problem(
        code: "header-contradicts",
        reason: "STREAMINFO says \(FLACFeed.Shape(streamInfo)), the frames have \(shape)", positionInSeconds: 0)
    } else if streamInfo == nil, ownProblem == nil {
      self.ownProblem = Problem(code: "no-streaminfo", reason: "no STREAMINFO block")
    } else {
      self.ownProblem = ownProblem
    }
  }

  deinit { FLAC__stream_decoder_delete(decoder) }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    while true {
      let count = feed.take(into: buffer)
      if count > 0 { return count }
      guard try feed.decodeNextFrame(decoder) else { return 0 }
    }
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if !hasSought {
      hasSought = true
      try compareFirstNumbers()
    }
    // Only decoding shows whether there is audio after the promised end.
    if !feed.hasWrongNumbers, frame < streamInfo?.frameCount ?? .max, try feed.seek(decoder, toFrame: frame) {
      return frame
    }
    try feed.rewind(decoder)
    return 0
  }

  /// Decodes two frames from the start: the number of the second one shows whether numbers can be trusted.
  private func compareFirstNumbers() throws(DecodingError) {
    try feed.rewind(decoder)
    for _ in 0..<2 {
      guard try feed.decodeNextFrame(decoder) else { return }
      feed.dropPending()
    }
  }

  func finish(frameCount: Int64) {
    // Less or more than all of the audio cannot match; that is a problem of its own.
    guard verifiesChecksum, !hasSought, !isChained, ownProblem == nil, streamProblem == nil,
      frameCount == streamInfo?.frameCount ?? frameCount
    else { return }
    hasMatchingChecksum = FLAC__stream_decoder_finish(decoder) != 0
    guard !hasMatchingChecksum else { return }
    ownProblem = Problem(code: "checksum", reason: "the MD5 of the decoded audio does not match STREAMINFO")
  }

  func finishSampleHash() -> ContentHash? { feed.finishSampleHash(format) }
}
