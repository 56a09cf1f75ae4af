import MediaModel

/// A Musepack file: its header, and what a walk over its packets has found.
struct MusepackLayout {
  let header: MusepackHeader
  /// Without tags.
  let range: Range<Int64>
  /// Bytes of the packets with sound.
  private(set) var byteCount: Int64 = 0
  /// Frames of the recording that are there, as far as the packets tell.
  private(set) var frameCount: Int64 = 0
  private(set) var ownProblem: Problem?
  /// Behind the last packet with sound.
  let end: Int64

  /// - Parameter hash: gets the header, without lengths and gains, and the packets.
  init(_ bytes: BufferedBytes, range: Range<Int64>, hash: ContentHasher? = nil) throws(DecodingError) {
    header = try MusepackHeader(bytes, at: range.lowerBound)
    self.range = range
    let hashed = hash == nil ? nil : ContentHasher()
    var packets = MusepackPackets(header, bytes: bytes, range: range)
    var blockCount: Int64 = 0
    while let packet = try packets.next() {
      blockCount += Int64(packet.blockCount)
      byteCount += packet.range.upperBound - packet.range.lowerBound
      // Frames of version 7 do not end with a byte.
      guard header.version == 8 else { continue }
      hashed?.note(length: packet.range.upperBound - packet.range.lowerBound)
      try bytes.forEachPiece(in: packet.range) { hashed?.update($0) }
    }
    end = packets.end
    if header.version == 7 {
      let sound = min(range.lowerBound + MusepackPackets.firstByteOfVersion7, range.upperBound)..<range.upperBound
      byteCount = sound.upperBound - sound.lowerBound
      try bytes.forEachPiece(in: sound) { hashed?.update($0) }
    }
    if let hash, let hashed {
      hash.begin(.musepack)
      hash.note(header.identity)
      hash.note(hashed)
    }
    judge(blockCount: blockCount, isIntact: packets.isIntact)
  }

  private mutating func judge(blockCount: Int64, isIntact: Bool) {
    let available = max(
      0, blockCount * MusepackHeader.blockFrameCount - MusepackHeader.delayFrameCount - header.silentFrameCount)
    frameCount = min(header.frameCount ?? available, available)
    if let declared = header.frameCount, frameCount < declared {
      ownProblem = .truncated(
        frameCount: frameCount, declaredFrameCount: declared, sampleRateInHz: header.sampleRateInHz)
    } else if !isIntact {
      ownProblem = Problem(
        code: "corrupt", reason: "the packets end with something else",
        positionInSeconds: Double(frameCount) / Double(header.sampleRateInHz))
    }
  }
}

extension MusepackLayout: StreamLayout {
  var declaration: StreamDeclaration {
    StreamDeclaration(
      isSound: ownProblem == nil,
      delayFrameCount: header.silentFrameCount > 0 ? Int(clamping: header.silentFrameCount) : nil,
      frameCount: header.frameCount ?? frameCount)
  }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) -> Int64? { byteCount }

  func account(to account: inout FileAccount) throws(DecodingError) {
    account.compare(frameCount: 0, ofDecoded: header.silentFrameCount, sampleRateInHz: header.sampleRateInHz)
    try addRest(to: &account)
  }

  /// Stream version 8: packets with two letters and a length (trac.musepack.net).
  private func addRest(to account: inout FileAccount) throws(DecodingError) {
    let end = range.upperBound
    guard header.version == 8 else { return try account.leave(min(self.end, end)..<end) }
    var offset = range.lowerBound + 4
    while offset < end {
      let head = try account.bytes.copy(at: offset, count: 10)
      guard head.count > 2, let size = MusepackSize(head, at: 2), size.value >= 2 + size.byteCount else { break }
      let name = String(decoding: head[..<2], as: UTF8.self)
      let (claimed, overflow) = offset.addingReportingOverflow(size.value)
      let next = overflow ? end : min(end, claimed)
      let isSound = name == "AP" && offset < self.end
      if !isSound, !["SH", "RG", "EI", "SO", "ST", "SE", "CT"].contains(name) { try account.leave(offset..<next) }
      offset = next
      if name == "SE" { break }
    }
    if offset < end { try account.leave(offset..<end) }
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try MusepackDecoder(bytes, layout: self)
  }
}

