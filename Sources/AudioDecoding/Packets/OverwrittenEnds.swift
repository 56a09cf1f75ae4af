/// Bytes before the first or behind the last frame of a stream in whose place there was sound.
///
/// Between two frames nothing else can be meant by them. At the ends they may be padding, or a tag that nobody knows; so
/// they count if they are long, and if no header says that all frames are there.
enum OverwrittenEnds {
  /// What is wrong behind the last frame; nil if that is nothing.
  ///
  /// - Parameters:
  ///   - trailingByteCount: bytes there that belong to nothing.
  ///   - byteCount: of the frames.
  ///   - seconds: how long these sound.
  static func reason(trailingByteCount: Int64, _ byteCount: Int64, seconds: Double) -> String? {
    guard isLong(trailingByteCount, byteCount, seconds: seconds) else { return nil }
    return "\(trailingByteCount) bytes after the last frame are not audio"
  }

  /// What is wrong before the first frame, where other bytes than zeros are the rest of a cover, whose tag is longer than
  /// it says; nil if that is nothing.
  static func reason(leadingZeroByteCount: Int64, _ byteCount: Int64, seconds: Double) -> String? {
    guard isLong(leadingZeroByteCount, byteCount, seconds: seconds) else { return nil }
    return "\(leadingZeroByteCount) zero bytes in place of the first frames"
  }

  private static func isLong(_ lostByteCount: Int64, _ byteCount: Int64, seconds: Double) -> Bool {
    let bytesPerSecond = Double(byteCount) / max(0.001, seconds)
    return lostByteCount > Padding.longestByteCount
      && Double(lostByteCount) > Padding.longestSeconds * bytesPerSecond
  }
}

/// How much may fill up a file without being sound.
enum Padding {
  static let longestSeconds = 0.5
  static let longestByteCount: Int64 = 4096
}

extension BufferedBytes {
  /// With how many zero bytes a range begins.
  func zeroByteCount(atStartOf range: Range<Int64>) throws(DecodingError) -> Int64 {
    let count = range.upperBound - range.lowerBound
    return try min(
      count, byteCountToSync(from: range.lowerBound, before: range.upperBound, limit: count) { $0 != 0 })
  }
}
