internal import CFLAC
import MediaModel

/// The state of libFLAC's callbacks: the bytes it reads, and the frame it wrote last.
final class FLACFeed {
  /// What a frame header says about the samples.
  struct Shape: Hashable, CustomStringConvertible {
    var sampleRateInHz: Int
    var channelCount: Int
    var bitsPerSample: Int

    init(_ header: FLAC__FrameHeader) {
      sampleRateInHz = Int(header.sample_rate)
      channelCount = Int(header.channels)
      bitsPerSample = Int(header.bits_per_sample)
    }

    init(_ info: FLACStreamInfo) {
      sampleRateInHz = info.sampleRateInHz
      channelCount = info.channelCount
      bitsPerSample = info.bitsPerSample
    }

    var description: String {
      AudioFormat.shape(sampleRateInHz: sampleRateInHz, channelCount: channelCount) + ", \(bitsPerSample) bits"
    }
  }

  private let bytes: BufferedBytes
  /// What is read before the range, as if it stood there.
  private let head: [UInt8]
  private let range: Range<Int64>
  /// In the file; before the range in the head.
  private var position: Int64
  private var readError: DecodingError?

  /// Interleaved samples of the last frame; those before `firstPending` are taken.
  private var block: [Float] = []
  private var firstPending = 0
  private var shape: Shape?
  private var hasEnded = false
  private var isSeeking = false
  /// The number that the next frame should have.
  private var nextFrame: Int64
  /// The same before the library was called, and how many frames it has given since: it gives silence for frames that
  /// are missing, before the one behind them.
  private var nextFrameBeforeCall: Int64 = 0
  private var frameCountOfCall = 0
  /// Whether ``gap`` begins there.
  private var isGapOfCall = false
  private(set) var problem: Problem?
  /// What the numbers of the frames say is missing. They are part of the stream, whichever file holds it; but they are
  /// wrong if the encoder counted blocks of another size, so ``Extraction/judge(by:frameCount:)`` ignores the gap in a
  /// file all of whose promised audio is there.
  private(set) var gap: Problem?
  /// The number of a frame that was decoded in its turn was not its position, so the other numbers are not to be
  /// trusted.
  private(set) var hasWrongNumbers = false

  /// nil unless the samples are to be hashed.
  private let hasher: SampleHasher?
  /// The samples of the last frame as integers, for the hash.
  private var integers: [Int32] = []
  /// Samples did not fit into their width, so they were not what was encoded.
  private var isOutOfRange = false

  init(_ bytes: BufferedBytes, head: [UInt8] = [], range: Range<Int64>, hashesSamples: Bool) {
    self.bytes = bytes
    self.head = head
    self.range = range
    hasher = hashesSamples ? SampleHasher(.int) : nil
    position = range.lowerBound - Int64(head.count)
    nextFrame = 0
  }

  /// Where the library begins to read.
  private var start: Int64 { range.lowerBound - Int64(head.count) }

  /// Keeps the first of all problems.
  private func note(_ new: Problem) { problem = problem ?? new }

  func finishSampleHash(_ format: AudioFormat) -> ContentHash? { isOutOfRange ? nil : hasher?.finish(format) }

  // MARK: Driving the library

  /// Reads the metadata and the first frame; nil if there is no frame.
  func start(
    _ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, oggSerial: UInt32?, verifiesChecksum: Bool
  ) throws(DecodingError) -> Shape? {
    FLAC__stream_decoder_set_md5_checking(decoder, verifiesChecksum ? 1 : 0)
    let context = Unmanaged.passUnretained(self).toOpaque()
    if let oggSerial { FLAC__stream_decoder_set_ogg_serial_number(decoder, Int(oggSerial)) }
    let status =
      oggSerial != nil
      ? FLAC__stream_decoder_init_ogg_stream(
        decoder, flacRead, flacSeek, flacTell, flacLength, flacIsAtEnd, flacWrite, nil, flacError, context)
      : FLAC__stream_decoder_init_stream(
        decoder, flacRead, flacSeek, flacTell, flacLength, flacIsAtEnd, flacWrite, nil, flacError, context)
    guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK else {
      throw .unsupported(reason: "libFLAC cannot open the stream (status \(status.rawValue))")
    }
    _ = FLAC__stream_decoder_process_until_end_of_metadata(decoder)
    _ = try decodeNextFrame(decoder)
    return shape
  }

  /// Makes the samples of the next frame pending; false at the end.
  func decodeNextFrame(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>) throws(DecodingError) -> Bool {
    while firstPending == block.count, !hasEnded {
      (nextFrameBeforeCall, frameCountOfCall, isGapOfCall) = (nextFrame, 0, false)
      let isAlive = FLAC__stream_decoder_process_single(decoder) != 0
      if let readError { throw readError }
      let state = FLAC__stream_decoder_get_state(decoder)
      if !isAlive || state.rawValue >= FLAC__STREAM_DECODER_END_OF_STREAM.rawValue { hasEnded = true }
    }
    return firstPending < block.count
  }

