internal import CMPG123
import MediaModel

/// Decodes MPEG audio, layers I to III, through libmpg123.
///
/// ``MPEGFrameScanner`` finds the frames and the library gets them one by one, so that it never searches, skips or
/// guesses a length; whatever it mistook for a frame in junk would be heard and counted.
final class MPEGDecoder: DecodingEngine {
  /// Frames before a target that are read for their main data: the bit reservoir of layer III reaches back 511 bytes,
  /// some 85 of the smallest frames.
  private static let reservoirFrameCount: Int64 = 96
  /// Frames decoded before a target so that the filters are filled.
  private static let prerollFrameCount: Int64 = 8

  let format: AudioFormat
  let mediaFormat: MediaFormat
  let ownProblem: Problem?
  private(set) var streamProblem: Problem?
  private(set) var notes: [String] = []

  private let handle: OpaquePointer
  private let bytes: BufferedBytes
  private let stream: MPEGLayout
  private let trimming: MPEGTrimming
  private var scanner: MPEGFrameScanner
  /// Samples of the current frame that are not given out yet, in the library's memory: valid until the next
  /// ``feed(_:)``.
  private var pending = UnsafeBufferPointer<Float>(start: nil, count: 0)
  /// PCM frames of the recording that are still to be given out.
  private var remainingFrameCount: Int64
  /// PCM frames that are still to be decoded and dropped.
  private var frameCountToDrop: Int64
  private var fedFrameCount: Int64 = 0
  /// Given out instead of a frame that does not decode.
  private let silence: UnsafeMutableBufferPointer<Float>

  init(_ bytes: BufferedBytes, stream: MPEGLayout, container: Container) throws(DecodingError) {
    if stream.freeFormatByteCount != nil, stream.firstHeader.layer == 2 {
      // The library uses the bit allocation table of another bit rate, and gives noise.
      throw .unsupported(reason: "no decoder for MPEG layer II in free format")
    }
    try DecodingError.check(loading: dw_mpg123_load())
    var code: Int32 = 0
    guard mpg123_init() == MPG123_OK.rawValue, let handle = mpg123_new(nil, &code) else {
      throw .unsupported(reason: "libmpg123 failed to start (error \(code))")
    }
    self.handle = handle
    self.bytes = bytes
    self.stream = stream
    trimming = MPEGTrimming(stream)
    ownProblem = stream.problem(trimming)
    if trimming.headerLies { notes.append("header-lies") }
    scanner = MPEGFrameScanner(bytes, range: stream.range)
    remainingFrameCount = trimming.frameCount
    frameCountToDrop = trimming.skippedFrameCount
    let header = stream.firstHeader
    format = AudioFormat(sampleRateInHz: header.sampleRateInHz, channelCount: header.channelCount)
    silence = .allocate(capacity: header.samplesPerFrame * header.channelCount)
    silence.initialize(repeating: 0)
    let pcmFrameCount = stream.frameCount * Int64(header.samplesPerFrame)
    mediaFormat = MediaFormat(
      container: container, codec: header.codec, sampleRateInHz: header.sampleRateInHz,
      channelCount: header.channelCount,
      bitRateInBitsPerSecond: Int(
        (Double(stream.byteCount) * 8 * Double(header.sampleRateInHz) / Double(max(1, pcmFrameCount))).rounded()),
      declaredFrameCount: trimming.declaredFrameCount, delayFrameCount: trimming.delayFrameCount,
      paddingFrameCount: trimming.paddingFrameCount)
    setParameters()
    try open(atFrame: 0, offset: stream.start)
  }

