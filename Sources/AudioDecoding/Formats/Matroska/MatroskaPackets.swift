internal import Base
import MediaModel

/// The packets of a Matroska track, found in one walk over its clusters.
///
/// What times the blocks state does not matter: they are rounded, mostly to milliseconds.
struct MatroskaPackets: PacketSource {
  let track: MatroskaTrack
  private let start: Int64
  private(set) var packetCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  private(set) var places: PacketPlaces?
  private(set) var index = SeekIndex<MatroskaPacketReader.Cursor>(stride: 64, sizeLimit: 8191, size: { _ in 1 })
  /// At the end, in nanoseconds.
  private(set) var discardPadding: Int64 = 0
  private(set) var isCutAtEnd = false
  /// There are more packets than the file has bytes.
  private var isImpossible = false
  /// The first bytes that are not Matroska, and the packet and the frame behind them.
  private var junk: (byteCount: Int64, place: PacketPlaces.Place)?
  /// The frames that packets state to give; nil if every packet gives as many.
  private let durations: (any PacketDurations)?

  /// - Parameter onPacket: gets each packet as its decoder gets it.
  init(
    _ bytes: BufferedBytes, layout: MatroskaLayout, track: MatroskaTrack, durations: (any PacketDurations)? = nil,
    onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.track = track
    self.durations = durations
    start = layout.start
    if durations != nil { places = PacketPlaces() }
    let reader = MatroskaPacketReader(bytes, packets: self, start: start, durations: durations)
    let greatestCount = min(bytes.byteCount, Packet.maximumCount)
    while packetCount < greatestCount, let packet = try reader.next() {
      if junk == nil, reader.skippedByteCount > 0 { note(reader.skippedByteCount) }
      index.add(reader.cursorOfLast, at: packetCount)
      packetCount += 1
      places?.add(frameCount: packet.frameCount ?? 0)
      byteCount += try reader.withBytes(of: packet) {
        onPacket?($0)
        return Int64($0.count)
      }
    }
    isImpossible = packetCount == greatestCount
    if junk == nil, reader.skippedByteCount > 0 { note(reader.skippedByteCount) }
    discardPadding = reader.discardPadding
    isCutAtEnd = reader.isCutAtEnd || layout.declaredEnd.map { $0 > bytes.byteCount } == true
  }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader {
    MatroskaPacketReader(bytes, packets: self, start: start, durations: durations)
  }

  /// What is wrong with the clusters.
  ///
  /// - Parameter seconds: where a packet begins; nil if it is not known.
  func problem(seconds: (PacketPlaces.Place) -> Double?) -> Problem? {
    if let junk {
      return Problem(
        code: "junk", reason: "\(junk.byteCount) bytes between clusters are not Matroska",
        positionInSeconds: seconds(junk.place))
    }
    if isImpossible {
      return Problem(code: "impossible-header", reason: "the blocks describe more packets than the file contains")
    }
    guard isCutAtEnd else { return nil }
    return Problem(
      code: "truncated", reason: "truncated: the segment is incomplete", positionInSeconds: seconds(end))
  }

  /// Behind the packets so far.
  private var end: PacketPlaces.Place {
    places?.end ?? PacketPlaces.Place(packetNumber: packetCount, firstFrame: 0)
  }

  private mutating func note(_ junkByteCount: Int64) { junk = (junkByteCount, end) }
}

/// Gives the packets of a Matroska track in the order of the file.
final class MatroskaPacketReader: PacketReader {
  struct Cursor {
    fileprivate var number: Int64
    /// Before the block of the packet.
    fileprivate var walk: MatroskaWalk
    fileprivate var frame: Int
    fileprivate var durations: (any PacketDurations)?
  }

  /// Longer packets are damage.
  private static let maximumByteCount = Int(Packet.maximumByteCount)

