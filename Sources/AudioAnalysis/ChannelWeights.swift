/// How much each channel counts for loudness, by its place in the default order of channels.
///
/// In front and behind 1, at the sides (60° to 120°) 1.41, low-frequency effects nothing. Where a number of channels has no
/// default order, all count alike.
///
/// Source: ITU-R BS.1770-4, annexes 1 and 3; the orders are those of WAV and FLAC.
enum ChannelWeights {
  private static let surround = 1.41

  static func weights(channelCount: Int) -> [Double] {
    switch channelCount {
    // L R Ls Rs
    case 4: [1, 1, surround, surround]
    // L R C Ls Rs
    case 5: [1, 1, 1, surround, surround]
    // L R C LFE Ls Rs
    case 6: [1, 1, 1, 0, surround, surround]
    // L R C LFE, back centre, Lss Rss
    case 7: [1, 1, 1, 0, 1, surround, surround]
    // L R C LFE, back L R, side L R
    case 8: [1, 1, 1, 0, 1, 1, surround, surround]
    default: Array(repeating: 1, count: channelCount)
    }
  }
}
