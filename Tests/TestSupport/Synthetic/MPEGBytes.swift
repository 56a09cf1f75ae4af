/// MPEG-1 layer III at 32 kbit/s and 44.1 kHz, mono, made by hand.
package enum MPEGBytes {
  package static let samplesPerFrame = 1152

  /// A header without any data: silence.
  package static let silentFrame: [UInt8] = [0xFF, 0xFB, 0x10, 0xC0] + [UInt8](repeating: 0, count: 100)

  package static func silentFrames(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in silentFrame } }

  /// A Xing frame that says how many frames and bytes follow.
  package static func xingFrame(frameCount: UInt32, byteCount: UInt32? = nil) -> [UInt8] {
    var frame = silentFrame
    let flags: UInt32 = byteCount == nil ? 1 : 3
    let text = Array("Xing".utf8) + bigEndian(flags) + bigEndian(frameCount) + (byteCount.map(bigEndian) ?? [])
    frame.replaceSubrange(21..<21 + text.count, with: text)
    return frame
  }
}
