internal import Base
import MediaModel

/// The header of a block of WavPack ("WavPack 4 & 5 Binary File / Block Format", section 2).
struct WavPackBlock {
  static let headerByteCount = 32
  /// Decoders accept no longer ones.
  private static let maximumFrameCount: UInt32 = 150_000
  private static let checksumFlag: UInt32 = 1 << 28
  private static let sampleRatesInHz = [
    6000, 8000, 9600, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 192_000,
  ]

  /// With the header.
  let byteCount: Int
  /// Of the whole file; nil if the encoder did not know it.
  let totalFrameCount: Int64?
  let firstFrame: Int64
  /// 0 if the block has no sound.
  let frameCount: Int
  private let flags: UInt32

  /// nil if `head` is no header of version 4 or 5.
  init?(_ head: [UInt8]) {
    guard head.count >= Self.headerByteCount, head.has("wvpk", at: 0), head[9] == 4,
      let size = head.littleEndian(UInt32.self, at: 4), let total = head.littleEndian(UInt32.self, at: 12),
      let index = head.littleEndian(UInt32.self, at: 16), let count = head.littleEndian(UInt32.self, at: 20),
      let flags = head.littleEndian(UInt32.self, at: 24),
      size >= 24, size < Packet.maximumByteCount, count <= Self.maximumFrameCount
    else { return nil }
    byteCount = Int(size) + 8
    // The numbers have 40 bits; a total whose lower ones are all set means that it is not known.
    totalFrameCount = total == .max ? nil : Int64(total) + Int64(head[11]) << 32 - Int64(head[11])
    firstFrame = Int64(index) + Int64(head[10]) << 32
    frameCount = Int(count)
    self.flags = flags
  }

  /// Whether it has the first channels of its frames; blocks with the others follow.
  var isFirst: Bool { flags & 1 << 11 != 0 }
  /// Whether a part of the sound was left out, which may be in another file.
  var isHybrid: Bool { flags & 1 << 3 != 0 }
  var isFloat: Bool { flags & 1 << 7 != 0 }
  var isDSD: Bool { flags & 1 << 31 != 0 }
  /// As in the header, without the flag that says that a checksum ends the block.
  var identifyingFlags: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: (flags & ~Self.checksumFlag) >> (8 * $0)) } }

  /// How many bytes the checksum at the end of the block takes.
  ///
  /// - Parameter bytes: All of the block.
  func checksumByteCount(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
    guard flags & Self.checksumFlag != 0 else { return 0 }
    // A part of one or two words.
    return [4, 6].first { count in
      bytes.count >= Self.headerByteCount + count && bytes.suffix(count).starts(with: [0x2F, UInt8(count / 2 - 1)])
    } ?? 0
  }

  /// Of the samples that were encoded.
  var bitsPerSample: Int { (Int(flags & 3) + 1) * 8 - (isFloat ? 0 : Int(flags >> 13 & 31)) }
  /// nil if the rate stands in the block.
  var sampleRateInHz: Int? {
    let index = Int(flags >> 23 & 15)
    return index < Self.sampleRatesInHz.count ? Self.sampleRatesInHz[index] : nil
  }
}

extension WavPackBlock {
  /// The blocks of a packet of Matroska, which leaves out what it knows itself: the mark, the sizes and the numbers of
  /// frames; of a single block also its size (Matroska Codec Specifications, A_WAVPACK4).
  ///
  /// Ends at the first block that makes no sense. The total is unknown, and the first frame is not numbered.
  static func restored(_ packet: [UInt8], version: UInt16) -> [UInt8] {
    let frameCount = packet.prefix(4)
    var rest = packet.dropFirst(4)
    var blocks: [UInt8] = []
    while rest.count >= 8 {
      let head = Array(rest.prefix(12))
      rest = rest.dropFirst(8)
      // The first block of a frame that is also the last one stands alone.
      let isAlone = head[1] & 0x18 == 0x18
      var byteCount = rest.count
      if !isAlone {
        guard let stated = head.littleEndian(UInt32.self, at: 8), rest.count >= 4 else { break }
        rest = rest.dropFirst(4)
        guard stated <= rest.count else { break }
        byteCount = Int(stated)
      }
      var block = ByteWriter()
      block.append(raw: "wvpk".utf8)
      block.append(UInt32(clamping: byteCount + headerByteCount - 8))
      block.append(version)
      block.append(UInt16(0))
      block.append(UInt32.max)
      block.append(UInt32(0))
      blocks += block.bytes + frameCount + head[..<8] + rest.prefix(byteCount)
      rest = rest.dropFirst(byteCount)
    }
    return blocks
  }
}

extension ContentHasher {
  /// Adds the blocks of a packet without what other containers leave out or change: the other fields of their headers,
  /// and the checksum of version 5 at their ends. Of each the length behind its header, then frames, flags and checksum
  /// of the header, then what follows it.
  func update(wavPackBlocks packet: UnsafeRawBufferPointer) {
    var rest = packet[...]
    while let block = WavPackBlock(Array(rest.prefix(WavPackBlock.headerByteCount))), block.byteCount <= rest.count {
      let bytes = rest.prefix(block.byteCount)
      let end = block.byteCount - block.checksumByteCount(bytes)
      note(length: Int64(end - WavPackBlock.headerByteCount))
      update(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(20).prefix(4)))
      note(block.identifyingFlags)
      update(UnsafeRawBufferPointer(rebasing: bytes.prefix(end).dropFirst(28)))
      rest = rest.dropFirst(block.byteCount)
    }
  }
}

/// A part of a block behind its header (section 3).
struct WavPackPart: Hashable {
  enum Kind: UInt8 {
    case sound = 0x0A
    /// What a file of hybrid sound lacks.
    case correction = 0x0B
    case dsd = 0x0E
    case sampleRate = 0x27
  }

  let kind: Kind
  let data: [UInt8]

  /// The known parts of a block, each with up to four bytes. The header of the WAV that was encoded, with its cover,
  /// may stand before them.
  static func parts(_ bytes: BufferedBytes, block: Range<Int64>) throws(DecodingError) -> [WavPackPart] {
    var parts: [WavPackPart] = []
    var offset = block.lowerBound + Int64(WavPackBlock.headerByteCount)
    while offset + 2 <= block.upperBound {
      let head = try bytes.copy(at: offset, count: 8)
      guard head.count >= 2 else { break }
      let identifier = head[0]
      var wordCount = Int64(head[1])
      var headByteCount: Int64 = 2
      if identifier & 0x80 != 0 {
        guard head.count >= 4 else { break }
        wordCount |= Int64(head[2]) << 8 | Int64(head[3]) << 16
        headByteCount = 4
      }
      let byteCount = wordCount * 2 - (identifier & 0x40 != 0 ? 1 : 0)
      if let kind = Kind(rawValue: identifier & 0x3F), byteCount >= 0 {
        parts.append(
          WavPackPart(kind: kind, data: Array(head.dropFirst(Int(headByteCount)).prefix(Int(min(4, byteCount))))))
      }
      offset += headByteCount + 2 * wordCount
    }
    return parts
  }
}
