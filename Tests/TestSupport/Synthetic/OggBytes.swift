/// Pages of Ogg (RFC 3533) made by hand, with right checksums.
package enum OggBytes {
  /// The flags of a page.
  package enum Place: UInt8, Sendable {
    case middle = 0
    case first = 2
    case last = 4
  }

  /// A page of one packet of less than 65,025 bytes.
  package static func page(
    serial: UInt32, sequence: UInt32, granule: Int64 = 0, _ place: Place, _ packet: [UInt8]
  ) -> [UInt8] {
    let lacing = [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
    return withChecksum(
      Array("OggS".utf8) + [0, place.rawValue] + littleEndian(granule) + littleEndian(serial) + littleEndian(sequence)
        + littleEndian(UInt32(0)) + [UInt8(lacing.count)] + lacing + packet)
  }

  /// A packet of any length, on as many full pages as it needs.
  package static func pages(serial: UInt32, sequence: UInt32, packet: [UInt8]) -> [[UInt8]] {
    let capacity = 255 * 255
    return (0...packet.count / capacity).map { number in
      let body = packet.dropFirst(number * capacity).prefix(capacity)
      let isLast = body.count < capacity
      let lacing = [UInt8](repeating: 255, count: body.count / 255) + (isLast ? [UInt8(body.count % 255)] : [])
      return withChecksum(
        Array("OggS".utf8) + [0, number > 0 ? 1 : 0] + littleEndian(Int64(isLast ? 0 : -1)) + littleEndian(serial)
          + littleEndian(sequence + UInt32(number)) + littleEndian(UInt32(0)) + [UInt8(lacing.count)] + lacing + body)
    }
  }

  /// The pages of `file`.
  package static func pages(_ file: [UInt8]) -> [[UInt8]] {
    var pages: [[UInt8]] = []
    var rest = file[...]
    while rest.count >= 27, rest.starts(with: "OggS".utf8) {
      let lacing = rest.dropFirst(27).prefix(Int(rest[rest.startIndex + 26]))
      let count = 27 + lacing.count + lacing.reduce(0) { $0 + Int($1) }
      pages.append(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return pages
  }

  /// `page` with the right checksum.
  package static func withChecksum(_ page: [UInt8]) -> [UInt8] {
    var page = page
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let checksum = page.reduce(UInt32(0)) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in sum << 1 ^ (sum >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    page.replaceSubrange(22..<26, with: littleEndian(checksum))
    return page
  }
}
