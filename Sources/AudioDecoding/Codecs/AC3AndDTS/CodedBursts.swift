import MediaModel

/// Frames of AC-3, E-AC-3 or DTS in bursts in place of samples of 16 bits, as digital outputs carry them (IEC 61937-1,
/// section 6): a preamble of four words, the frames in words of their own, and zeros up to the next burst.
struct CodedBursts: PacketSource {
  /// What a preamble says.
  struct Burst {
    let type: Int
    /// Of the frames, behind the preamble, in whole words.
    let byteCount: Int64
  }

  /// How the words lie in the file.
  enum Order: CaseIterable {
    case littleEndian, bigEndian

    var sync: [UInt8] { self == .littleEndian ? [0x72, 0xF8, 0x1F, 0x4E] : [0xF8, 0x72, 0x4E, 0x1F] }
  }

  static let preambleByteCount: Int64 = 8

  let order: Order
  let range: Range<Int64>
  private(set) var packetCount: Int64 = 0
  private(set) var byteCount: Int64 = 0
  /// Of all bursts (IEC 61937-2, table 2).
  let type: Int
  fileprivate private(set) var index = SeekIndex<Int64>(stride: 64)

  /// nil unless a burst begins where `range` does, and another one of its type follows.
  init?(_ bytes: BufferedBytes, range: Range<Int64>) throws(DecodingError) {
    let head = try bytes.copy(at: range.lowerBound, count: Int(Self.preambleByteCount))
    guard let order = Order.allCases.first(where: { head.starts(with: $0.sync) }),
      let type = order.burst(head)?.type
    else { return nil }
    self.order = order
    self.range = range
    self.type = type
    let reader = BurstReader(bytes, bursts: self)
    while let packet = try reader.next() {
      index.add(packet.range.lowerBound - Self.preambleByteCount, at: packetCount)
      packetCount += 1
      byteCount += packet.range.upperBound - packet.range.lowerBound
    }
    guard packetCount > 1 else { return nil }
  }

  /// How the frames are decoded; nil for codecs without a decoder.
  var form: JoinedForm? {
    let form: TrackForm
    switch type {
    case 1, 21: form = .ac3
    case 11, 12, 13, 17: form = .dts
    default: return nil
    }
    if case .joined(let joined) = form { return joined }
    return nil
  }

  func makeReader(_ bytes: BufferedBytes) -> any PacketReader { BurstReader(bytes, bursts: self) }
}

extension CodedBursts.Order {
  /// nil if `head` is no preamble.
  func burst(_ head: [UInt8]) -> CodedBursts.Burst? {
    guard head.count >= 8, head.starts(with: sync) else { return nil }
    func word(_ offset: Int) -> Int {
      Int(self == .littleEndian ? head.littleEndian(at: offset) ?? UInt16(0) : head.bigEndian(at: offset) ?? 0)
    }
    let type = word(4) & 0x7F
    // In bits, but for the newer types.
    let length = type == 17 || type == 21 || type == 22 ? Int64(word(6)) : Int64(word(6) + 7) / 8
    return CodedBursts.Burst(type: type, byteCount: (length + 1) / 2 * 2)
  }
}

/// Gives the frames of each burst in the order of their own bytes.
final class BurstReader: PacketReader {
  let bytes: BufferedBytes
  private let bursts: CodedBursts
  private var offset: Int64
  private var number: Int64 = 0

  init(_ bytes: BufferedBytes, bursts: CodedBursts) {
    self.bytes = bytes
    self.bursts = bursts
    offset = bursts.range.lowerBound
  }

  func next() throws(DecodingError) -> Packet? {
    let end = bursts.range.upperBound
    let first = bursts.order.sync[0]
    while offset < end {
      let head = try bytes.copy(at: offset, count: Int(CodedBursts.preambleByteCount))
      if let burst = bursts.order.burst(head), burst.type == bursts.type, burst.byteCount > 0 {
        let start = offset + CodedBursts.preambleByteCount
        offset = min(end, start + burst.byteCount)
        number += 1
        return Packet(range: start..<max(start, offset))
      }
      offset += 1
      offset += try bytes.byteCountToSync(from: offset, before: end, limit: end - offset) { $0 == first }
    }
    return nil
  }

  func go(toPacket target: Int64) throws(DecodingError) {
    if let entry = bursts.index.entry(atOrBefore: target), number > target || entry.position > number {
      (offset, number) = (entry.value, entry.position)
    }
    while number < target { guard try next() != nil else { return } }
  }

  func withBytes<Result>(
    of packet: Packet, _ body: (UnsafeRawBufferPointer) throws(DecodingError) -> Result
  ) throws(DecodingError) -> Result {
    guard bursts.order == .littleEndian else { return try bytes.withBytes(of: packet, body) }
    let count = packet.range.upperBound - packet.range.lowerBound
    var swapped = try bytes.copy(at: packet.range.lowerBound, count: Int(count))
    for index in stride(from: 0, to: swapped.count - 1, by: 2) { swapped.swapAt(index, index + 1) }
    var failure: DecodingError?
    let result = swapped.withUnsafeBytes { bytes -> Result? in
      do throws(DecodingError) { return try body(bytes) } catch {
        failure = error
        return nil
      }
    }
    guard let result else { throw failure ?? .unsupported(reason: "no packet") }
    return result
  }
}
