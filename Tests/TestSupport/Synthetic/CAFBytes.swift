/// A Core Audio file with packets of AAC LC at 44.1 kHz, stereo (Apple Core Audio Format Specification 1.0).
package struct CAFBytes {
  package var packets: [[UInt8]]
  /// Before the recording, and of it.
  package var delayFrameCount = 0
  package var frameCount = 0
  /// Whether the decoder's configuration is there.
  package var isDescribed = true

  package init(_ packets: [[UInt8]]) { self.packets = packets }

  package var bytes: [UInt8] {
    let format: [UInt32] = [0, 0, 1024, 2, 0]
    let description =
      bigEndian(Double(44_100).bitPattern) + Array("aac ".utf8) + format.flatMap { bigEndian($0) }
    let configuration: [UInt8] = [0x12, 0x10]
    let decoder = [0x40, 0x15] + [UInt8](repeating: 0, count: 11) + Self.descriptor(5, configuration)
    let cookie = Self.descriptor(3, [0, 0, 0] + Self.descriptor(4, decoder))
    return Array("caff".utf8) + [0, 1, 0, 0] + Self.chunk("desc", description)
      + (isDescribed ? Self.chunk("kuki", cookie) : [])
      + Self.chunk("data", [0, 0, 0, 1] + packets.flatMap { $0 }) + Self.chunk("pakt", table)
  }

  /// Numbers of packets and frames, then the size of each packet, seven bits a byte.
  private var table: [UInt8] {
    let padding = packets.count * 1024 - delayFrameCount - frameCount
    let sizes = packets.flatMap { packet -> [UInt8] in
      let count = packet.count
      return count < 128 ? [UInt8(count)] : [UInt8(count >> 7) | 0x80, UInt8(count & 0x7F)]
    }
    return bigEndian(Int64(packets.count)) + bigEndian(Int64(frameCount)) + bigEndian(Int32(delayFrameCount))
      + bigEndian(Int32(padding)) + sizes
  }

  private static func chunk(_ type: String, _ body: [UInt8]) -> [UInt8] {
    Array(type.utf8) + bigEndian(Int64(body.count)) + body
  }

  private static func descriptor(_ tag: UInt8, _ body: [UInt8]) -> [UInt8] {
    [tag, 0x80, 0x80, 0x80, UInt8(body.count)] + body
  }
}
