import MediaModel

/// One packet of a track, where it lies in the file.
struct Packet {
  /// Longer ones are damage: the longest of real files have some 200 KB.
  static let maximumByteCount: Int64 = 16 << 20
  /// No file has more: those of two days that last 2.5 ms each are 69 million. A file that claims more than it has
  /// bytes claims too many, too.
  static let maximumCount: Int64 = 70_000_000

  let range: Range<Int64>
  /// How long it sounds by its container, in ticks of the track; 0 if the container does not say it.
  var tickCount: Int64 = 0
  /// How many frames it states to give; nil if every packet of the track gives as many.
  var frameCount: Int?
  /// Whether it is not in the file, and only times show that it was: its decoder gives silence.
  var isLost = false
}

/// Where the packets of one track are: what a walk over a container has found.
protocol PacketSource {
  /// Of the packets that are there, and their bytes.
  var packetCount: Int64 { get }
  var byteCount: Int64 { get }
  /// Where packets begin that state how many frames they give; nil if every packet gives as many.
  var places: PacketPlaces? { get }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader

  /// Reports what the walk passed over.
  func account(to account: inout FileAccount) throws(DecodingError)
}

extension PacketSource {
  var places: PacketPlaces? { nil }

  func account(to account: inout FileAccount) throws(DecodingError) {}
}

/// Gives the packets of one track in the order in which they are decoded.
protocol PacketReader: AnyObject {
  /// The file.
  var bytes: BufferedBytes { get }

  /// The next packet; nil at the end.
  func next() throws(DecodingError) -> Packet?

  /// Makes packet `number` the next one; behind the last one it is the end.
  func go(toPacket number: Int64) throws(DecodingError)

  /// Lends what the decoder gets of a packet.
  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result
}

extension PacketReader {
  /// The bytes as they lie in the file.
  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    try bytes.withBytes(of: packet, body)
  }
}

extension BufferedBytes {
  /// Lends the bytes of a packet, fewer at the end of the file.
  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    let count = Int(min(packet.range.upperBound - packet.range.lowerBound, Packet.maximumByteCount))
    if count <= Self.bufferSize { return try withBytes(at: packet.range.lowerBound, count: count, body) }
    let copy = try file.bytes(at: packet.range.lowerBound, count: count)
    var failure: DecodingError?
    let result = copy.withUnsafeBytes { bytes -> Result? in
      do throws(DecodingError) { return try body(bytes) } catch {
        failure = error
        return nil
      }
    }
    guard let result else { throw failure ?? .unsupported(reason: "no packet") }
    return result
  }
}

/// Where the packets of a track begin, counted in frames of the decode.
struct PacketPlaces {
  struct Place: Hashable {
    var packetNumber: Int64 = 0
    var firstFrame: Int64 = 0
  }

  /// Of all packets so far: the place behind the last one.
  private(set) var end = Place()
  private var packetNumbers = SeekIndex<Int64>(stride: 8192)

  /// Adds the next packet.
  mutating func add(frameCount: Int) {
    packetNumbers.add(end.packetNumber, at: end.firstFrame)
    end.packetNumber += 1
    end.firstFrame += Int64(frameCount)
  }

  /// A packet near `frame` that does not begin behind it.
  func place(atOrBefore frame: Int64) -> Place {
    guard let entry = packetNumbers.entry(atOrBefore: frame) else { return Place() }
    return Place(packetNumber: entry.value, firstFrame: entry.position)
  }
}
