/// How loud a track is while it fades, so that two tracks that are not correlated keep their power together.
///
/// Only products, sums and the square root, which IEEE 754 rounds exactly, so all implementations give the same bits.
package enum FadeCurve {
  /// The factor of a track that fades in, for a frame of the fade: √p, where p = x²(3 − 2x) and x is the middle of the frame.
  ///
  /// - Parameters:
  ///   - frame: `0..<frameCount`; before it 0, behind it 1.
  package static func fadeIn(_ frame: Int64, of frameCount: Int64) -> Double {
    guard frame < frameCount else { return 1 }
    return frame < 0 ? 0 : power(frame, frameCount).squareRoot()
  }

  /// The factor of a track that fades out: √(1 − p).
  package static func fadeOut(_ frame: Int64, of frameCount: Int64) -> Double {
    guard frame >= 0 else { return 1 }
    return frame >= frameCount ? 0 : (1 - power(frame, frameCount)).squareRoot()
  }

  private static func power(_ frame: Int64, _ frameCount: Int64) -> Double {
    let x = (Double(frame) + 0.5) / Double(frameCount)
    return x * x * (3 - 2 * x)
  }
}
