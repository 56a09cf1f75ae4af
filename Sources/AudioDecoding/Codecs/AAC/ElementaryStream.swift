/// What an elementary stream descriptor says about the decoder (ISO 14496-1 section 7.2.6).
struct ElementaryStream {
  /// What the stream is, such as 0x40 for MPEG-4 audio (section 7.2.6.6).
  let objectType: UInt8
  /// Empty if it has none.
  private(set) var decoderConfiguration: [UInt8] = []

  /// nil if there is no description of a decoder.
  init?(_ bytes: some Collection<UInt8>) {
    let bytes = Array(bytes)
    var offset = 0
    var objectType: UInt8?
    while offset + 2 < bytes.count {
      let tag = bytes[offset]
      offset += 1
      var length = 0
      repeat {
        guard offset < bytes.count else { break }
        length = (length << 7 | Int(bytes[offset] & 0x7F)) & 0xFF_FFFF
        offset += 1
      } while bytes[offset - 1] & 0x80 != 0
      guard offset < bytes.count else { break }
      if tag == 3 {
        // An identifier of two bytes, then flags for optional fields that are not used here.
        offset += 3
      } else if tag == 4 {
        objectType = bytes[offset]
        offset += 13
      } else {
        if tag == 5 { decoderConfiguration = Array(bytes[offset..<min(bytes.count, offset + length)]) }
        break
      }
    }
    guard let objectType else { return nil }
    self.objectType = objectType
  }
}
