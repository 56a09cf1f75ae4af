internal import MediaModel

/// What a Windows Media file says about its audio, and where its packets are.
enum ASFLayout {
  static let headerIdentifier: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  private static let dataIdentifier: [UInt8] = [
    0x36, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  private static let audioStreamIdentifier: [UInt8] = [
    0x40, 0x9E, 0x69, 0xF8, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]

  /// What the file holds, by the stream properties near its start.
  static func sniff(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> SniffedContent {
    let head = try bytes.copy(at: offset, count: 128 * 1024)
    for index in stride(from: 24, to: max(24, head.count - 56), by: 1)
    where head[index] == 0x40 && head[index...].starts(with: audioStreamIdentifier) {
      let isProtected = (head.littleEndian(UInt16.self, at: index + 48) ?? 0) >> 15 == 1
      switch head.littleEndian(UInt16.self, at: index + 54) {
      case 0x160: return .audio(.asf, .wma, name: "WMA 1", isProtected: isProtected)
      case 0x161: return .audio(.asf, .wma, name: "WMA 2", isProtected: isProtected)
      case 0x162: return .audio(.asf, .wma, name: "WMA Pro", isProtected: isProtected)
      case 0x163: return .audio(.asf, .wma, name: "WMA Lossless", isProtected: isProtected)
      case 0x0A: return .audio(.asf, .wma, name: "WMA Voice", isProtected: isProtected)
      case 0x55: return .audio(.asf, .mp3, name: "MP3", isProtected: isProtected)
      default: return .audio(.asf, nil, name: "an unknown codec", isProtected: isProtected)
      }
    }
    return .audio(.asf, nil, name: "no audio stream")
  }

  /// What the first audio stream says about its packets (WAVEFORMATEX); empty if there is none.
  static func audioConfiguration(_ bytes: BufferedBytes) throws(DecodingError) -> [UInt8] {
    let head = try bytes.copy(at: 0, count: 128 * 1024)
    for index in stride(from: 24, to: max(24, head.count - 56), by: 1)
    where head[index] == 0x40 && head[index...].starts(with: audioStreamIdentifier) {
      let length = Int(min(head.littleEndian(UInt32.self, at: index + 40) ?? 0, 1 << 16))
      return Array(head[(index + 54)...].prefix(length))
    }
    return []
  }

  /// The packets after the header of the data object; nil if there is no such object.
  static func packets(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64>? {
    var offset: Int64 = 0
    for _ in 0..<1000 {
      let head = try bytes.copy(at: offset, count: 24)
      guard head.count == 24, let size = head.littleEndian(UInt64.self, at: 16), size >= 24 else { return nil }
      let end = min(bytes.byteCount, offset.addingReportingOverflow(Int64(clamping: size)).partialValue)
      guard end > offset else { return nil }
      if head.starts(with: dataIdentifier) { return offset + 50 <= end ? offset + 50..<end : nil }
      offset = end
    }
    return nil
  }
}
