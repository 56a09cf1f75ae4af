internal import Base
internal import Glibc
internal import MediaModel

/// Converts an equalizer to bands that a format can hold: band by band if possible, otherwise by a fit to its curve.
struct BandConversion {
  let equalizer: Equalizer
  let deviation: CurveDeviation

  private let profile: BandProfile

  /// - Parameter maximumBandCount: Limits the number of bands further than the format does.
  init(_ original: Equalizer, to profile: BandProfile, maximumBandCount: Int? = nil, notes: inout ExchangeNotes) {
    var profile = profile
    profile.maximumBandCount = min(profile.maximumBandCount, max(1, maximumBandCount ?? .max))
    self.profile = profile
    let adapted = Self.adapted(original, profile: profile, notes: &notes)
    var reasons: [String] = []
    for band in adapted.bands where band.isAudible {
      if let reason = Self.reason(against: band, profile: profile) { reasons.append(reason) }
    }
    var bands = adapted.bands
    if !profile.hasChannels || reasons.count > 0 || !Self.fits(bands, profile) {
      let silent = bands.filter {
        !$0.isAudible && (Self.reason(against: $0, profile: profile) != nil || !Self.fits(bands, profile))
      }
      for band in silent { notes.add("the \(band.title) has no effect; left out") }
      bands.removeAll { silent.contains($0) }
    }
    if !Self.fits(bands, profile) {
      reasons.append("\(bands.count) bands are more than \(profile.maximumBandCount)")
    }
    if !profile.globalGains.contains(original.gain) {
      reasons.append("the global gain of \(DecimalText.number(original.gain, places: 2)) dB is out of range")
    }
    let result: Equalizer
    if reasons.isEmpty {
      result = Self.equalizer(bands, gain: original.gain, profile: profile)
    } else {
      for reason in reasons { notes.add(reason) }
      result = Self.fitted(original, profile: profile, notes: &notes)
    }
    equalizer = result
    deviation = CurveDeviation(from: original, to: result, sampleRate: CurveFit.sampleRate)
    if !reasons.isEmpty { notes.add("the curve was fitted with \(result.bands.count) bands") }
  }

  /// Converts shapes and widths to those of the format, if that does not change the response.
  private static func adapted(_ original: Equalizer, profile: BandProfile, notes: inout ExchangeNotes) -> Equalizer {
    var gains = original.bands.map(\.gain)
    if original.isCompensated {
      gains = original.filterGains(sampleRate: CurveFit.sampleRate)
      notes.add("the bands are written with their compensated gains at 48 kHz")
    }
    var bands: [EqualizerBand] = []
    var convertedCount = 0
    for (band, gain) in zip(original.bands, gains) {
      if band.isBypassed, !profile.hasBypass {
        notes.add("the \(band.title) is bypassed; left out")
        continue
      }
      if band.shape == .allPass, !profile.shapes.contains(.allPass) {
        notes.add("the \(band.title) changes only the phase and cannot be written; left out")
        continue
      }
      let isExpressible = profile.shapes.contains(band.shape) || !profile.shapes.contains(band.shape.resonant)
      let shape = isExpressible ? band.shape : band.shape.resonant
      var width = band.width
      if shape.hasWidth, case .octaves = width, !profile.octaveShapes.contains(shape) {
        width = .quality(min(max(width.quality, FilterWidth.qualities.lowerBound), FilterWidth.qualities.upperBound))
        convertedCount += 1
      }
      let changed = try? EqualizerBand(
        shape, frequency: band.frequency, gain: gain, width: width, channels: band.channels,
        isBypassed: band.isBypassed)
      bands.append(changed ?? band)
    }
    if convertedCount > 0 { notes.add("\(convertedCount) bandwidths in octaves are written as Q") }
    return (try? Equalizer(bands: bands, gain: original.gain)) ?? original
  }

