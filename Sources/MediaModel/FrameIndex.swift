/// Where times lie in a stream.
package enum FrameIndex {
  /// The frame that a time lies in, `0...1e18`.
  ///
  /// Times are decimal fractions that doubles miss: 2.3 s at 44,100 Hz are 101,429.99999999999 frames, and frame 101,430 is
  /// meant. So a product that is a whole number but for its last bits is that number; any other is rounded down.
  package static func frame(atSeconds seconds: Double, rateInHz: Double) -> Int64 {
    let place = seconds * rateInHz
    guard place > 0 else { return 0 }
    let nearest = place.rounded()
    let isWhole = abs(place - nearest) <= max(1e-6, place.ulp)
    return Int64(min(isWhole ? nearest : place.rounded(.down), 1e18))
  }
}
