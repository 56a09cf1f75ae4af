/// What a Xing, Info or VBRI frame says: metadata in the guise of a frame, never audio.
struct MPEGInfoFrame: Hashable, Sendable {
  /// Frames without this one; nil where the field is absent or 0.
  var frameCount: Int64?
  /// The field is there and says 0.
  var promisesNothing = false
  var byteCount: Int64?
  /// Frames of audio that the encoder put in front and behind, of a LAME extension.
  var delayFrameCount: Int?
  var paddingFrameCount: Int?

  /// nil unless `frame`, which begins with `header`, is such a frame.
  init?(header: MPEGFrameHeader, frame: UnsafeRawBufferPointer) {
    guard header.layer == 3 else { return nil }
    let tag = header.infoTagOffset
    if frame.has("Xing", at: tag) || frame.has("Info", at: tag) {
      readXing(frame, at: tag)
    } else if frame.has("VBRI", at: 36) {
      byteCount = frame.bigEndian(UInt32.self, at: 46).map { Int64($0) }
      frameCount = frame.bigEndian(UInt32.self, at: 50).map { Int64($0) }
    } else {
      return nil
    }
    if frameCount == 0 {
      frameCount = nil
      promisesNothing = true
    }
    if byteCount == 0 { byteCount = nil }
  }

  private mutating func readXing(_ frame: UnsafeRawBufferPointer, at tag: Int) {
    guard let flags = frame.bigEndian(UInt32.self, at: tag + 4) else { return }
    var offset = tag + 8
    if flags & 1 != 0 {
      frameCount = frame.bigEndian(UInt32.self, at: offset).map { Int64($0) }
      offset += 4
    }
    if flags & 2 != 0 {
      byteCount = frame.bigEndian(UInt32.self, at: offset).map { Int64($0) }
      offset += 4
    }
    if flags & 4 != 0 { offset += 100 }
    if flags & 8 != 0 { offset += 4 }
    // The extension is there where an encoder signs: "LAME", "Lavc", "Lavf", "GOGO" and others all start with a letter.
    guard let first = frame.bigEndian(UInt8.self, at: offset), (0x41...0x7A).contains(first),
      let upper = frame.bigEndian(UInt16.self, at: offset + 21),
      let lower = frame.bigEndian(UInt8.self, at: offset + 23)
    else { return }
    let delay = Int(upper >> 4)
    let padding = Int(upper & 15) << 8 | Int(lower)
    guard delay > 0 || padding > 0 else { return }
    delayFrameCount = delay
    paddingFrameCount = padding
  }
}