  /// Why the format cannot hold the band; nil if it can.
  private static func reason(against band: EqualizerBand, profile: BandProfile) -> String? {
    if !profile.shapes.contains(band.shape) { return "the \(band.title) cannot be written" }
    if !profile.hasChannels, band.channels != .all { return "the \(band.title) is for one channel only" }
    func outside(_ value: Double, _ name: String) -> String {
      "\(name) \(DecimalText.number(value, places: 2)) of the \(band.title) is out of range"
    }
    if !profile.frequencies.contains(band.frequency) { return outside(band.frequency, "the frequency") }
    if band.shape.hasGain, !profile.gains.contains(band.gain) { return outside(band.gain, "the gain") }
    let qualities = band.shape.family == .pass ? profile.passQualities : profile.qualities
    if band.shape.hasWidth, !qualities.contains(band.width.quality) { return outside(band.width.quality, "Q") }
    return nil
  }

  private static func fits(_ bands: [EqualizerBand], _ profile: BandProfile) -> Bool {
    guard profile.hasChannels else { return bands.count <= profile.maximumBandCount }
    return [0, 1].allSatisfy { channel in
      bands.count { $0.channels.contains(channel) } <= profile.maximumBandCount
    }
  }

  private static func fitted(_ original: Equalizer, profile: BandProfile, notes: inout ExchangeNotes) -> Equalizer {
    let grid = FrequencyGrid.points(from: 10, to: 22_000, perOctave: 48)
    let curves = [0, 1].map {
      GainCurve(of: original, at: grid, channel: $0, sampleRate: CurveFit.sampleRate)
    }
    var limits = CurveFit.Limits()
    limits.maximumBandCount = min(profile.maximumBandCount, Equalizer.maximumBandCount / 2)
    limits.maximumPeakCount = profile.fittedPeakCount
    limits.tolerance = 0.1
    limits.frequencies = max(20, profile.frequencies.lowerBound)...min(20_000, profile.frequencies.upperBound)
    limits.gains = max(-36, profile.gains.lowerBound)...min(24, profile.gains.upperBound)
    limits.qualities = profile.qualities.lowerBound...min(12, profile.qualities.upperBound)
    let gain = min(max(original.gain, profile.globalGains.lowerBound), profile.globalGains.upperBound)
    limits.globalGains = rounded(gain, profile.gainPlaces)...rounded(gain, profile.gainPlaces)
    // Second-order filters cannot usefully reach further from the global gain.
    func bounded(_ gain: Double) -> Double {
      let whole = limits.globalGains.lowerBound
      return whole + min(max(gain - whole, -60), 60)
    }
    if curves[0] == curves[1] || !profile.hasChannels {
      if curves[0] != curves[1] { notes.add("left and right cannot differ; their mean is written") }
      let mean = GainCurve(
        zip(curves[0].points, curves[1].points).map {
          GainCurve.Point(frequency: $0.frequency, gain: bounded(($0.gain + $1.gain) / 2))
        })
      guard let fit = try? CurveFit(mean, limits: limits) else { return .flat }
      return equalizer(fit.equalizer.bands, gain: fit.equalizer.gain, profile: profile)
    }
    var bands: [EqualizerBand] = []
    for (curve, channels) in zip(curves, [BandChannels.left, .right]) {
      let bound = GainCurve(curve.points.map { GainCurve.Point(frequency: $0.frequency, gain: bounded($0.gain)) })
      bands += (try? CurveFit(bound, limits: limits, channels: channels))?.equalizer.bands ?? []
    }
    return equalizer(bands, gain: limits.globalGains.lowerBound, profile: profile)
  }

