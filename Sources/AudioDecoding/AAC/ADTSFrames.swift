import MediaModel

/// Where a stream of ADTS has its frames (ISO 14496-3 section 1.A.2 and 1.A.3), found in one walk over their headers.
struct ADTSFrames {
  /// Something between the frames.
  private enum Interruption: Hashable {
    case junk(byteCount: Int64, beforePacket: Int64)
    case gaveUp(afterPacket: Int64)
  }

  let configuration: AudioSpecificConfig
  let range: Range<Int64>
  private(set) var packetCount: Int64 = 0
  /// Of the packets, without their headers.
  private(set) var byteCount: Int64 = 0
  /// File offsets by number of packet.
  private(set) var index = SeekIndex<Int64>(stride: 64)
  private var interruption: Interruption?
  private var isCutAtEnd = false

  /// nil if no frame begins at the start of `range`.
  ///
  /// - Parameter onPacket: gets each packet, without its header.
  init?(
    _ bytes: BufferedBytes, range: Range<Int64>, onPacket: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    guard let config = AudioSpecificConfig(adtsHeader: try bytes.copy(at: range.lowerBound, count: 7)) else {
      return nil
    }
    configuration = config
    self.range = range
    var scanner = Scanner(bytes, range: range, configuration: config)
    while let packet = try scanner.next() {
      if interruption == nil, scanner.skippedByteCount > 0 {
        interruption = .junk(byteCount: scanner.skippedByteCount, beforePacket: packetCount)
      }
      index.add(scanner.frameOffset, at: packetCount)
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
      if let onPacket { try bytes.withBytes(of: packet) { onPacket($0) } }
    }
    if interruption == nil, scanner.gaveUp { interruption = .gaveUp(afterPacket: packetCount) }
    isCutAtEnd = scanner.isCutAtEnd
  }

  /// What interrupts the frames.
  func problem(frameCountPerPacket: Int64, sampleRateInHz rate: Int) -> Problem? {
    func seconds(_ packet: Int64) -> Double { Double(packet * frameCountPerPacket) / Double(max(1, rate)) }
    switch interruption {
    case .junk(let byteCount, let packet):
      return Problem(
        code: "junk", reason: "\(byteCount) bytes between frames are not audio", positionInSeconds: seconds(packet))
    case .gaveUp(let packet):
      return Problem(
        code: "junk", reason: "no audio frame in the next 2 MiB", positionInSeconds: seconds(packet))
    case nil where isCutAtEnd:
      return Problem(
        code: "truncated", reason: "truncated: the last frame is incomplete", positionInSeconds: seconds(packetCount))
    case nil: return nil
    }
  }

  /// Walks from frame to frame.
  struct Scanner {
    private let bytes: BufferedBytes
    private let end: Int64
    private let configuration: AudioSpecificConfig
    private var offset: Int64
    /// Bytes before the last frame that are not frames.
    private(set) var skippedByteCount: Int64 = 0
    private(set) var frameOffset: Int64 = 0
    private(set) var isCutAtEnd = false
    private(set) var gaveUp = false

    init(_ bytes: BufferedBytes, range: Range<Int64>, configuration: AudioSpecificConfig) {
      self.bytes = bytes
      self.configuration = configuration
      end = range.upperBound
      offset = range.lowerBound
    }

    /// The next packet, without its header; nil at the end.
    mutating func next() throws(DecodingError) -> Packet? {
      skippedByteCount = 0
      while offset < end {
        let head = try bytes.copy(at: offset, count: 9)
        if let length = frameLength(head), try isFollowed(offset + Int64(length)) {
          guard offset + Int64(length) <= end else {
            isCutAtEnd = true
            offset = end
            return nil
          }
          frameOffset = offset
          offset += Int64(length)
          // With a checksum the header is two bytes longer.
          return Packet(range: (frameOffset + (head[1] & 1 == 0 ? 9 : 7))..<offset)
        }
        let distance = try bytes.byteCountToSync(
          from: offset + 1, before: end, limit: BufferedBytes.resyncLimit - skippedByteCount
        ) { $0 == 0xFF }
        skippedByteCount += 1 + distance
        offset += 1 + distance
        if skippedByteCount > BufferedBytes.resyncLimit {
          gaveUp = true
          offset = end
        }
      }
      return nil
    }

    /// In the middle of junk, the header behind a frame shows that it is one.
    private func isFollowed(_ next: Int64) throws(DecodingError) -> Bool {
      guard skippedByteCount > 0, next < end else { return true }
      return frameLength(try bytes.copy(at: next, count: 7)) != nil
    }

    /// With header; nil if it is no frame of the stream.
    private func frameLength(_ head: [UInt8]) -> Int? {
      guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0,
        AudioSpecificConfig(adtsHeader: head) == configuration
      else { return nil }
      let length = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
      return length > (head[1] & 1 == 0 ? 9 : 7) ? length : nil
    }
  }
}

extension ADTSFrames: PacketSource {
  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { ADTSFrameReader(bytes, frames: self) }
}

extension PacketTrack {
  /// Of an ADTS stream, which says nothing about its length.
  init(_ frames: ADTSFrames, bytes: BufferedBytes) throws(DecodingError) {
    let config = frames.configuration
    try self.init(frames, container: .adts, codec: .aac(config, extradata: config.bytes ?? []), bytes: bytes)
    ownProblem = frames.problem(frameCountPerPacket: frameCountPerPacket, sampleRateInHz: sampleRateInHz)
  }
}

/// Gives the packets of an ADTS stream in order.
final class ADTSFrameReader: PacketReader {
  let bytes: BufferedBytes
  private let frames: ADTSFrames
  private var scanner: ADTSFrames.Scanner
  private var number: Int64 = 0

  init(_ bytes: BufferedBytes, frames: ADTSFrames) {
    self.bytes = bytes
    self.frames = frames
    scanner = ADTSFrames.Scanner(bytes, range: frames.range, configuration: frames.configuration)
  }

  func next() throws(DecodingError) -> Packet? {
    guard let packet = try scanner.next() else { return nil }
    number += 1
    return packet
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = frames.index.entry(atOrBefore: target), number > target || entry.position > number {
      let rest = entry.value..<frames.range.upperBound
      scanner = ADTSFrames.Scanner(bytes, range: rest, configuration: frames.configuration)
      number = entry.position
    }
    while number < target { guard try next() != nil else { return } }
  }
}
