import MediaModel

/// Frames of AAC with ADTS headers (ISO 14496-3 section 1.A.2 and 1.A.3), whose packets are what follows the headers.
struct ADTSSyntax: BareFrameSyntax {
  let container = Container.adts
  let rules = StreamHashers.Rules.aac
  let headByteCount = 7
  private let configuration: AudioSpecificConfig

  /// nil if `head` is not the header of a frame.
  init?(_ head: [UInt8]) {
    guard let configuration = AudioSpecificConfig(adtsHeader: head) else { return nil }
    self.configuration = configuration
  }

  /// The first frame of a stream.
  static func search(
    _ bytes: BufferedBytes, in range: Range<Int64>, before limit: Int64
  ) throws(DecodingError) -> BareFrameSearch? {
    try BareFrameSearch(bytes, in: range, before: limit, canBegin: { $0 == 0xFF }) { ADTSSyntax($0) }
  }

  var codec: PacketCodec { .aac(configuration, extradata: configuration.bytes ?? []) }

  func canBegin(with byte: UInt8) -> Bool { byte == 0xFF }

  func frame(_ head: [UInt8]) -> BareFrame? {
    guard head.count >= 7, head[0] == 0xFF, head[1] & 0xF6 == 0xF0,
      AudioSpecificConfig(adtsHeader: head) == configuration
    else { return nil }
    let byteCount = Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5] >> 5)
    // With a checksum the header is two bytes longer.
    let headerByteCount = head[1] & 1 == 0 ? 9 : 7
    return byteCount > headerByteCount ? BareFrame(byteCount: byteCount, headerByteCount: headerByteCount) : nil
  }
}
