/// The main data before a frame of layer III, which the frame points back into.
///
/// A decoder that starts in mid-stream without it drops its first frames. It then also forms the sums of its synthesis
/// in another order for good, so that samples differ in their last bit from those of a whole decode.
struct MPEGReservoir {
  /// After so many frames the order of the sums repeats.
  static let period: Int64 = 8

  private var bytes: [UInt8] = []

  /// Takes the main data of the next frame.
  mutating func add(_ frame: UnsafeRawBufferPointer, header: MPEGFrameHeader) {
    let start = header.infoTagOffset + (header.isProtected ? 2 : 0)
    guard start < frame.count else { return }
    // As far as `main_data_begin` reaches (ISO 11172-3 section 2.4.2.7, 13818-3 section 2.4.2.7).
    let byteCount = header.version == .mpeg1 ? 511 : 255
    bytes.append(contentsOf: frame[start...].suffix(byteCount))
    if bytes.count > byteCount { bytes.removeFirst(bytes.count - byteCount) }
  }

  /// Silent frames, a period of them, the last of which holds the main data: to be decoded in front of the frame that
  /// a stream is entered at; nil in free format, which has no other frame lengths than its own.
  func primer(like header: MPEGFrameHeader) -> (frame: [UInt8], last: [UInt8])? {
    guard header.layer == 3, header.bitRateInBitsPerSecond != nil else { return nil }
    let version: UInt8 = header.version == .mpeg1 ? 3 : header.version == .mpeg2 ? 2 : 0
    let highestBitRate = header.version == .mpeg1 ? 320_000 : 160_000
    let rates = [44_100, 48_000, 32_000].map { $0 / (version == 3 ? 1 : version == 2 ? 2 : 4) }
    guard let rateIndex = rates.firstIndex(of: header.sampleRateInHz) else { return nil }
    var frame = [UInt8](repeating: 0, count: header.samplesPerFrame / 8 * highestBitRate / header.sampleRateInHz)
    guard frame.count >= header.infoTagOffset + bytes.count else { return nil }
    frame[0] = 0xFF
    frame[1] = 0xE0 | version << 3 | 0b011
    frame[2] = 0xE0 | UInt8(rateIndex) << 2
    frame[3] = header.channelCount == 1 ? 0xC0 : 0
    var last = frame
    last.replaceSubrange((last.count - bytes.count)..., with: bytes)
    return (frame, last)
  }
}
