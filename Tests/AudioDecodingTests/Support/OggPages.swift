import Foundation

/// Changes to the pages of an Ogg file with correct checksums.
struct OggPages {
  private(set) var bytes: [UInt8]
  /// Offsets of the pages.
  let offsets: [Int]

  init(_ url: URL) throws {
    bytes = [UInt8](try Data(contentsOf: url))
    var offsets: [Int] = []
    var offset = 0
    while offset + 27 <= bytes.count, bytes[offset..<offset + 4].elementsEqual("OggS".utf8) {
      offsets.append(offset)
      let lacing = bytes[offset + 27..<offset + 27 + Int(bytes[offset + 26])]
      offset += 27 + lacing.count + lacing.reduce(0) { $0 + Int($1) }
    }
    self.offsets = offsets
  }

  mutating func setGranule(_ granule: Int64, ofPage number: Int) {
    let offset = offsets[number]
    for byte in 0..<8 { bytes[offset + 6 + byte] = UInt8(truncatingIfNeeded: granule >> (8 * byte)) }
    setChecksum(ofPage: number)
  }

  mutating func set(_ byte: UInt8, at offset: Int) {
    bytes[offset] = byte
    if let number = offsets.lastIndex(where: { $0 <= offset }) { setChecksum(ofPage: number) }
  }

  private mutating func setChecksum(ofPage number: Int) {
    let offset = offsets[number]
    let end = number + 1 < offsets.count ? offsets[number + 1] : bytes.count
    for byte in 22..<26 { bytes[offset + byte] = 0 }
    var crc: UInt32 = 0
    for byte in bytes[offset..<end] {
      crc ^= UInt32(byte) << 24
      for _ in 0..<8 { crc = crc << 1 ^ (crc >> 31 == 1 ? 0x04C1_1DB7 : 0) }
    }
    for byte in 0..<4 { bytes[offset + 22 + byte] = UInt8(truncatingIfNeeded: crc >> (8 * UInt32(byte))) }
  }
}
