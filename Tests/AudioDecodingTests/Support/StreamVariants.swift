import TestSupport

/// Files of one kind that differ in configuration, packets or bounds of packets; no two hold one stream.
enum StreamVariants {
  /// Vorbis with other rates, channels, setups, packets and bounds of packets.
  static func vorbis() throws -> [[UInt8]] {
    let original = try StreamFixture.vorbisStream()
    var all = [original.bytes()]
    func add(_ change: (inout OggStream) -> Void) {
      var stream = original
      change(&stream)
      all.append(stream.bytes())
    }
    for rate in [8000, 22_050, 32_000, 48_000, 88_200, 96_000].map({ UInt32($0) }) {
      add { $0.packets[0].bytes.replaceSubrange(12..<16, with: littleEndian(rate)) }
    }
    for channelCount in UInt8(3)...8 { add { $0.packets[0].bytes[11] = channelCount } }
    for number in 0..<60 { add { $0.packets[2].bytes[$0.packets[2].bytes.count - 1 - number] ^= 4 } }
    for number in 0..<60 { add { $0.packets[3 + number].bytes[0] ^= 0x20 } }
    for number in 3..<43 {
      // The same bytes, but the packet ends one byte later, or it and the next one are one.
      add { stream in
        let first = stream.packets[number + 1].bytes.removeFirst()
        stream.packets[number].bytes.append(first)
      }
      add { stream in
        let second = stream.packets.remove(at: number + 1)
        stream.packets[number].bytes += second.bytes
      }
    }
    add { $0.packets.removeLast() }
    add { $0.packets.swapAt(5, 6) }
    return all
  }

  static func opus() throws -> [[UInt8]] {
    let original = try StreamFixture.opusStream()
    var all = [original.bytes()]
    func add(_ change: (inout OggStream) -> Void) {
      var stream = original
      change(&stream)
      all.append(stream.bytes())
    }
    add { $0.packets[0].bytes[9] ^= 3 }
    for family in [UInt8(1), 2, 255] {
      for (streams, coupled) in [(UInt8(1), UInt8(0)), (1, 1), (2, 0), (2, 1)] {
        for table in [[UInt8(0), 1], [1, 0], [0, 0], [1, 1], [0, 255]] {
          add {
            $0.packets[0].bytes[9] = 2
            $0.packets[0].bytes[18] = family
            $0.packets[0].bytes += [streams, coupled] + table
          }
        }
      }
    }
    for number in 0..<40 { add { $0.packets[2 + number].bytes[1] ^= 1 } }
    for number in 2..<32 {
      add { stream in
        let first = stream.packets[number + 1].bytes.removeFirst()
        stream.packets[number].bytes.append(first)
      }
    }
    return all
  }

  static func flac() throws -> [[UInt8]] {
    let original = FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 8000) { Int16($0) }
    var all = [original]
    // Rate, channels and bits stand in 8 bytes from byte 18 on.
    func add(rate: UInt64, channelCount: UInt64, bits: UInt64) {
      var file = original
      file.replaceSubrange(18..<26, with: bigEndian(rate << 44 | (channelCount - 1) << 41 | (bits - 1) << 36 | 400_000))
      all.append(file)
    }
    for rate in UInt64(8001)...8040 { add(rate: rate, channelCount: 1, bits: 16) }
    for channelCount in UInt64(2)...8 { add(rate: 8000, channelCount: channelCount, bits: 16) }
    for bits in [UInt64(8), 12, 20, 24, 32] { add(rate: 8000, channelCount: 1, bits: bits) }
    for value in 1...40 {
      all.append(FLACBytes.constant(frameCount: 400_000, sampleRateInHz: 8000) { Int16($0 + value) })
    }
    // Five channels, placed otherwise than FLAC's own order has them.
    var placed = original
    placed.replaceSubrange(18..<26, with: bigEndian(UInt64(8000) << 44 | 4 << 41 | 15 << 36 | 400_000))
    placed[4] = 0
    let comments = TagBytes.vorbisComments("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x1F")
    all.append(FLACBytes.inserting(FLACBytes.metadataBlock(0x84, comments), into: placed))
    return all
  }

  static func wav() -> [[UInt8]] {
    let data = (0..<2400).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    func file(_ format: [UInt8], _ data: [UInt8] = data) -> [UInt8] {
      ChunkBytes.riff(ChunkBytes.chunk("fmt ", format), ChunkBytes.chunk("data", data))
    }
    var all: [[UInt8]] = []
    for rate in 8000..<8040 { all.append(file(ChunkBytes.format(sampleRateInHz: rate))) }
    for channelCount in [2, 3, 4, 6, 8] { all.append(file(ChunkBytes.format(channelCount: channelCount))) }
    for bits in [8, 24, 32] { all.append(file(ChunkBytes.format(bitsPerSample: bits))) }
    all.append(file(ChunkBytes.format(isFloat: true, bitsPerSample: 32)))
    all.append(file(ChunkBytes.format(isFloat: true, bitsPerSample: 64)))
    for place in 0..<60 {
      var changed = data
      changed[place * 40] ^= 1
      all.append(file(ChunkBytes.format(), changed))
    }
    for length in stride(from: 2, to: 80, by: 2) { all.append(file(ChunkBytes.format(), data.dropLast(length))) }
    return all
  }

  static func mpeg() -> [[UInt8]] {
    let original = MPEGBytes.silentFrames(60)
    var all = [original]
    for number in 0..<40 {
      var changed = original
      changed[number * MPEGBytes.silentFrame.count + 60] = 1
      all.append(changed)
    }
    for count in 20..<40 { all.append(MPEGBytes.silentFrames(count)) }
    return all
  }
}