  deinit {
    mpg123_delete(handle)
    silence.deallocate()
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    while remainingFrameCount > 0 {
      if pending.isEmpty, try !decodeFrame() { return 0 }
      var frames = pending.count / channelCount
      if frameCountToDrop > 0 {
        let dropped = Int(min(frameCountToDrop, Int64(frames)))
        frameCountToDrop -= Int64(dropped)
        pending = UnsafeBufferPointer(rebasing: pending[(dropped * channelCount)...])
        continue
      }
      frames = Int(min(Int64(frames), Int64(buffer.count / channelCount), remainingFrameCount))
      guard frames > 0 else { return 0 }
      _ = buffer.update(fromContentsOf: pending[..<(frames * channelCount)])
      pending = UnsafeBufferPointer(rebasing: pending[(frames * channelCount)...])
      remainingFrameCount -= Int64(frames)
      return frames
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    let target = min(frame, trimming.frameCount)
    let samplesPerFrame = Int64(stream.firstHeader.samplesPerFrame)
    let rawTarget = target + trimming.skippedFrameCount
    let firstFrame = max(0, rawTarget / samplesPerFrame - Self.prerollFrameCount)
    let entry = stream.index.entry(atOrBefore: max(0, firstFrame - Self.reservoirFrameCount))
    try open(atFrame: entry?.position ?? 0, offset: entry?.value ?? stream.start)
    if fedFrameCount > 0 { try prime(forFrame: firstFrame / MPEGReservoir.period * MPEGReservoir.period) }
    frameCountToDrop = rawTarget - fedFrameCount * samplesPerFrame
    remainingFrameCount = trimming.frameCount - target
    return target
  }

  private func setParameters() {
    let flags = [MPG123_QUIET, MPG123_SKIP_ID3V2, MPG123_IGNORE_INFOFRAME, MPG123_NO_READAHEAD, MPG123_NO_FRANKENSTEIN]
      .reduce(Int(0)) { $0 | Int($1.rawValue) }
    mpg123_param2(handle, Int32(MPG123_VERBOSE.rawValue), 0, 0)
    mpg123_param2(handle, Int32(MPG123_ADD_FLAGS.rawValue), flags, 0)
    mpg123_param2(
      handle, Int32(MPG123_REMOVE_FLAGS.rawValue), Int(MPG123_GAPLESS.rawValue | MPG123_AUTO_RESAMPLE.rawValue), 0)
    if let size = stream.freeFormatByteCount {
      // The library's number is without the header.
      mpg123_param2(handle, Int32(MPG123_FREEFORMAT_SIZE.rawValue), size - MPEGFrameHeader.byteCount, 0)
    }
    mpg123_format_none(handle)
    mpg123_format(
      handle, format.sampleRateInHz, Int32(format.channelCount == 1 ? MPG123_MONO.rawValue : MPG123_STEREO.rawValue),
      Int32(MPG123_ENC_FLOAT_32.rawValue))
  }

  private func open(atFrame frame: Int64, offset: Int64) throws(DecodingError) {
    pending = UnsafeBufferPointer(start: nil, count: 0)
    guard mpg123_open_feed(handle) == MPG123_OK.rawValue else {
      throw .unsupported(reason: "libmpg123 cannot open a feed: \(String(cString: mpg123_strerror(handle)))")
    }
    scanner = MPEGFrameScanner(bytes, range: offset..<stream.range.upperBound, stream: stream)
    fedFrameCount = frame
  }

  /// Goes to `frame` without decoding the frames before it, but brings the decoder into the state that they leave.
  private func prime(forFrame frame: Int64) throws(DecodingError) {
    guard MPEGReservoir().primer(like: stream.firstHeader) != nil else { return }
    var reservoir = MPEGReservoir()
    while fedFrameCount < frame, try withNextAudioFrame({ reservoir.add($0, header: $1) }) != nil { fedFrameCount += 1 }
    guard let primer = reservoir.primer(like: stream.firstHeader) else { return }
    for number in 1...MPEGReservoir.period {
      let silentFrame = number == MPEGReservoir.period ? primer.last : primer.frame
      _ = silentFrame.withUnsafeBytes { feed($0) }
    }
  }

  /// Passes the next frame of audio to `body`; gives nil at the end.
  private func withNextAudioFrame<Result>(
    _ body: (UnsafeRawBufferPointer, MPEGFrameHeader) -> Result
  ) throws(DecodingError) -> Result? {
    while fedFrameCount < stream.frameCount, let frame = try scanner.next() {
      guard frame.header.hasShape(of: stream.firstHeader) else { continue }
      let result = try bytes.withBytes(at: frame.offset, count: frame.byteCount) { view in
        MPEGInfoFrame(header: frame.header, frame: view) == nil ? body(view, frame.header) : nil
      }
      if let result { return result }
    }
    return nil
  }

  /// Makes the samples of the next frame ``pending``; false at the end.
  private func decodeFrame() throws(DecodingError) -> Bool {
    guard let (result, samples) = try withNextAudioFrame({ view, _ in feed(view) }) else { return false }
    fedFrameCount += 1
    if samples.isEmpty {
      noteUndecodable(error: result)
      pending = UnsafeBufferPointer(silence)
    } else {
      pending = samples
    }
    return true
  }

  /// Decodes one frame, of which the library makes a copy; the samples are its memory, and valid until the next call.
  private func feed(_ frame: UnsafeRawBufferPointer) -> (result: Int32, samples: UnsafeBufferPointer<Float>) {
    var result = mpg123_feed(handle, frame.baseAddress?.assumingMemoryBound(to: UInt8.self), frame.count)
    var samples: UnsafeMutablePointer<UInt8>?
    var byteCount = 0
    var number: off_t = 0
    while result == MPG123_OK.rawValue {
      result = mpg123_decode_frame(handle, &number, &samples, &byteCount)
      guard result == MPG123_NEW_FORMAT.rawValue else { break }
      result = MPG123_OK.rawValue
    }
    guard let samples, byteCount > 0 else { return (result, UnsafeBufferPointer(start: nil, count: 0)) }
    return samples.withMemoryRebound(to: Float.self, capacity: byteCount / 4) {
      (result, UnsafeBufferPointer(start: $0, count: byteCount / 4))
    }
  }

  private func noteUndecodable(error: Int32) {
    guard streamProblem == nil else { return }
    streamProblem = Problem(
      code: "undecodable", reason: "MPEG frame \(fedFrameCount - 1) cannot be decoded (libmpg123 error \(error))",
      positionInSeconds: stream.seconds(ofFrame: fedFrameCount - 1, trimming))
  }
}

extension MPEGLayout {
  /// What interrupts the frames, or the end that is missing; nil if the file is as its headers say.
  func problem(_ trimming: MPEGTrimming) -> Problem? {
    // If the header's promise is kept, nothing is missing at the ends.
    let isComplete = promisedFrameCount == frameCount
    if !isComplete, let reason = overwrittenStart {
      return Problem(code: "junk", reason: reason, positionInSeconds: 0)
    }
    switch interruption {
    case .junk(let frame, let byteCount):
      return Problem(
        code: "junk", reason: "\(byteCount) bytes between frames are not audio",
        positionInSeconds: seconds(ofFrame: frame, trimming))
    case .newParameters(let frame, let description):
      let position = frame * Int64(firstHeader.samplesPerFrame) - trimming.skippedFrameCount
      return .parametersChange(
        atFrame: max(0, position), to: description, sampleRateInHz: firstHeader.sampleRateInHz)
    case .gaveUp(let frame):
      return Problem(
        code: "junk", reason: "no audio frame in the next 2 MiB", positionInSeconds: seconds(ofFrame: frame, trimming))
    case nil:
      if trimming.isTruncated, let declared = trimming.declaredFrameCount {
        return .truncated(
          frameCount: trimming.frameCount, declaredFrameCount: declared, sampleRateInHz: firstHeader.sampleRateInHz)
      }
      guard !isComplete, let reason = overwrittenEnd else { return nil }
      return Problem(code: "junk", reason: reason, positionInSeconds: seconds(ofFrame: frameCount, trimming))
    }
  }