  let bytes: BufferedBytes
  private let packets: MatroskaPackets
  private var walk: MatroskaWalk
  private var walkBeforeBlock: MatroskaWalk
  private var durations: (any PacketDurations)?
  private var number: Int64 = 0
  /// The packets of the last block, and the next one of them.
  private var frames: [Range<Int64>] = []
  private var frame = 0
  private(set) var cursorOfLast: Cursor
  /// Bytes before the block of the last packet that are not Matroska.
  private(set) var skippedByteCount: Int64 = 0
  /// Of the last block, in nanoseconds.
  private(set) var discardPadding: Int64 = 0
  /// Of the group of blocks that is being walked, and whether its block is of this track.
  private var groupPadding: Int64 = 0
  private var isGroupOfTrack = false

  fileprivate init(
    _ bytes: BufferedBytes, packets: MatroskaPackets, start: Int64, durations: (any PacketDurations)?
  ) {
    self.bytes = bytes
    self.packets = packets
    self.durations = durations
    walk = MatroskaWalk(bytes, from: start, entersClusters: true)
    walkBeforeBlock = walk
    cursorOfLast = Cursor(number: 0, walk: walk, frame: 0, durations: durations)
  }

  var isCutAtEnd: Bool { walk.isCutAtEnd }

  func next() throws(DecodingError) -> Packet? {
    if frame > 0 { skippedByteCount = 0 }
    while frame == frames.count { guard try enterNextBlock() else { return nil } }
    cursorOfLast = Cursor(number: number, walk: walkBeforeBlock, frame: frame, durations: durations)
    var packet = Packet(range: frames[frame])
    frame += 1
    number += 1
    if durations != nil {
      packet.frameCount = try withBytes(of: packet) { durations?.frameCount($0) }
    }
    return packet
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = packets.index.entry(atOrBefore: target), number > target || entry.position > number {
      let cursor = entry.value
      walk = cursor.walk
      (frames, frame) = ([], 0)
      number = cursor.number - Int64(cursor.frame)
      while frames.isEmpty { guard try enterNextBlock() else { return } }
      frame = min(cursor.frame, frames.count)
      number = cursor.number
      durations = cursor.durations
    }
    while number < target { guard try next() != nil else { return } }
  }

  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    var decoded: [UInt8]
    let wavPackVersion = packets.track.wavPackVersion
    switch packets.track.encoding {
    case .none where wavPackVersion == nil, .unknown: return try bytes.withBytes(of: packet, body)
    case .none: decoded = try bytes.withBytes(of: packet) { Array($0) }
    case .strippedHeader(let header):
      decoded = try bytes.withBytes(of: packet) { header + $0 }
    case .zlib:
      // One that is broken becomes one without bytes: its frames are silence.
      decoded = try bytes.withBytes(of: packet) { Zlib.inflated($0, limit: Self.maximumByteCount) ?? [] }
    }
    if let wavPackVersion { decoded = WavPackBlock.restored(decoded, version: wavPackVersion) }
    var failure: DecodingError?
    let result = decoded.withUnsafeBytes { bytes -> Result? in
      do throws(DecodingError) { return try body(bytes) } catch {
        failure = error
        return nil
      }
    }
    guard let result else { throw failure ?? .unsupported(reason: "no packet") }
    return result
  }

  /// Makes ``frames`` those of the next block of the track; false at the end.
  private func enterNextBlock() throws(DecodingError) -> Bool {
    (frames, frame) = ([], 0)
    skippedByteCount = 0
    while true {
      let before = walk
      guard let element = try walk.next() else {
        skippedByteCount += walk.skippedByteCount
        return false
      }
      skippedByteCount += walk.skippedByteCount
      switch element.identifier {
      case MatroskaID.blockGroup: (groupPadding, isGroupOfTrack) = (0, false)
      case MatroskaID.discardPadding:
        groupPadding = try element.signed(bytes) ?? 0
        if isGroupOfTrack { discardPadding = groupPadding }
      case MatroskaID.simpleBlock, MatroskaID.block:
        guard let found = try MatroskaBlock.frames(bytes, body: element.body, track: packets.track.number) else {
          continue
        }
        isGroupOfTrack = element.identifier == MatroskaID.block
        discardPadding = isGroupOfTrack ? groupPadding : 0
        walkBeforeBlock = before
        frames = found
        return true
      default: break
      }
    }
  }
}
