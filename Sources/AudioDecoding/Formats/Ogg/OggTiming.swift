/// What the positions of a logical stream's pages say, compared with the frames of its packets, without a decode.
struct OggTiming {
  /// How far a position may differ from the packets: encoders round the last one up to the length of their input, and
  /// some programs compute positions from times.
  static let slack: Int64 = 960
  /// A page holds at most 255 packets of at most 8,192 frames: if so many came, no page has given its position.
  static let longestStart = 255 * 8192

  /// A position that a page gives for the end of its last packet.
  private struct Position {
    let granule: Int64
    /// The one before.
    let former: Int64?
    /// Frames of all packets up to here.
    let frameCount: Int64
    /// Frames since the position before, and those of the last packet.
    let newFrameCount: Int64
    let lastFrameCount: Int64
    let pageOffset: Int64
    let isLast: Bool
  }

  /// Where a recording begins and ends in the frames of its packets.
  struct Extent {
    /// Position at which the stream begins; may be negative.
    let startGranule: Int64
    /// Frames at the start that are dropped because they are before position zero.
    let droppedFrameCount: Int64
    let frameCount: Int64
    /// Frames after the last packet, up to the last position; 0 or more.
    let missingFrameCount: Int64
    /// Frames of the packets behind the last position, which are not decoded because of it; 0 or more.
    let unplacedFrameCount: Int64
    /// Frame of the recording after which positions and packets differ.
    let contradictionFrame: Int64?
    /// Whether the positions are too wrong to say where the recording ends, so that it is all that the packets give.
    let endsWithPackets: Bool
  }

  private var frameCount: Int64 = 0
  private var newFrameCount: Int64 = 0
  private(set) var gaps: OggGaps
  /// Frames of silence in gaps, which are among the others.
  private var silentFrameCount: Int64 = 0
  private var last: Position?
  /// The first position after a frame.
  private var first: Position?
  private var isStartKnown = false
  /// Position of the frame before all packets, by the last page that may differ from them.
  private var base: Int64 = 0
  /// Frames before the first position that contradicts the packets.
  private var contradiction: Int64?

  init(gaps: OggGaps) { self.gaps = gaps }

  /// Pages are missing before the next packet.
  mutating func openGap() { gaps.open() }

  /// Adds the next packet.
  ///
  /// - Parameter granule: if it is the last one that ends on the page.
  mutating func add(frameCount count: Int64, granule: Int64?, page: OggPage) {
    let missing = gaps.add(frameCount: count, granule: granule)
    silentFrameCount += missing
    frameCount += count + missing
    newFrameCount += count + missing
    guard let granule else {
      if frameCount >= Self.longestStart { isStartKnown = true }
      return
    }
    if let last { judge(last) }
    let position = Position(
      granule: granule, former: last?.granule, frameCount: frameCount, newFrameCount: newFrameCount,
      lastFrameCount: count, pageOffset: page.offset, isLast: page.isLast)
    last = position
    newFrameCount = 0
    if !isStartKnown, frameCount > 0 {
      first = position
      base = granule - frameCount
      isStartKnown = true
    }
  }

  /// Compares a position with the packets, if it is not the last one of the stream.
  private mutating func judge(_ position: Position) {
    guard contradiction == nil, let first, position.frameCount >= first.frameCount else { return }
    let surplus = base + position.frameCount - position.granule
    let isBackward = position.former.map { position.granule < $0 - Self.slack } ?? false
    // Some encoders cut the end, say that it is the end, and write more pages.
    let isCut = position.isLast && surplus > 0 && !isBackward
    if isCut {
      base = position.granule - position.frameCount
    } else if isBackward || abs(surplus) > Self.slack {
      contradiction = position.frameCount - position.newFrameCount
    }
  }

  /// Where a recording begins whose packets begin at `start`.
  ///
  /// - Parameter mayBeNegative: whether the page is of Opus and not the last one. A stream that was cut with ffmpeg
  ///   begins long before position zero, and players play all of it.
  static func startGranule(_ start: Int64, mayBeNegative: Bool) -> Int64 {
    mayBeNegative && start < -slack ? start : max(0, start)
  }

  /// - Parameters:
  ///   - lastGranule: the highest position.
  ///   - lastPageOffset: of the last page of the stream.
  ///   - hasEnd: whether that page says that it is the last.
  ///   - delay: frames that the encoder added at the start.
  ///   - lookahead: frames by which the decoder is late, which the positions do not count.
  ///   - dropsBeforeZero: whether what is before position zero is dropped, as in Vorbis (Vorbis I appendix A.2).
  func extent(
    lastGranule: Int64?, lastPageOffset: Int64, hasEnd: Bool, delay: Int64, lookahead: Int64, dropsBeforeZero: Bool
  ) -> Extent {
    var timing = self
    let endsWithPosition = hasEnd && last.map { $0.isLast && $0.pageOffset == lastPageOffset } ?? false
    if let last {
      if !hasEnd {
        timing.judge(last)
      } else if contradiction == nil, let former = last.former, last.granule < former - Self.slack {
        timing.contradiction = frameCount - last.newFrameCount
      }
    }
    var surplus: Int64 = 0
    if endsWithPosition, let last, let former = last.former, last.granule >= former {
      surplus = max(0, min(last.lastFrameCount, last.newFrameCount - (last.granule - former) - lookahead))
    }
    var start: Int64 = 0
    var leading: Int64 = 0
    var mayBeNegative = false
    if let first {
      let isEnd = endsWithPosition && first.pageOffset == lastPageOffset
      start = first.granule - (first.frameCount - (isEnd ? surplus : 0))
      // If there is only one page, its end is cut instead.
      if start < 0, !isEnd, dropsBeforeZero { leading = -start + lookahead }
      mayBeNegative = !isEnd && !dropsBeforeZero
    } else if endsWithPosition, !isStartKnown, let last {
      start = last.granule
    }
    var startGranule = Self.startGranule(start, mayBeNegative: mayBeNegative)
    var available = max(0, frameCount - surplus - delay - leading)
    var wanted = lastGranule.map { max(0, $0 - startGranule - delay) } ?? available
    // Positions that contradict the packets cut nothing that decodes.
    let endsWithPackets =
      timing.contradiction != nil && (wanted < available - Self.slack || leading - lookahead > Self.slack)
    if endsWithPackets {
      (leading, startGranule) = (0, 0)
      available = max(0, frameCount - silentFrameCount - delay)
      wanted = available
    }
    return Extent(
      startGranule: startGranule, droppedFrameCount: leading, frameCount: min(wanted, available),
      missingFrameCount: max(0, wanted - available - lookahead),
      unplacedFrameCount: lastGranule == nil || last == nil ? 0 : newFrameCount,
      contradictionFrame: timing.contradiction.map { max(0, $0 - delay - leading) },
      endsWithPackets: endsWithPackets)
  }
}
