/// A preset that VLC has built in and that its options name.
struct VLCPreset {
  /// Of the ten sliders, in decibels.
  let gains: [Double]
  /// 12 dB is nothing.
  let preamp: Double

  private init(_ preamp: Double, _ gains: [Double]) { (self.preamp, self.gains) = (preamp, gains) }

  /// By the name in `equalizer-preset`.
  static let all: [String: VLCPreset] = [
    "flat": VLCPreset(12, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
    "classical": VLCPreset(12, [0, 0, 0, 0, 0, 0, -7.2, -7.2, -7.2, -9.6]),
    "club": VLCPreset(6, [0, 0, 8, 5.6, 5.6, 5.6, 3.2, 0, 0, 0]),
    "dance": VLCPreset(5, [9.6, 7.2, 2.4, 0, 0, -5.6, -7.2, -7.2, 0, 0]),
    "fullbass": VLCPreset(5, [-8, 9.6, 9.6, 5.6, 1.6, -4, -8, -10.4, -11.2, -11.2]),
    "fullbasstreble": VLCPreset(4, [7.2, 5.6, 0, -7.2, -4.8, 1.6, 8, 11.2, 12, 12]),
    "fulltreble": VLCPreset(3, [-9.6, -9.6, -9.6, -4, 2.4, 11.2, 16, 16, 16, 16.8]),
    "headphones": VLCPreset(4, [4.8, 11.2, 5.6, -3.2, -2.4, 1.6, 4.8, 9.6, 12.8, 14.4]),
    "largehall": VLCPreset(5, [10.4, 10.4, 5.6, 5.6, 0, -4.8, -4.8, -4.8, 0, 0]),
    "live": VLCPreset(7, [-4.8, 0, 4, 5.6, 5.6, 5.6, 4, 2.4, 2.4, 2.4]),
    "party": VLCPreset(6, [7.2, 7.2, 0, 0, 0, 0, 0, 0, 7.2, 7.2]),
    "pop": VLCPreset(6, [-1.6, 4.8, 7.2, 8, 5.6, 0, -2.4, -2.4, -1.6, -1.6]),
    "reggae": VLCPreset(8, [0, 0, 0, -5.6, 0, 6.4, 6.4, 0, 0, 0]),
    "rock": VLCPreset(5, [8, 4.8, -5.6, -8, -3.2, 4, 8.8, 11.2, 11.2, 11.2]),
    "ska": VLCPreset(6, [-2.4, -4.8, -4, 0, 4, 5.6, 8.8, 9.6, 11.2, 9.6]),
    "soft": VLCPreset(5, [4.8, 1.6, 0, -2.4, 0, 4, 8, 9.6, 11.2, 12]),
    "softrock": VLCPreset(7, [4, 4, 2.4, 0, -4, -5.6, -3.2, 0, 2.4, 8.8]),
    "techno": VLCPreset(5, [8, 5.6, 0, -5.6, -4.8, 0, 8, 9.6, 9.6, 8.8]),
  ]
}
