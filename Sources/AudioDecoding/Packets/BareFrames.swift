import MediaModel

/// How frames look that follow each other without a container around them.
protocol BareFrameSyntax {
  var container: Container { get }
  var codec: PacketCodec { get }
  /// The rules of the hash of such packets.
  var rules: StreamHashers.Rules { get }
  /// Whether frames that belong to no packet are sound of their own.
  var otherFramesAreSound: Bool { get }
  /// Frames of sound in all of the stream, if its frames say it.
  var totalFrameCount: Int64? { get }
  /// How many bytes from the start of a frame its header needs at most.
  var headByteCount: Int { get }

  /// Whether a frame can begin with this byte.
  func canBegin(with byte: UInt8) -> Bool

  /// What the header of a frame says; nil if `head` is no frame of the stream.
  func frame(_ head: [UInt8]) -> BareFrame?

  /// Adds to a track of such frames what only this syntax knows.
  func complete(_ track: inout PacketTrack, of frames: BareFrames)
}

extension BareFrameSyntax {
  var otherFramesAreSound: Bool { false }
  var totalFrameCount: Int64? { nil }

  func complete(_ track: inout PacketTrack, of frames: BareFrames) {}
}

/// What the header of a frame says.
struct BareFrame: Hashable {
  enum Role: Hashable {
    /// Begins a packet.
    case packet
    /// Belongs to the packet before it.
    case continuation
    /// Has nothing for the decoder.
    case other
  }

  var role = Role.packet
  /// With the header.
  let byteCount: Int
  /// Of a header that is not part of the packet.
  var headerByteCount = 0
  /// How many frames of sound the packet gives; nil if every packet gives as many.
  var frameCount: Int?
  /// The first of them in the stream; nil if the header does not number them.
  var firstFrame: Int64?
}

/// Where a bare stream has its frames, found in one walk over their headers.
struct BareFrames {
  /// Something between the frames, and the packet and the frame of the decode behind it.
  private struct Interruption {
    let code: String
    let reason: String
    let packetNumber: Int64
    let firstFrame: Int64?
  }

  let syntax: any BareFrameSyntax
  let range: Range<Int64>
  private(set) var packetCount: Int64 = 0
  /// Of the packets.
  private(set) var byteCount: Int64 = 0
  private(set) var places: PacketPlaces?
  /// File offsets by number of packet.
  private(set) var index = SeekIndex<Int64>(stride: 64)
  /// Whether some packets have more than one frame.
  private(set) var hasContinuations = false
  /// What lies between the packets and behind them.
  private(set) var unread = UnreadRanges()
  /// Whether there are frames of sound that belong to no packet.
  private(set) var hasOtherPrograms = false
  private var interruption: Interruption?
  private var isCutAtEnd = false
  private var leadingZeroByteCount: Int64 = 0
  private var trailingByteCount: Int64 = 0