  /// False if the library does not get there; then ``rewind(_:)`` is needed.
  func seek(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>, toFrame frame: Int64) throws(DecodingError) -> Bool {
    block.removeAll(keepingCapacity: true)
    firstPending = 0
    isSeeking = true
    hasEnded = false
    nextFrame = frame
    let isThere = FLAC__stream_decoder_seek_absolute(decoder, UInt64(frame)) != 0
    isSeeking = false
    if let readError { throw readError }
    nextFrame = frame + Int64(block.count / max(1, shape?.channelCount ?? 1))
    return isThere && firstPending < block.count
  }

  func rewind(_ decoder: UnsafeMutablePointer<FLAC__StreamDecoder>) throws(DecodingError) {
    block.removeAll(keepingCapacity: true)
    firstPending = 0
    hasEnded = false
    nextFrame = 0
    position = start
    guard FLAC__stream_decoder_reset(decoder) != 0 else {
      throw .unsupported(reason: "libFLAC cannot seek back to the start")
    }
    _ = FLAC__stream_decoder_process_until_end_of_metadata(decoder)
  }

  /// Skips what is pending.
  func dropPending() { firstPending = block.count }

  /// Moves pending frames to `buffer`; returns their number.
  func take(into buffer: UnsafeMutableBufferPointer<Float>) -> Int {
    guard let shape else { return 0 }
    let count = min(buffer.count, block.count - firstPending) / shape.channelCount * shape.channelCount
    guard count > 0 else { return 0 }
    block.withUnsafeBufferPointer { _ = buffer.update(fromContentsOf: $0[firstPending..<firstPending + count]) }
    firstPending += count
    return count / shape.channelCount
  }

  // MARK: Called by the library

  /// nil if the system cannot read.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    if position < range.lowerBound {
      let piece = head.suffix(Int(range.lowerBound - position)).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      position += Int64(piece.count)
      return piece.count
    }
    let wanted = Int(min(Int64(buffer.count), max(0, range.upperBound - position)))
    do throws(DecodingError) {
      // The library has a buffer of its own.
      let count = try bytes.file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: position)
      bytes.onRead?()
      position += Int64(count)
      return count
    } catch {
      readError = error
      return nil
    }
  }

  /// An offset within what the library reads.
  var offset: Int64 {
    get { position - start }
    set { position = start + max(0, min(newValue, byteCount)) }
  }

  var byteCount: Int64 { range.upperBound - start }

  /// - Returns: whether to go on.
  func write(_ frame: FLAC__Frame, channels: UnsafePointer<UnsafePointer<FLAC__int32>?>) -> Bool {
    let found = Shape(frame.header)
    let first = Int64(clamping: frame.header.number.sample_number)
    if let shape, shape != found {
      note(.parametersChange(atFrame: nextFrame, to: "\(found)", sampleRateInHz: shape.sampleRateInHz))
      hasEnded = true
      return false
    }
    shape = found
    frameCountOfCall += 1
    let isBehindSilence = !isSeeking && frameCountOfCall > 1
    if isBehindSilence, frameCountOfCall == 2, gap == nil { isGapOfCall = true }
    if !isSeeking, first > nextFrame && gap == nil || isBehindSilence && isGapOfCall {
      let start = isBehindSilence ? nextFrameBeforeCall : nextFrame
      gap = Problem(
        code: Problem.missingFramesCode, reason: "the frames from \(start) to \(first) are missing",
        positionInSeconds: Double(start) / Double(max(1, found.sampleRateInHz)))
    }
    if !isSeeking, first != nextFrame { hasWrongNumbers = true }
    let count = Int(frame.header.blocksize)
    // A number that goes back is wrong; so is the one that follows from it.
    nextFrame = max(first, isSeeking ? first : nextFrame) &+ Int64(count)
    interleave(channels, frameCount: count, shape: found)
    return true
  }

  private func interleave(_ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, frameCount: Int, shape: Shape) {
    let channelCount = shape.channelCount
    let scale = 1 / Float(sign: .plus, exponent: shape.bitsPerSample - 1, significand: 1)
    let sampleCount = frameCount * channelCount
    firstPending = 0
    if block.count > sampleCount { block.removeLast(block.count - sampleCount) }
    if block.count < sampleCount { block.append(contentsOf: repeatElement(0, count: sampleCount - block.count)) }
    if let hasher {
      hash(channels, sampleCount: sampleCount, shape: shape, hasher)
      if !isOutOfRange { return }
    }
    block.withUnsafeMutableBufferPointer { block in
      for channel in 0..<channelCount {
        guard let samples = channels[channel] else { continue }
        var target = channel
        for index in 0..<frameCount {
          block[target] = Float(samples[index]) * scale
          target += channelCount
        }
      }
    }
  }

  /// Hashes the samples of a frame, and fills the block with them.
  private func hash(
    _ channels: UnsafePointer<UnsafePointer<FLAC__int32>?>, sampleCount: Int, shape: Shape, _ hasher: SampleHasher
  ) {
    let channelCount = shape.channelCount
    let shift = Int32(32 - shape.bitsPerSample)
    if integers.count < sampleCount {
      integers.append(contentsOf: repeatElement(0, count: sampleCount - integers.count))
    }
    var lost: Int32 = 0
    integers.withUnsafeMutableBufferPointer { integers in
      if channelCount == 2, let left = channels[0], let right = channels[1] {
        for index in 0..<(sampleCount / 2) {
          let (first, second) = (left[index], right[index])
          let (fullFirst, fullSecond) = (first &<< shift, second &<< shift)
          lost |= (fullFirst &>> shift ^ first) | (fullSecond &>> shift ^ second)
          integers[2 * index] = fullFirst
          integers[2 * index + 1] = fullSecond
        }
      } else {
        for channel in 0..<channelCount {
          guard let samples = channels[channel] else { continue }
          var target = channel
          for index in 0..<(sampleCount / channelCount) {
            let sample = samples[index]
            let full = sample &<< shift
            lost |= full &>> shift ^ sample
            integers[target] = full
            target += channelCount
          }
        }
      }
      let filled = UnsafeBufferPointer(rebasing: integers[..<sampleCount])
      hasher.add(UnsafeRawBufferPointer(filled))
      block.withUnsafeMutableBufferPointer { FullScale.convert(filled, to: $0) }
    }
    if lost != 0 { isOutOfRange = true }
  }

  func fail(_ status: FLAC__StreamDecoderErrorStatus) {
    guard !isSeeking, status != FLAC__STREAM_DECODER_ERROR_STATUS_BAD_METADATA else { return }
    let what =
      switch status {
      case FLAC__STREAM_DECODER_ERROR_STATUS_LOST_SYNC: "bytes that are not a FLAC frame"
      case FLAC__STREAM_DECODER_ERROR_STATUS_BAD_HEADER: "a frame header is damaged"
      case FLAC__STREAM_DECODER_ERROR_STATUS_FRAME_CRC_MISMATCH: "a frame does not match its CRC"
      default: "a frame uses reserved values"
      }
    let rate = shape?.sampleRateInHz ?? 0
    let frame = nextFrame
    note(
      Problem(
        code: "corrupt", reason: "\(what) after frame \(frame)",
        positionInSeconds: rate > 0 ? Double(frame) / Double(rate) : nil))
  }
}

