/// Files of silence for decoders that have no encoder here, byte by byte.
struct SilentSounds {
  let bytes: [UInt8]
  let frameCount: Int

  /// Ten frames of 128 kbit/s at 44.1 kHz; all bytes after the headers are zero.
  static let mp3 = SilentSounds(
    bytes: (0..<10).flatMap { _ in [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413) },
    frameCount: 10 * 1152)

  /// One block of IMA ADPCM in a WAV file.
  static let adpcm: SilentSounds = {
    let format =
      littleEndian(0x11, 2) + littleEndian(1, 2) + littleEndian(8000, 4) + littleEndian(4055, 4)
      + littleEndian(256, 2) + littleEndian(4, 2) + littleEndian(2, 2) + littleEndian(505, 2)
    let fact = Array("fact".utf8) + littleEndian(4, 4) + littleEndian(505, 4)
    let body =
      Array("WAVEfmt ".utf8) + littleEndian(format.count, 4) + format + fact + Array("data".utf8)
      + littleEndian(256, 4) + [UInt8](repeating: 0, count: 256)
    return SilentSounds(bytes: Array("RIFF".utf8) + littleEndian(body.count, 4) + body, frameCount: 505)
  }()

  /// Ten packets of AAC LC at 44.1 kHz, mono, each behind a header of ADTS.
  static let aac: SilentSounds = {
    let packet: [UInt8] = [0x01, 0x18, 0x20, 0x07]
    // The length stands in bits 30 to 42.
    let header: [UInt8] = [
      0xFF, 0xF1, 0x50, 0x40, UInt8((packet.count + 7) >> 3), UInt8((packet.count + 7) & 7) << 5, 0,
    ]
    return SilentSounds(bytes: (0..<10).flatMap { _ in header + packet }, frameCount: 10 * 1024)
  }()

  /// Ten packets of ALAC at 44.1 kHz, mono, whose 64 samples are not compressed, in Matroska.
  static let alac: SilentSounds = {
    let cookie: [UInt8] =
      [0, 0, 0, 64, 0, 16, 40, 10, 14, 1, 0, 255] + [UInt8](repeating: 0, count: 8) + [0, 0, 0xAC, 0x44]
    // 23 bits of header, of which the last says that samples follow; 1,024 bits of them; 3 bits of end.
    let packet: [UInt8] = [0, 0, 0x02] + [UInt8](repeating: 0, count: 127) + [0x01, 0xC0]
    let audio = element([0xE1], element([0xB5], [0x47, 0x2C, 0x44, 0x00]) + element([0x9F], [1]))
    let track = element([0xD7], [1]) + element([0x83], [2]) + element([0x86], Array("A_ALAC".utf8))
    let tracks = element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track + element([0x63, 0xA2], cookie) + audio))
    let blocks = (0..<10).flatMap { element([0xA3], [0x81, 0, UInt8($0), 0x80] + packet) }
    let cluster = element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + blocks)
    let header = element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
    return SilentSounds(
      bytes: header + element([0x18, 0x53, 0x80, 0x67], tracks + cluster), frameCount: 10 * 64)
  }()

  /// An element of Matroska, its size in four bytes.
  private static func element(_ identifier: [UInt8], _ body: [UInt8]) -> [UInt8] {
    let size = littleEndian(body.count, 4)
    return identifier + [0x10 | size[3], size[2], size[1], size[0]] + body
  }

  private static func littleEndian(_ value: Int, _ byteCount: Int) -> [UInt8] {
    (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}
