/// What is missing where the numbers of pages jump, by the positions on both sides.
///
/// The walk over the pages and the decoder count with it, so that both find the same length.
struct OggGaps: Hashable {
  /// Positions may differ from the packets by less; no packet of Opus is shorter, at 48 kHz.
  private static let smallest: Int64 = 120
  /// At the start of a stream, where it may also have begun late: 10 s at 48 kHz.
  private static let longestAtStart: Int64 = 10 * 48_000

  /// Frames of silence that may still be put into gaps, of all links: at first 10 minutes at 48 kHz.
  private(set) var silenceLeft: Int64 = 600 * 48_000
  /// The last position before the packets that were counted.
  private var granule: Int64?
  private var frameCount: Int64 = 0
  private var isOpen = false

  /// Whether the first position counts all frames before it.
  private let countsFromStart: Bool

  /// Begins at the first page of a stream. In Speex the first position leaves out the encoder's lookahead.
  init(_ codec: OggCodec, silenceLeft: Int64? = nil) {
    countsFromStart = codec != .speex
    if let silenceLeft { self.silenceLeft = silenceLeft }
  }

  /// Pages are missing before the next packet.
  mutating func open() { isOpen = true }

  /// Counts the next packet.
  ///
  /// - Parameter granule: the position at its end, if its page gives one.
  /// - Returns: frames that are missing before the packets since the last position; 0 unless there was a gap.
  mutating func add(frameCount new: Int64, granule end: Int64?) -> Int64 {
    frameCount += new
    guard let end else { return 0 }
    // The first packet of Vorbis gives no frames: its position says nothing of a gap before it.
    if isOpen, granule == nil, frameCount == 0 { return 0 }
    defer { (granule, frameCount, isOpen) = (end, 0, false) }
    guard isOpen, granule != nil || frameCount > 0 && countsFromStart else { return 0 }
    let missing = (end - (granule ?? 0)).subtractingReportingOverflow(frameCount).partialValue
    guard missing >= Self.smallest, missing <= silenceLeft, granule != nil || missing <= Self.longestAtStart else {
      return 0
    }
    silenceLeft -= missing
    return missing
  }
}
