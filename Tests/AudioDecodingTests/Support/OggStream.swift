import Foundation
import TestSupport

/// The packets of a file with one logical Ogg stream, to be changed and written on other pages.
struct OggStream {
  struct Packet {
    var bytes: [UInt8]
    /// Position at its end; -1 if its page did not give it.
    var granule: Int64 = -1
    /// A page ends with it.
    var endsPage = false
  }

  var packets: [Packet] = []
  var serial: UInt32 = 0x5EED
  let headerCount: Int

  init(_ url: URL, headerCount: Int) throws {
    self.headerCount = headerCount
    var rest: [UInt8] = []
    for page in OggBytes.pages([UInt8](try Data(contentsOf: url))) {
      let lacing = page[27..<27 + Int(page[26])]
      var offset = 27 + lacing.count
      for length in lacing {
        rest += page[offset..<offset + Int(length)]
        offset += Int(length)
        guard length < 255 else { continue }
        packets.append(Packet(bytes: rest))
        rest = []
      }
      guard lacing.contains(where: { $0 < 255 }) else { continue }
      packets[packets.count - 1].granule = (0..<8).reduce(0) { $0 | Int64(page[6 + $1]) << (8 * $1) }
      packets[packets.count - 1].endsPage = true
    }
  }

  /// Ends a page after each of `count` packets of audio, or after those that fill it.
  mutating func cutPages(after count: Int) {
    for number in headerCount..<packets.count { packets[number].endsPage = (number - headerCount + 1) % count == 0 }
  }

  /// Puts the last header and the first packets of audio on one page, as some encoders do.
  mutating func shareHeaderPage() { for number in 1..<headerCount { packets[number].endsPage = false } }

  /// Pages with right numbers and checksums.
  func bytes() -> [UInt8] {
    var file: [UInt8] = []
    var (lacing, body, granule, sequence): ([UInt8], [UInt8], Int64, UInt32) = ([], [], -1, 0)
    var isContinued = false
    func flush(isLast: Bool) {
      let flags: UInt8 = (isContinued ? 1 : 0) | (sequence == 0 ? 2 : 0) | (isLast ? 4 : 0)
      file += OggBytes.withChecksum(
        Array("OggS".utf8) + [0, flags] + littleEndian(granule) + littleEndian(serial) + littleEndian(sequence)
          + littleEndian(UInt32(0)) + [UInt8(lacing.count)] + lacing + body)
      isContinued = lacing.last == 255
      (lacing, body, granule, sequence) = ([], [], -1, sequence + 1)
    }
    for (number, packet) in packets.enumerated() {
      var rest = packet.bytes[...]
      var isComplete = false
      while !isComplete {
        if lacing.count == 255 { flush(isLast: false) }
        let length = min(255, rest.count)
        lacing.append(UInt8(length))
        body += rest.prefix(length)
        rest = rest.dropFirst(length)
        isComplete = length < 255
      }
      granule = packet.granule
      let isLast = number == packets.count - 1
      if packet.endsPage || isLast || number == 0 { flush(isLast: isLast) }
    }
    return file
  }
}
