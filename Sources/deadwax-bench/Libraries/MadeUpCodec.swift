internal import MediaModel

/// A codec with its usual container, ending and numbers.
struct MadeUpCodec {
  var codec: Codec
  var container: Container
  var ending: String
  var sampleRateInHz: Int
  var bits: Int?
  var bitRate: Int
  /// Above it an encoder leaves nothing; nil for lossless ones.
  var cutoffInHz: Double?

  init(_ random: inout BenchRandom) {
    let unit = random.unit()
    if unit < 0.45 {
      let rate = random.pick([128, 160, 192, 256, 320, 320])
      self.init(.mp3, .mpeg, "mp3", 44_100, nil, rate * 1_000, [128: 16_000, 160: 17_500, 192: 18_600][rate] ?? 20_000)
    } else if unit < 0.8 {
      let isHigh = random.isTrue(0.15)
      self.init(.flac, .flac, "flac", isHigh ? 96_000 : 44_100, isHigh ? 24 : 16, isHigh ? 2_900_000 : 930_000, nil)
    } else if unit < 0.9 {
      self.init(.vorbis, .ogg, "ogg", 44_100, nil, 192_000, 19_000)
    } else if unit < 0.97 {
      self.init(.opus, .ogg, "opus", 48_000, nil, 128_000, 20_000)
    } else {
      self.init(.pcmS16, .wav, "wav", 44_100, 16, 1_411_200, nil)
    }
  }

  private init(
    _ codec: Codec, _ container: Container, _ ending: String, _ rate: Int, _ bits: Int?, _ bitRate: Int,
    _ cutoff: Double?
  ) {
    self.codec = codec
    self.container = container
    self.ending = ending
    sampleRateInHz = rate
    self.bits = bits
    self.bitRate = bitRate
    cutoffInHz = cutoff
  }
}