private func feed(_ context: UnsafeMutableRawPointer?) -> FLACFeed? {
  context.map { Unmanaged<FLACFeed>.fromOpaque($0).takeUnretainedValue() }
}

private let flacRead: FLAC__StreamDecoderReadCallback = { _, buffer, count, context in
  guard let feed = feed(context), let buffer, let count, count.pointee > 0 else {
    return FLAC__STREAM_DECODER_READ_STATUS_ABORT
  }
  guard let done = feed.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count.pointee)) else {
    return FLAC__STREAM_DECODER_READ_STATUS_ABORT
  }
  count.pointee = done
  return done == 0 ? FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM : FLAC__STREAM_DECODER_READ_STATUS_CONTINUE
}

private let flacSeek: FLAC__StreamDecoderSeekCallback = { _, offset, context in
  guard let feed = feed(context), offset <= UInt64(feed.byteCount) else {
    return FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
  }
  feed.offset = Int64(offset)
  return FLAC__STREAM_DECODER_SEEK_STATUS_OK
}

private let flacTell: FLAC__StreamDecoderTellCallback = { _, offset, context in
  guard let feed = feed(context), let offset else { return FLAC__STREAM_DECODER_TELL_STATUS_ERROR }
  offset.pointee = UInt64(feed.offset)
  return FLAC__STREAM_DECODER_TELL_STATUS_OK
}

private let flacLength: FLAC__StreamDecoderLengthCallback = { _, length, context in
  guard let feed = feed(context), let length else { return FLAC__STREAM_DECODER_LENGTH_STATUS_ERROR }
  length.pointee = UInt64(feed.byteCount)
  return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
}

private let flacIsAtEnd: FLAC__StreamDecoderEofCallback = { _, context in
  guard let feed = feed(context) else { return 1 }
  return feed.offset >= feed.byteCount ? 1 : 0
}

private let flacWrite: FLAC__StreamDecoderWriteCallback = { _, frame, channels, context in
  guard let feed = feed(context), let frame, let channels, feed.write(frame.pointee, channels: channels) else {
    return FLAC__STREAM_DECODER_WRITE_STATUS_ABORT
  }
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
}

private let flacError: FLAC__StreamDecoderErrorCallback = { _, status, context in feed(context)?.fail(status) }
