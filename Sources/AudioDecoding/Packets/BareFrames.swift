import MediaModel

/// How frames look that follow each other without a container around them.
protocol BareFrameSyntax {
  var container: Container { get }
  var codec: PacketCodec { get }
  /// The rules of the hash of such packets.
  var rules: StreamHashers.Rules { get }
  /// Whether frames that belong to no packet are sound of their own.
  var otherFramesAreSound: Bool { get }
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

  /// - Parameter onPacket: gets each packet.
  init(
    _ bytes: BufferedBytes, range: Range<Int64>, syntax: any BareFrameSyntax,
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
      // One that stands for what is lost cannot be found again.
      if !packet.range.isEmpty { index.add(scanner.frameOffset, at: packetCount) }
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
      if let frameCount = packet.frameCount { places?.add(frameCount: frameCount) }
      if let onPacket, !packet.range.isEmpty { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
    unread = scanner.unread
    hasOtherPrograms = scanner.hasOtherFrames && syntax.otherFramesAreSound
    if interruption == nil, scanner.gaveUp { interrupt("no audio frame in the next 2 MiB") }
    isCutAtEnd = scanner.isCutAtEnd
    hasContinuations = scanner.hasContinuations
  }

  private mutating func interrupt(_ reason: String) {
    interruption = Interruption(reason: reason, packetNumber: packetCount, firstFrame: places?.end.firstFrame)
  }

  /// What interrupts the frames.
  func problem(of track: PacketTrack) -> Problem? {
    let rate = Double(max(1, track.sampleRateInHz))
    if let interruption {
      let frame = interruption.firstFrame ?? interruption.packetNumber * track.frameCountPerPacket
      return Problem(code: "junk", reason: interruption.reason, positionInSeconds: Double(frame) / rate)
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
  ///   - container: nil if there is none around the frames.
  ///   - hash: gets the stream.
  init(
    bare bytes: BufferedBytes, range: Range<Int64>, _ syntax: any BareFrameSyntax, in container: Container? = nil,
    hash: ContentHasher?
  ) throws(DecodingError) {
    let packets = hash.map { PacketHasher($0, rules: syntax.rules) }
    let frames = try BareFrames(bytes, range: range, syntax: syntax, onPacket: packets?.add)
    packets?.finish(identity: syntax.codec.identity)
    try self.init(frames, container: container ?? syntax.container, codec: syntax.codec, bytes: bytes)
    ownProblem = frames.problem(of: self)
    syntax.complete(&self, of: frames)
  }
}

extension TrackForm {
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