extension StreamHashers.Rules {
  static let musepack = Self("musepack")
}

/// Blocks that are decoded one after the other.
struct MusepackPacket {
  /// In the file.
  let range: Range<Int64>
  /// Of the first block, counted in the bytes of `range` as the decoder gets them.
  let firstBit: Int
  /// Behind the last block, in the same way.
  let endBit: Int
  let blockCount: Int
}

/// Walks from packet to packet; in version 7 each block is one.
struct MusepackPackets {
  /// The first block begins with the highest bit of the word that has this byte, behind the encoder's version.
  static let firstByteOfVersion7: Int64 = 24

  private let header: MusepackHeader
  private let bytes: BufferedBytes
  private let range: Range<Int64>
  private var offset: Int64
  /// In version 7: counted from the start of the range.
  private var bit: Int64 = 8 * firstByteOfVersion7 + 8
  private var blockNumber: Int64 = 0
  private var isAtEnd = false
  /// Whether nothing but packets was found.
  private(set) var isIntact = true

  init(_ header: MusepackHeader, bytes: BufferedBytes, range: Range<Int64>) {
    self.header = header
    self.bytes = bytes
    self.range = range
    offset = range.lowerBound + 4
  }

  /// Behind the last packet. In version 7 with the number of frames of the last block.
  var end: Int64 { header.version == 8 ? offset : range.lowerBound + (bit + 11 + 31) / 32 * 4 }

  /// The next packet with sound; nil behind the last one that is complete.
  mutating func next() throws(DecodingError) -> MusepackPacket? {
    guard !isAtEnd, blockNumber < header.neededBlockCount ?? .max else { return nil }
    let packet = try header.version == 8 ? nextOfVersion8() : nextOfVersion7()
    if let packet { blockNumber += Int64(packet.blockCount) } else { isAtEnd = true }
    return packet
  }

  private mutating func nextOfVersion8() throws(DecodingError) -> MusepackPacket? {
    while offset < range.upperBound {
      let head = try bytes.copy(at: offset, count: 10)
      guard head.count > 2, head[..<2].allSatisfy({ (0x41...0x5A).contains($0) }),
        let size = MusepackSize(head, at: 2), size.value >= 2 + size.byteCount
      else {
        isIntact = false
        return nil
      }
      if head.has("SE", at: 0) { return nil }
      let start = offset + Int64(2 + size.byteCount)
      let (end, overflow) = offset.addingReportingOverflow(size.value)
      guard !overflow, end <= range.upperBound, end - start <= Packet.maximumByteCount else {
        isIntact = false
        return nil
      }
      offset = end
      guard head.has("AP", at: 0) else { continue }
      let missing = (header.neededBlockCount ?? .max) - blockNumber
      return MusepackPacket(
        range: start..<end, firstBit: 0, endBit: 8 * Int(end - start),
        blockCount: Int(min(missing, Int64(header.blockCountPerPacket))))
    }
    return nil
  }

  /// A length of 20 bits comes before each block, and the number of frames in the last one behind it.
  private mutating func nextOfVersion7() throws(DecodingError) -> MusepackPacket? {
    if blockNumber == header.blockCount { bit += 11 }
    let word = bit / 32 * 4
    let words = try bytes.copy(at: range.lowerBound + word, count: 8)
    guard let first = words.littleEndian(UInt32.self, at: 0) else { return nil }
    let both = UInt64(first) << 32 | UInt64(words.littleEndian(UInt32.self, at: 4) ?? 0)
    let start = Int(bit % 32)
    let length = Int((both << UInt64(start)) >> 44)
    bit += 20 + Int64(length)
    let end = range.lowerBound + (bit + 31) / 32 * 4
    // A tag may begin in the last word.
    guard length > 0, range.lowerBound + (bit + 7) / 8 <= range.upperBound else { return nil }
    return MusepackPacket(
      range: range.lowerBound + word..<end, firstBit: start + 20, endBit: start + 20 + length, blockCount: 1)
  }
}
