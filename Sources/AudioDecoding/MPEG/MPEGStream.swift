/// The layout of an MPEG audio stream, found in one walk over its frame headers.
struct MPEGStream {
  /// Something in the way of the frames.
  enum Interruption: Hashable {
    case junk(beforeFrame: Int64, byteCount: Int64)
    case newParameters(atFrame: Int64, description: String)
    case gaveUp(afterFrame: Int64)
  }

  /// What a file is called that ends before its first frame does.
  static let incompleteFrame = "no complete MPEG frame"
  static let incompleteTag = "an ID3 or APE tag longer than the file, and no audio frame"

  let firstHeader: MPEGFrameHeader
  /// File offset of the first audio frame.
  let start: Int64
  /// What was walked; a decoder that walks it again finds the same frames.
  let range: Range<Int64>
  /// Length of a free-format frame without its padding.
  private(set) var freeFormatByteCount: Int?
  /// Audio frames of the first segment: up to the end, or to where rate or channels change.
  private(set) var frameCount: Int64 = 0
  /// Bytes of the audio frames of the first segment.
  private(set) var byteCount: Int64 = 0
  /// Bytes of all audio frames, also behind a change of parameters.
  private(set) var payloadByteCount: Int64 = 0
  /// More than one where files were joined.
  private(set) var infoFrames: [MPEGInfoFrame] = []
  /// Whether the first of them stands before the audio, and speaks of its start; the first of joined files may have none.
  private(set) var beginsWithInfoFrame = false
  /// The first one.
  private(set) var interruption: Interruption?
  private(set) var isCutAtEnd = false
  /// Offsets of frames by number; the distance in frames is a multiple of 8.
  private(set) var index = SeekIndex(unit: 8)

  /// Frames of another shape in a row, and their bytes: a few are a damaged header, more are a new segment.
  private var strangeFrameCount = 0
  private var strangeByteCount: Int64 = 0
  private var hasNewParameters = false

  private static let strangeFrameLimit = 3
  private static let maximumInfoFrameCount = 1024

  private init(first: MPEGFrameScanner.Frame, range: Range<Int64>) {
    firstHeader = first.header
    start = first.offset
    self.range = range
  }

  /// Walks `range`.
  ///
  /// - Parameter onFrame: gets the bytes of each audio frame in order.
  /// - Returns: nil where there is no frame of audio.
  static func scan(
    _ bytes: BufferedBytes, range: Range<Int64>, onFrame: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) -> MPEGStream? {
    var scanner = MPEGFrameScanner(bytes, range: range)
    var stream: MPEGStream?
    var infoFrames: [MPEGInfoFrame] = []
    while let frame = try scanner.next() {
      let view = try bytes.view(at: frame.offset, count: frame.byteCount)
      if let info = MPEGInfoFrame(header: frame.header, frame: view) {
        if infoFrames.count < maximumInfoFrameCount { infoFrames.append(info) }
        continue
      }
      onFrame?(view)
      if stream == nil {
        stream = MPEGStream(first: frame, range: range)
        stream?.beginsWithInfoFrame = !infoFrames.isEmpty
        stream?.add(frame, skippedByteCount: 0)
        stream?.freeFormatByteCount = scanner.freeFormatByteCount
      } else {
        stream?.add(frame, skippedByteCount: scanner.skippedByteCount)
      }
    }
    stream?.infoFrames = infoFrames
    stream?.isCutAtEnd = scanner.isCutAtEnd
    if scanner.gaveUp, let stream, stream.interruption == nil {
      var result = stream
      result.interruption = .gaveUp(afterFrame: stream.frameCount)
      return result
    }
    return stream
  }

  private mutating func add(_ frame: MPEGFrameScanner.Frame, skippedByteCount: Int64) {
    payloadByteCount += Int64(frame.byteCount)
    if hasNewParameters { return }
    guard frame.header.hasShape(of: firstHeader) else {
      strangeFrameCount += 1
      strangeByteCount += Int64(frame.byteCount) + skippedByteCount
      guard strangeFrameCount == Self.strangeFrameLimit else { return }
      hasNewParameters = true
      interruption = interruption ?? .newParameters(atFrame: frameCount, description: frame.header.shape)
      return
    }
    let lostByteCount = strangeByteCount + skippedByteCount
    if lostByteCount > 0, interruption == nil {
      interruption = .junk(beforeFrame: frameCount, byteCount: lostByteCount)
    }
    strangeFrameCount = 0
    strangeByteCount = 0
    index.add(position: frameCount, offset: frame.offset)
    frameCount += 1
    byteCount += Int64(frame.byteCount)
  }

  /// Frames that the info frames promise together; nil unless each of them promises some.
  var promisedFrameCount: Int64? {
    guard !infoFrames.isEmpty else { return nil }
    var sum: Int64 = 0
    for info in infoFrames {
      guard let count = info.frameCount else { return nil }
      sum += count
    }
    return sum
  }
}