  /// The position of a frame in the recording.
  fileprivate func seconds(ofFrame frame: Int64, _ trimming: MPEGTrimming) -> Double {
    let position = max(0, frame * Int64(firstHeader.samplesPerFrame) - trimming.skippedFrameCount)
    return Double(position) / Double(firstHeader.sampleRateInHz)
  }
}

/// The main data before a frame of layer III, into which the frame points back.
///
/// A decoder that starts in the middle of a stream without it drops its first frames. From then on it also adds up its
/// synthesis in another order, so that samples differ in their last bit from those of a whole decode.
struct MPEGReservoir {
  /// Frames after which the order of the sums repeats.
  static let period: Int64 = 8

  private var bytes: [UInt8] = []

  /// Adds the main data of the next frame.
  mutating func add(_ frame: UnsafeRawBufferPointer, header: MPEGFrameHeader) {
    let start = header.infoTagOffset + (header.isProtected ? 2 : 0)
    guard start < frame.count else { return }
    // The reach of `main_data_begin` (ISO 11172-3 section 2.4.2.7, 13818-3 section 2.4.2.7).
    let byteCount = header.version == .mpeg1 ? 511 : 255
    bytes.append(contentsOf: frame[start...].suffix(byteCount))
    if bytes.count > byteCount { bytes.removeFirst(bytes.count - byteCount) }
  }

  /// Silent frames to be decoded before the frame at which a stream is entered: `period - 1` times `frame`, then
  /// `last`, which holds the main data. nil in free format, all frames of which have one length.
  func primer(like header: MPEGFrameHeader) -> (frame: [UInt8], last: [UInt8])? {
    guard header.layer == 3, header.bitRateInBitsPerSecond != nil else { return nil }
    let version: UInt8 = header.version == .mpeg1 ? 3 : header.version == .mpeg2 ? 2 : 0
    let highestBitRate = header.version == .mpeg1 ? 320_000 : 160_000
    let rates = [44_100, 48_000, 32_000].map { $0 / (version == 3 ? 1 : version == 2 ? 2 : 4) }
    guard let rateIndex = rates.firstIndex(of: header.sampleRateInHz) else { return nil }
    var frame = [UInt8](repeating: 0, count: header.samplesPerFrame / 8 * highestBitRate / header.sampleRateInHz)
    guard frame.count >= header.infoTagOffset + bytes.count else { return nil }
    frame[0] = 0xFF
    frame[1] = 0xE0 | version << 3 | 0b011
    frame[2] = 0xE0 | UInt8(rateIndex) << 2
    frame[3] = header.channelCount == 1 ? 0xC0 : 0
    var last = frame
    last.replaceSubrange((last.count - bytes.count)..., with: bytes)
    return (frame, last)
  }
}
