/// The first metadata block of a FLAC stream (RFC 9639 section 8.2).
struct FLACStreamInfo: Hashable, Sendable {
  static let byteCount = 34

  let sampleRateInHz: Int
  let channelCount: Int
  let bitsPerSample: Int
  /// nil where the encoder left it open.
  let frameCount: Int64?
  /// Of the decoded PCM; nil where the encoder left it out.
  let md5: [UInt8]?

  /// From the body of the block.
  init?(_ body: UnsafeRawBufferPointer) {
    guard body.count >= Self.byteCount, let packed = body.bigEndian(UInt64.self, at: 10) else { return nil }
    sampleRateInHz = Int(packed >> 44)
    channelCount = Int(packed >> 41 & 7) + 1
    bitsPerSample = Int(packed >> 36 & 31) + 1
    let count = Int64(packed & 0xF_FFFF_FFFF)
    frameCount = count == 0 ? nil : count
    let digest = Array(body[18..<34])
    md5 = digest.allSatisfy { $0 == 0 } ? nil : digest
  }
}
