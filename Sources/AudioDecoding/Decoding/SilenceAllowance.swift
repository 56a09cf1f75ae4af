/// How much silence a decoder gives in place of packets that do not decode.
///
/// Such a packet keeps its length, so that nothing behind it moves. But a header of some bytes may claim hours of them:
/// without a bound, a file of a kilobyte would take as long to analyse as a recording of two days. No damaged file of
/// real sound comes near the bound, because packets of sound have more bytes.
struct SilenceAllowance {
  /// Granted to every file.
  private static let freeSeconds: Int64 = 600
  /// What a second of packets has at least, decodable or not: 800 bits.
  private static let byteCountPerSecond: Int64 = 100
  /// More is granted only if one frame in a hundred was decoded.
  private static let longestSecondsWithoutSound: Int64 = 6 * 3600

  private let rate: Int64
  private var silentFrameCount: Int64 = 0
  private var soundFrameCount: Int64 = 0
  /// Of the packets that did not decode.
  private var byteCount: Int64 = 0

  init(sampleRateInHz: Int) { rate = Int64(max(1, sampleRateInHz)) }

  mutating func addSound(frameCount: Int) { soundFrameCount += Int64(frameCount) }

  /// Asks for the silence of a packet.
  ///
  /// - Returns: false if there was too much already: then the recording ends.
  mutating func addSilence(frameCount: Int, byteCount: Int64) -> Bool {
    silentFrameCount += Int64(frameCount)
    self.byteCount += byteCount
    let granted = Self.freeSeconds + self.byteCount / Self.byteCountPerSecond
    guard silentFrameCount / rate <= granted else { return false }
    return silentFrameCount / rate <= Self.longestSecondsWithoutSound || soundFrameCount >= silentFrameCount / 100
  }
}
