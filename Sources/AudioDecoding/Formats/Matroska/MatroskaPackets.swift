internal import Base
import MediaModel

/// The packets of a Matroska track, found in one walk over its clusters.
///
/// The times of blocks show where packets are missing; packets that are lost stand for them.
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
  /// The first bytes that are not Matroska, and what is behind them.
  private var junk: (byteCount: Int64, mark: Mark)?
  /// The first packets that are missing by the times.
  private var loss: Mark?
  private var endSeconds = 0.0
  /// The frames that packets state to give; nil if every packet gives as many.
  private let durations: (any PacketDurations)?
  private let clock: MatroskaClock

  /// A packet and its frame, and its time in seconds behind the first one.
  private struct Mark {
    let place: PacketPlaces.Place
    let seconds: Double
  }

  /// - Parameters:
  ///   - codec: Of the packets; nil if they are read as a file of their own, to which nothing is added.
  ///   - onPacket: gets each packet as its decoder gets it.
  init(
    _ bytes: BufferedBytes, layout: MatroskaLayout, track: MatroskaTrack, codec: PacketCodec? = nil,
    durations: (any PacketDurations)? = nil, onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    self.track = track
    self.durations = durations
    start = layout.start
    clock = MatroskaClock(
      nanosecondsPerTick: layout.nanosecondsPerTick, sampleRateInHz: codec?.sampleRateInHz,
      frameCountPerPacket: codec?.frameCountPerPacket)
    if durations != nil { places = PacketPlaces() }
    let reader = MatroskaPacketReader(bytes, packets: self, start: start, clock: clock, durations: durations)
    let greatestCount = min(bytes.byteCount, Packet.maximumCount)
    while packetCount < greatestCount, let packet = try reader.next() {
      if junk == nil, reader.skippedByteCount > 0 { note(reader.skippedByteCount, seconds: reader.secondsBeforeBlock) }
      if loss == nil, let seconds = reader.lossSeconds { loss = Mark(place: end, seconds: seconds) }
      index.add(reader.cursorOfLast, at: packetCount)
      packetCount += 1
      places?.add(frameCount: packet.frameCount ?? 0)
      if packet.isLost { continue }
      byteCount += try reader.withBytes(of: packet) {
        onPacket?($0)
        return Int64($0.count)
      }
    }
    isImpossible = packetCount == greatestCount
    endSeconds = reader.elapsedSeconds
    if junk == nil, reader.skippedByteCount > 0 { note(reader.skippedByteCount, seconds: endSeconds) }
    discardPadding = reader.discardPadding
    isCutAtEnd = reader.isCutAtEnd || layout.declaredEnd.map { $0 > bytes.byteCount } == true
  }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader {
    MatroskaPacketReader(bytes, packets: self, start: start, clock: clock, durations: durations)
  }

  /// What is wrong with the clusters.
  ///
  /// - Parameter seconds: where a packet begins; nil if only its time is known.
  func problem(seconds: (PacketPlaces.Place) -> Double?) -> Problem? {
    if let junk {
      return Problem(
        code: "junk", reason: "\(junk.byteCount) bytes between clusters are not Matroska",
        positionInSeconds: seconds(junk.mark.place) ?? junk.mark.seconds)
    }
    if isImpossible {
      return Problem(code: "impossible-header", reason: "the blocks describe more packets than the file contains")
    }
    if let loss {
      return Problem(
        code: "missing-packets", reason: "packets are missing before packet \(loss.place.packetNumber)",
        positionInSeconds: seconds(loss.place) ?? loss.seconds)
    }
    guard isCutAtEnd else { return nil }
    return Problem(
      code: "truncated", reason: "truncated: the segment is incomplete",
      positionInSeconds: seconds(end) ?? endSeconds)
  }

  /// Behind the packets so far.
  private var end: PacketPlaces.Place {
    places?.end ?? PacketPlaces.Place(packetNumber: packetCount, firstFrame: 0)
  }

  private mutating func note(_ junkByteCount: Int64, seconds: Double) {
    junk = (junkByteCount, Mark(place: end, seconds: seconds))
  }
}

