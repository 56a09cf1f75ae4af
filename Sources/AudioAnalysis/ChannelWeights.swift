internal import MediaModel

/// How much each channel counts for loudness, by its place.
///
/// In front and behind 1, at the sides (60° to 120°) 1.41, low-frequency effects nothing. Where the place says nothing about
/// the loudspeaker, all count alike.
///
/// Source: ITU-R BS.1770-4, annexes 1 and 3; the orders are those of WAV and FLAC, and of the Vorbis specification, the bits
/// of a mask those of WAVEFORMATEXTENSIBLE.
enum ChannelWeights {
  private static let surround = 1.41

  static func weights(_ format: AudioFormat) -> [Double] {
    if let mask = format.channelMask { return weights(ofMask: mask) }
    return switch (format.channelCount, format.channelOrder) {
    // L R Ls Rs
    case (4, .standard), (4, .vorbis): [1, 1, surround, surround]
    // L R C Ls Rs, or L C R Ls Rs
    case (5, .standard), (5, .vorbis): [1, 1, 1, surround, surround]
    // L R C LFE Ls Rs
    case (6, .standard): [1, 1, 1, 0, surround, surround]
    // L C R Ls Rs LFE
    case (6, .vorbis): [1, 1, 1, surround, surround, 0]
    // L R C LFE, back centre, side L R
    case (7, .standard): [1, 1, 1, 0, 1, surround, surround]
    // L C R, side L R, back centre, LFE
    case (7, .vorbis): [1, 1, 1, surround, surround, 1, 0]
    // L R C LFE, back L R, side L R
    case (8, .standard): [1, 1, 1, 0, 1, 1, surround, surround]
    // L C R, side L R, back L R, LFE
    case (8, .vorbis): [1, 1, 1, surround, surround, 1, 1, 0]
    case (let count, _): Array(repeating: 1, count: count)
    }
  }

  private static func weights(ofMask mask: UInt32) -> [Double] {
    let (lowFrequencies, back, sides): (UInt32, UInt32, UInt32) = (0x8, 0x30, 0x600)
    // Without channels at the sides those behind are the surround channels of 5.1, at 110°.
    let surrounds = mask & sides == 0 ? back : sides
    return (0..<32).map { 1 << $0 }.filter { mask & $0 != 0 }.map { bit in
      bit & lowFrequencies != 0 ? 0 : bit & surrounds != 0 ? surround : 1
    }
  }
}
