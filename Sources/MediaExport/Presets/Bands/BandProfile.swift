internal import MediaModel

/// What a format of parametric bands can say.
struct BandProfile {
  var shapes: Set<FilterShape>
  /// Of a channel, where channels differ.
  var maximumBandCount = Equalizer.maximumBandCount
  var hasChannels = true
  var hasBypass = true
  /// Shapes whose width it can say in octaves.
  var octaveShapes: Set<FilterShape> = []
  var frequencies = EqualizerBand.frequencies
  var gains = EqualizerBand.gains
  var qualities = FilterWidth.qualities
  /// Of low and high passes.
  var passQualities = FilterWidth.qualities
  var globalGains = Equalizer.gains
  /// Decimals that are stored of each.
  var frequencyPlaces = 4
  var gainPlaces = 4
  var qualityPlaces = 4

  static let apo = BandProfile(shapes: Set(FilterShape.allCases), octaveShapes: [.parametric, .bandPass])

  /// The common subset that AutoEq writes, and phones read.
  static let autoEQ = BandProfile(
    shapes: peaksAndShelves, hasChannels: false, hasBypass: false, frequencies: 1...99_999, gains: -99.9...24,
    frequencyPlaces: 0, gainPlaces: 1, qualityPlaces: 2)

  static let easyEffects = BandProfile(
    shapes: Set(FilterShape.allCases), maximumBandCount: 32, frequencies: 10...24_000, gains: -36...24,
    globalGains: -72...24)

  /// 64 filters, of which the gain for all is one; narrow fields.
  static let pipeWireFile = BandProfile(
    shapes: peaksAndShelves, maximumBandCount: 63, hasChannels: false, hasBypass: false, frequencies: 1...99_999,
    frequencyPlaces: 2, gainPlaces: 2, qualityPlaces: 2)

  static let pipeWire = BandProfile(
    shapes: Set(FilterShape.allCases), maximumBandCount: 63, hasBypass: false,
    passQualities: 0.7071...FilterWidth.qualities.upperBound)

  static let rockbox = BandProfile(
    shapes: peaksAndShelves, maximumBandCount: 10, hasChannels: false, hasBypass: false, frequencies: 20...20_000,
    gains: -24...24, qualities: 0.1...6.4, globalGains: -24...0, frequencyPlaces: 0, gainPlaces: 1, qualityPlaces: 1)

  private static let peaksAndShelves: Set<FilterShape> = [.parametric, .resonantLowShelf, .resonantHighShelf]
}