/// Gives the packets of a Matroska track in the order of the file.
final class MatroskaPacketReader: PacketReader {
  struct Cursor {
    fileprivate var number: Int64
    /// Before the block of the packet.
    fileprivate var walk: MatroskaWalk
    fileprivate var frame: Int
    fileprivate var clockBeforeBlock: MatroskaClock
    /// Before the packet.
    fileprivate var clock: MatroskaClock
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
  private var clock: MatroskaClock
  private var clockBeforeBlock: MatroskaClock
  /// Of the packets that are missing before the last block.
  private var lostFrameCounts: [Int] = []
  /// Where packets are missing before the last packet, in seconds behind the first one; nil if there are none.
  private(set) var lossSeconds: Double?
  /// Where the packets before the last block end, in seconds behind the first one.
  private(set) var secondsBeforeBlock = 0.0
  /// The packets of the last block, behind those that are missing, and the next one of them.
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
    _ bytes: BufferedBytes, packets: MatroskaPackets, start: Int64, clock: MatroskaClock,
    durations: (any PacketDurations)?
  ) {
    self.bytes = bytes
    self.packets = packets
    self.durations = durations
    self.clock = clock
    clockBeforeBlock = clock
    walk = MatroskaWalk(bytes, from: start, entersClusters: true)
    walkBeforeBlock = walk
    cursorOfLast = Cursor(
      number: 0, walk: walk, frame: 0, clockBeforeBlock: clock, clock: clock, durations: durations)
  }

  var isCutAtEnd: Bool { walk.isCutAtEnd }
  var elapsedSeconds: Double { clock.elapsedSeconds }

  func next() throws(DecodingError) -> Packet? {
    if frame > 0 { (skippedByteCount, lossSeconds) = (0, nil) }
    while frame == frames.count { guard try enterNextBlock() else { return nil } }
    cursorOfLast = Cursor(
      number: number, walk: walkBeforeBlock, frame: frame, clockBeforeBlock: clockBeforeBlock, clock: clock,
      durations: durations)
    var packet = Packet(range: frames[frame], isLost: frame < lostFrameCounts.count)
    frame += 1
    number += 1
    if packet.isLost {
      if durations != nil { packet.frameCount = lostFrameCounts[frame - 1] }
      return packet
    }
    if durations != nil {
      packet.frameCount = try withBytes(of: packet) { durations?.frameCount($0) }
    }
    clock.add(frameCount: packet.frameCount)
    return packet
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = packets.index.entry(atOrBefore: target), number > target || entry.position > number {
      let cursor = entry.value
      (walk, clock) = (cursor.walk, cursor.clockBeforeBlock)
      (frames, frame) = ([], 0)
      number = cursor.number - Int64(cursor.frame)
      while frames.isEmpty { guard try enterNextBlock() else { return } }
      frame = min(cursor.frame, frames.count)
      number = cursor.number
      (clock, durations) = (cursor.clock, cursor.durations)
    }
    while number < target { guard try next() != nil else { return } }
  }

  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    if packet.isLost { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
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
    (skippedByteCount, lossSeconds) = (0, nil)
    lostFrameCounts = []
    while true {
      let before = (walk: walk, clock: clock)
      guard let element = try walk.next() else {
        skippedByteCount += walk.skippedByteCount
        return false
      }
      if walk.skippedByteCount > 0 { clock.noteSkippedBytes() }
      skippedByteCount += walk.skippedByteCount
      switch element.identifier {
      case MatroskaID.cluster: clock.enterCluster()
      case MatroskaID.clusterTime: clock.setClusterTime(try element.unsigned(bytes))
      case MatroskaID.blockGroup: (groupPadding, isGroupOfTrack) = (0, false)
      case MatroskaID.discardPadding:
        groupPadding = try element.signed(bytes) ?? 0
        if isGroupOfTrack { discardPadding = groupPadding }
      case MatroskaID.simpleBlock, MatroskaID.block:
        guard let found = try MatroskaBlock.contents(bytes, body: element.body, track: packets.track.number) else {
          continue
        }
        secondsBeforeBlock = clock.elapsedSeconds
        if let loss = clock.enterBlock(at: found.time) {
          (lossSeconds, lostFrameCounts) = (loss.seconds, loss.frameCounts)
        }
        isGroupOfTrack = element.identifier == MatroskaID.block
        discardPadding = isGroupOfTrack ? groupPadding : 0
        (walkBeforeBlock, clockBeforeBlock) = before
        let start = element.body.lowerBound
        frames = Array(repeating: start..<start, count: lostFrameCounts.count) + found.frames
        return true
      default: break
      }
    }
  }
}
