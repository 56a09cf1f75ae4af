/// FLAC made by hand (RFC 9639): constant blocks, which take 15 bytes for up to 65,535 frames, mono of 16 bit.
package enum FLACBytes {
  package static let framesPerBlock = 65_535

  /// - Parameters:
  ///   - value: The value of every sample of a block, by the block's number.
  ///   - rateCode: The sample rate in the block's header: 0 means "as in STREAMINFO", 9 is 44.1 kHz.
  package static func constant(
    frameCount: Int, sampleRateInHz: Int, value: (_ block: Int) -> Int16 = { _ in 0 },
    rateCode: (_ block: Int) -> UInt8 = { _ in 0 }
  ) -> [UInt8] {
    let shape = UInt64(sampleRateInHz) << 44 | 15 << 36 | UInt64(frameCount)
    let size = bigEndian(UInt16(framesPerBlock))
    var bytes = Array("fLaC".utf8) + [0x80, 0, 0, 34] + size + size + [UInt8](repeating: 0, count: 6)
    bytes += bigEndian(shape) + [UInt8](repeating: 0, count: 16)
    for (number, start) in stride(from: 0, to: frameCount, by: framesPerBlock).enumerated() {
      bytes += block(
        number, frameCount: min(framesPerBlock, frameCount - start), value: value(number), rateCode: rateCode(number))
    }
    return bytes
  }

  private static func block(_ number: Int, frameCount: Int, value: Int16, rateCode: UInt8) -> [UInt8] {
    // The size of the block stands in 16 bits behind the number; mono of 16 bit.
    var bytes: [UInt8] = [0xFF, 0xF8, 0x70 | rateCode, 0x08] + coded(number) + bigEndian(UInt16(frameCount - 1))
    bytes.append(checksum8(bytes))
    bytes += [0] + bigEndian(value)
    return bytes + bigEndian(checksum16(bytes))
  }

  /// As UTF-8 codes characters, but of up to 36 bits.
  private static func coded(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    var rest = number
    var bytes: [UInt8] = []
    repeat {
      bytes.insert(0x80 | UInt8(rest & 0x3F), at: 0)
      rest >>= 6
    } while rest >= 1 << (6 - bytes.count)
    return [UInt8(truncatingIfNeeded: 0xFF << (7 - bytes.count)) | UInt8(rest)] + bytes
  }

  private static func checksum8(_ bytes: [UInt8]) -> UInt8 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum << 1 ^ (sum >> 7 == 1 ? 0x07 : 0) }
    }
  }

  private static func checksum16(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte) << 8) { sum, _ in sum << 1 ^ (sum >> 15 == 1 ? 0x8005 : 0) }
    }
  }

  /// A metadata block that is not the last one.
  package static func metadataBlock(_ type: UInt8, _ body: [UInt8]) -> [UInt8] {
    [type] + bigEndian(UInt32(body.count)).dropFirst() + body
  }

  /// `file` with blocks after its STREAMINFO, which must not be its last block.
  package static func inserting(_ blocks: [UInt8], into file: [UInt8]) -> [UInt8] {
    Array(file[..<42]) + blocks + Array(file[42...])
  }
}