  /// The bands, rounded as the format stores them.
  private static func equalizer(_ bands: [EqualizerBand], gain: Double, profile: BandProfile) -> Equalizer {
    let stored = bands.map { band -> EqualizerBand in
      func within(_ value: Double, _ range: ClosedRange<Double>, _ places: Int) -> Double {
        min(max(rounded(value, places), range.lowerBound), range.upperBound)
      }
      let width: FilterWidth =
        switch band.width {
        case .quality(let value): .quality(within(value, profile.qualities, profile.qualityPlaces))
        case .octaves(let value): .octaves(within(value, FilterWidth.octaveRange, profile.qualityPlaces))
        }
      let changed = try? EqualizerBand(
        band.shape, frequency: within(band.frequency, profile.frequencies, profile.frequencyPlaces),
        gain: within(band.gain, profile.gains, profile.gainPlaces), width: width, channels: band.channels,
        isBypassed: band.isBypassed)
      return changed ?? band
    }
    return (try? Equalizer(bands: stored, gain: rounded(gain, profile.gainPlaces))) ?? .flat
  }

  private static func rounded(_ value: Double, _ places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { product, _ in product * 10 }
    return (value * scale).rounded() / scale
  }
}

/// What a format with parametric bands can hold.
struct BandProfile {
  var shapes: Set<FilterShape>
  /// For each channel, if the channels differ.
  var maximumBandCount = Equalizer.maximumBandCount
  /// Of the bands that are fitted to a curve, how many may be peaks.
  var fittedPeakCount = Int.max
  var hasChannels = true
  var hasBypass = true
  /// The shapes whose width can be given in octaves.
  var octaveShapes: Set<FilterShape> = []
  var frequencies = EqualizerBand.frequencies
  var gains = EqualizerBand.gains
  var qualities = FilterWidth.qualities
  /// For low and high passes.
  var passQualities = FilterWidth.qualities
  var globalGains = Equalizer.gains
  /// How many decimals are stored.
  var frequencyPlaces = 4
  var gainPlaces = 4
  var qualityPlaces = 4

  static let apo = BandProfile(shapes: Set(FilterShape.allCases), octaveShapes: [.parametric, .bandPass])

  /// The common subset that AutoEq writes and that apps for phones read.
  static let autoEQ = BandProfile(
    shapes: peaksAndShelves, hasChannels: false, hasBypass: false, frequencies: 1...99_999, gains: -99.9...24,
    frequencyPlaces: 0, gainPlaces: 1, qualityPlaces: 2)

  static let easyEffects = BandProfile(
    shapes: Set(FilterShape.allCases), maximumBandCount: 32, frequencies: 10...24_000, gains: -36...24,
    globalGains: -72...24)

  /// 64 filters, one of which is the global gain; fields have few characters.
  static let pipeWireFile = BandProfile(
    shapes: peaksAndShelves, maximumBandCount: 63, hasChannels: false, hasBypass: false, frequencies: 1...99_999,
    frequencyPlaces: 2, gainPlaces: 2, qualityPlaces: 2)

  static let pipeWire = BandProfile(
    shapes: Set(FilterShape.allCases), maximumBandCount: 63, hasBypass: false,
    passQualities: 0.7071...FilterWidth.qualities.upperBound)

  /// CamillaDSP refuses filters at or above half the sample rate.
  static let camillaDSP = BandProfile(
    shapes: Set(FilterShape.allCases), octaveShapes: [.parametric, .bandPass, .bandStop, .allPass],
    frequencies: 1...22_000, frequencyPlaces: 6, gainPlaces: 6, qualityPlaces: 6)

  /// With more than eight peaks, only the newest versions read a file.
  static let rockbox = BandProfile(
    shapes: peaksAndShelves, maximumBandCount: 10, fittedPeakCount: 8, hasChannels: false, hasBypass: false,
    frequencies: 20...20_000, gains: -24...24, qualities: 0.1...6.4, globalGains: -24...0, frequencyPlaces: 0,
    gainPlaces: 1, qualityPlaces: 1)

  private static let peaksAndShelves: Set<FilterShape> = [.parametric, .resonantLowShelf, .resonantHighShelf]
}
