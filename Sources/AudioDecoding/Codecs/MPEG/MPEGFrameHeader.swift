import MediaModel

/// The four bytes at the start of every MPEG audio frame (ISO 11172-3 section 2.4.1.3, 13818-3, and "2.5").
struct MPEGFrameHeader: Hashable, Sendable {
  enum Version: Sendable { case mpeg1, mpeg2, mpeg25 }

  static let byteCount = 4

  let version: Version
  /// `1...3`.
  let layer: Int
  let isProtected: Bool
  let sampleRateInHz: Int
  /// nil in free format, in which only the distance of two frames gives their length.
  let bitRateInBitsPerSecond: Int?
  let isPadded: Bool
  let channelCount: Int

  /// nil unless all fields hold defined values.
  init?(_ word: UInt32) {
    guard word >> 21 == 0x7FF else { return nil }
    let layerBits = word >> 17 & 3
    let bitRateIndex = Int(word >> 12 & 15)
    let rateIndex = Int(word >> 10 & 3)
    guard layerBits != 0, bitRateIndex != 15, rateIndex != 3 else { return nil }
    switch word >> 19 & 3 {
    case 3: version = .mpeg1
    case 2: version = .mpeg2
    case 0: version = .mpeg25
    default: return nil
    }
    layer = 4 - Int(layerBits)
    isProtected = word >> 16 & 1 == 0
    sampleRateInHz = [44_100, 48_000, 32_000][rateIndex] / (version == .mpeg1 ? 1 : version == .mpeg2 ? 2 : 4)
    let table = version == .mpeg1 ? Self.bitRatesOfMPEG1[layer - 1] : Self.bitRatesOfMPEG2[min(layer, 2) - 1]
    bitRateInBitsPerSecond = bitRateIndex == 0 ? nil : table[bitRateIndex] * 1000
    isPadded = word >> 9 & 1 == 1
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
  }

  private static let bitRatesOfMPEG1 = [
    [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ]
  private static let bitRatesOfMPEG2 = [
    [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  var samplesPerFrame: Int {
    switch layer {
    case 1: 384
    case 2: 1152
    default: version == .mpeg1 ? 1152 : 576
    }
  }

  /// Bytes that the padding bit adds.
  var paddingByteCount: Int { isPadded ? (layer == 1 ? 4 : 1) : 0 }

  /// Length of the whole frame with its header; nil in free format.
  var byteCount: Int? {
    guard let bitRate = bitRateInBitsPerSecond else { return nil }
    if layer == 1 { return 12 * bitRate / sampleRateInHz * 4 + paddingByteCount }
    return samplesPerFrame / 8 * bitRate / sampleRateInHz + paddingByteCount
  }

  /// Offset of a Xing or Info tag in the frame: after header and side information of layer III.
  var infoTagOffset: Int {
    switch (version == .mpeg1, channelCount == 1) {
    case (true, false): 36
    case (true, true), (false, false): 21
    case (false, true): 13
    }
  }

  /// Whether a frame with this header can be in one stream with `other`. The number of channels is not compared,
  /// because encoders may change it.
  func continues(_ other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRateInHz == other.sampleRateInHz
      && (bitRateInBitsPerSecond == nil) == (other.bitRateInBitsPerSecond == nil)
  }

  /// Whether the frames decode to the same kind of PCM.
  func hasShape(of other: MPEGFrameHeader) -> Bool { continues(other) && channelCount == other.channelCount }

  /// Such as "44100 Hz, 2 channels".
  var shape: String { AudioFormat.shape(sampleRateInHz: sampleRateInHz, channelCount: channelCount) }

  var codec: Codec { [.mp1, .mp2, .mp3][layer - 1] }
}