  /// - Parameters:
  ///   - junk: what was passed over to find the first frame.
  ///   - onPacket: gets each packet.
  init(
    _ bytes: BufferedBytes, range: Range<Int64>, syntax: any BareFrameSyntax, behind junk: Range<Int64>,
    onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.syntax = syntax
    self.range = range
    if syntax.codec.frameCountPerPacket == nil { places = PacketPlaces() }
    var scanner = BareFrameScanner(bytes, range: range, syntax: syntax)
    while let packet = try scanner.next() {
      if interruption == nil, scanner.skippedByteCount > 0 {
        interrupt("\(scanner.skippedByteCount) bytes between frames are not audio")
      }
      if interruption == nil, let reason = scanner.discontinuity {
        interrupt(reason, code: packet.isLost ? "missing-packets" : "positions")
      }
      // One that stands for what is lost cannot be found again.
      if !packet.range.isEmpty { index.add(scanner.frameOffset, at: packetCount) }
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
      if let frameCount = packet.frameCount { places?.add(frameCount: frameCount) }
      if let onPacket, !packet.range.isEmpty { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
    unread.add(junk)
    for range in scanner.unread.ranges { unread.add(range) }
    if !scanner.isCutAtEnd { trailingByteCount = scanner.skippedByteCount }
    hasOtherPrograms = scanner.hasOtherFrames && syntax.otherFramesAreSound
    if interruption == nil, scanner.gaveUp { interrupt("no audio frame in the next 2 MiB") }
    isCutAtEnd = scanner.isCutAtEnd
    hasContinuations = scanner.hasContinuations
    leadingZeroByteCount = try bytes.zeroByteCount(atStartOf: junk)
  }

  private mutating func interrupt(_ reason: String, code: String = "junk") {
    interruption = Interruption(
      code: code, reason: reason, packetNumber: packetCount, firstFrame: places?.end.firstFrame)
  }

  /// What interrupts the frames.
  func problem(of track: PacketTrack) -> Problem? {
    let rate = Double(max(1, track.sampleRateInHz))
    let seconds = Double(track.decodedFrameCount) / rate
    if let reason = OverwrittenEnds.reason(leadingZeroByteCount: leadingZeroByteCount, byteCount, seconds: seconds) {
      return Problem(code: "junk", reason: reason, positionInSeconds: 0)
    }
    if let interruption {
      let frame = interruption.firstFrame ?? interruption.packetNumber * track.frameCountPerPacket
      return Problem(code: interruption.code, reason: interruption.reason, positionInSeconds: Double(frame) / rate)
    }
    let isComplete = syntax.totalFrameCount.map { track.decodedFrameCount >= $0 } ?? false
    if !isComplete,
      let reason = OverwrittenEnds.reason(trailingByteCount: trailingByteCount, byteCount, seconds: seconds)
    {
      return Problem(code: "junk", reason: reason, positionInSeconds: seconds)
    }
    guard isCutAtEnd else { return nil }
    return Problem(
      code: "truncated", reason: "truncated: the last frame is incomplete",
      positionInSeconds: Double(track.decodedFrameCount) / rate)
  }
}

extension BareFrames: PacketSource {
  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { BareFrameReader(bytes, frames: self) }

  func account(to account: inout FileAccount) throws(DecodingError) {
    if hasOtherPrograms { account.noteOtherStream() }
    try account.leave(unread)
  }
}

extension PacketTrack {
  /// Of a bare stream, which says nothing about its length.
  ///
  /// - Parameters:
  ///   - junk: what was passed over to find the first frame; empty if `range` begins with it.
  ///   - container: nil if there is none around the frames.
  ///   - hash: gets the stream.
  init(
    bare bytes: BufferedBytes, range: Range<Int64>, _ syntax: any BareFrameSyntax, behind junk: Range<Int64> = 0..<0,
    in container: Container? = nil, hash: ContentHasher?
  ) throws(DecodingError) {
    let packets = hash.map { PacketHasher($0, rules: syntax.rules) }
    let frames = try BareFrames(bytes, range: range, syntax: syntax, behind: junk, onPacket: packets?.add)
    packets?.finish(identity: syntax.codec.identity)
    try self.init(frames, container: container ?? syntax.container, codec: syntax.codec, bytes: bytes)
    ownProblem = frames.problem(of: self)
    syntax.complete(&self, of: frames)
  }

  /// Of a bare stream whose first frame was searched for.
  init(
    bare bytes: BufferedBytes, _ found: BareFrameSearch, in container: Container? = nil, hash: ContentHasher?
  ) throws(DecodingError) {
    try self.init(
      bare: bytes, range: found.range, found.syntax, behind: found.junk, in: container, hash: hash)
  }
}

extension TrackForm {
  /// Packets that are frames of a bare stream, the first of which may be damaged.
  static func bare(
    canBegin: @escaping (UInt8) -> Bool, _ makeSyntax: @escaping (_ head: [UInt8]) -> (any BareFrameSyntax)?
  ) -> TrackForm {
    .joined(
      JoinedForm { (bytes, hashers, _) throws(DecodingError) in
        let range = try TagBounds(bytes).audio
        guard
          let found = try BareFrameSearch(
            bytes, in: range, before: range.upperBound, canBegin: canBegin, makeSyntax)
        else { return nil }
        return try PacketTrack(bare: bytes, found, hash: hashers?.current)
      })
  }

  /// Packets that are frames of a bare stream.
  ///
  /// - Parameter syntax: nil if the packets do not begin with such a frame, or none of them can be decoded.
  static func bare(
    _ syntax: @escaping (BufferedBytes, Range<Int64>) throws(DecodingError) -> (any BareFrameSyntax)?
  ) -> TrackForm {
    .joined(
      JoinedForm { (bytes, hashers, _) throws(DecodingError) in
        let range = try TagBounds(bytes).audio
        let found: (any BareFrameSyntax)?
        do throws(DecodingError) { found = try syntax(bytes, range) } catch {
          if case .unreadable = error { throw error }
          return nil
        }
        guard let found else { return nil }
        return try PacketTrack(bare: bytes, range: range, found, hash: hashers?.current)
      })
  }
}
