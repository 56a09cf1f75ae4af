/// The configuration of an MPEG-4 audio decoder (ISO 14496-3 section 1.6.2.1).
struct AudioSpecificConfig: Hashable {
  /// Of the core: 2 is AAC LC, also if spectral band replication is signalled around it.
  private(set) var objectType: Int
  /// Of the core, in Hz.
  private(set) var sampleRateInHz: Int
  /// Number of a table of loudspeakers (table 1.19); 0 if a program configuration says them.
  private(set) var channelConfiguration: Int
  /// Frames that the core gives for a packet.
  private(set) var frameCountPerPacket = 1024
  /// Which elements of a packet are which channels, as the bits of a program configuration in hexadecimal digits; empty
  /// if a number says it, or the packets do.
  private(set) var program = ""
  /// Whether one channel stays one, even if the packets have parametric stereo. (A decoder that must not replicate
  /// bands gives half as many frames, which the file states.)
  private(set) var forbidsStereo = false

  private static let sampleRatesInHz = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
  ]

  /// nil if it ends too early, or has an impossible sample rate.
  init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    guard var type = Self.objectType(&bits), let rate = Self.sampleRate(&bits), let channels = bits.next(4) else {
      return nil
    }
    // Spectral band replication and parametric stereo are signalled around the core.
    if type == 5 || type == 29 {
      guard Self.sampleRate(&bits) != nil, let core = Self.objectType(&bits) else { return nil }
      type = core
    }
    objectType = type
    sampleRateInHz = rate
    channelConfiguration = channels
    guard [1, 2, 3, 4, 6, 7, 17].contains(type) else { return }
    if bits.next(1) == 1 { frameCountPerPacket = 960 }
    if bits.next(1) == 1 { _ = bits.next(14) }
    let hasExtension = bits.next(1) == 1
    if channels == 0 { program = Self.program(&bits) }
    if hasExtension { _ = bits.next(1) }
    forbidsStereo = channels == 1 && Self.forbidsStereo(&bits)
  }

  /// The bits of a program configuration without its comment (section 4.4.1.1), which moves what follows to a whole
  /// byte.
  private static func program(_ bits: inout BitReader) -> String {
    let start = bits
    // Instance, object type and rate; then how many elements are in front, at the sides, behind, for low frequencies,
    // for data and for coupling.
    guard bits.next(10) != nil, let front = bits.next(4), let side = bits.next(4), let back = bits.next(4),
      let low = bits.next(2), let data = bits.next(3), let coupling = bits.next(4)
    else { return "" }
    for width in [4, 4, 3] where bits.next(1) == 1 { _ = bits.next(width) }
    for width in [(front + side + back) * 5, low * 4, data * 4, coupling * 5] { bits.skip(width) }
    let digits = start.hexadecimal(until: bits)
    bits.align()
    if let byteCount = bits.next(8) { bits.skip(8 * byteCount) }
    return digits
  }

  /// Whether the extension behind the core (section 1.6.2.1) says that there is no parametric stereo.
  private static func forbidsStereo(_ bits: inout BitReader) -> Bool {
    guard bits.next(11) == 0x2B7, objectType(&bits) == 5, bits.next(1) == 1, sampleRate(&bits) != nil else {
      return false
    }
    return bits.next(11) == 0x548 && bits.next(1) == 0
  }

  /// From the header of an ADTS frame (section 1.A.3.2); nil if it is none.
  init?(adtsHeader head: [UInt8]) {
    guard head.count >= 7, Int(head[2] >> 2 & 15) < Self.sampleRatesInHz.count else { return nil }
    objectType = Int(head[2] >> 6) + 1
    sampleRateInHz = Self.sampleRatesInHz[Int(head[2] >> 2 & 15)]
    channelConfiguration = Int(head[2] & 1) << 2 | Int(head[3] >> 6)
  }

  /// Channels of the core, without parametric stereo; 0 if they are not known.
  var channelCount: Int { channelConfiguration < 8 ? [0, 1, 2, 3, 4, 5, 6, 8][channelConfiguration] : 0 }

  /// The configuration alone, in its shortest form; nil for a sample rate without a number in the table.
  var bytes: [UInt8]? {
    guard let index = Self.sampleRatesInHz.firstIndex(of: sampleRateInHz), objectType < 31 else { return nil }
    let bits = UInt16(objectType) << 11 | UInt16(index) << 7 | UInt16(channelConfiguration) << 3
    return [UInt8(bits >> 8), UInt8(bits & 255)]
  }

  /// What the packets do not say of themselves, for the hash of the stream: the same for all ways to signal spectral
  /// band replication, which differ from one muxer to the next.
  var identity: String {
    plainIdentity + (program.isEmpty ? "" : " program \(program)") + (forbidsStereo ? " no parametric stereo" : "")
  }

  /// The same by the rule of before, which knew neither; nil if there is neither.
  var replacedIdentity: String? { program.isEmpty && !forbidsStereo ? nil : plainIdentity }

  private var plainIdentity: String {
    "\(objectType) \(sampleRateInHz) \(channelConfiguration)" + (frameCountPerPacket == 1024 ? "" : " 960")
  }

  private static func objectType(_ bits: inout BitReader) -> Int? {
    guard let short = bits.next(5) else { return nil }
    return short < 31 ? short : bits.next(6).map { 32 + $0 }
  }

  private static func sampleRate(_ bits: inout BitReader) -> Int? {
    guard let index = bits.next(4) else { return nil }
    if index == 15 { return bits.next(24).flatMap { $0 > 0 ? $0 : nil } }
    return index < sampleRatesInHz.count ? sampleRatesInHz[index] : nil
  }
}
