internal import Base
internal import Glibc
package import MediaModel

/// An equalizer that gives one mean spectrum the shape of another one.
///
/// Levels are compared in thirds of octaves; their median difference from 200 Hz to 5 kHz is the gain between both and left
/// out. There is no correction below 30 Hz, above 90 % of what either reaches, and where either is 60 dB below its maximum; half an
/// octave before such an edge it fades. Corrections end at ±9 dB, above 10 kHz at ±6 dB.
package struct SpectrumMatch: Hashable, Sendable {
  private enum Limit {
    static let lowestInHz = 30.0
    static let middleInHz = 200.0...5_000.0
    static let depthInDB = 60.0
    static let fadeInOctaves = 0.5
    static let mostInDB = 9.0
    static let mostAboveInDB = 6.0
    static let aboveInHz = 10_000.0
    static let bandCount = 10
    static let qualities = 0.3...3.0
    static let toleranceInDB = 0.25
    static let leastGainInDB = 0.15
    static let bandsOfOctave = 24.0
  }

  /// At most ten bands, and the gain that keeps the loudness, or less if samples would clip.
  package let equalizer: Equalizer
  /// What the equalizer leaves of the difference at this strength, where there is one.
  package let residual: CurveDeviation
  /// The largest correction that was wanted, in dB, before it was limited.
  package let largestDifferenceInDB: Double

  /// - Parameters:
  ///   - source: What is equalized.
  ///   - strength: `0...1`.
  ///   - sampleRate: Of the source, in Hz.
  ///   - truePeak: Of the source, in dBTP.
  /// - Throws: `PresetError` if the two have nothing in common that could be compared.
  package init(
    _ source: SpectralProfile, to reference: SpectralProfile, strength: Double, sampleRate: Double, truePeak: Double
  ) throws(PresetError) {
    let centers = SpectralProfile.centers
    let fades = Self.fades(source, reference)
    let middle = centers.indices.filter { fades[$0] > 0 && Limit.middleInHz.contains(centers[$0]) }
      .map { reference.levels[$0] - source.levels[$0] }.sorted()
    guard !middle.isEmpty else {
      throw PresetError("the two have no frequencies in common from 200 Hz to 5 kHz")
    }
    let level = (middle[(middle.count - 1) / 2] + middle[middle.count / 2]) / 2
    var largest = 0.0
    let wanted = centers.indices.map { band -> Double in
      guard fades[band] > 0 else { return 0 }
      let difference = reference.levels[band] - source.levels[band] - level
      if fades[band] == 1 { largest = max(largest, abs(difference)) }
      let most = centers[band] > Limit.aboveInHz ? Limit.mostAboveInDB : Limit.mostInDB
      return max(-most, min(difference, most)) * fades[band] * strength
    }
    var limits = CurveFit.Limits()
    limits.maximumBandCount = Limit.bandCount
    limits.gains = -Limit.mostInDB...Limit.mostInDB
    limits.qualities = Limit.qualities
    limits.globalGains = 0...0
    limits.tolerance = Limit.toleranceInDB
    let curve = GainCurve(zip(centers, wanted).map { GainCurve.Point(frequency: $0, gain: $1) })
    let isFlat = wanted.allSatisfy { abs($0) < Limit.leastGainInDB }
    let bands = isFlat ? [] : try CurveFit(curve, limits: limits).equalizer.bands
    let flat = try Equalizer(bands: bands, gain: 0)
    let gains = flat.response(at: centers, sampleRate: sampleRate)
    let before = source.weightedPower()
    let change = before > 0 ? Decibels.level(ofPower: source.weightedPower(after: gains) / before) : 0
    let gain = bands.isEmpty ? 0 : min(-change, flat.automaticGain(sampleRate: sampleRate, truePeak: truePeak))
    equalizer = try Equalizer(bands: bands, gain: (gain * 100).rounded(.down) / 100)
    let heard = centers.indices.filter { fades[$0] > 0 }
    residual = CurveDeviation(heard.map { wanted[$0] - gains[$0] }, at: heard.map { centers[$0] })
    largestDifferenceInDB = largest
  }

  /// How much of a band's difference counts: 0 where nothing is known, 1 half an octave away from it.
  private static func fades(_ source: SpectralProfile, _ reference: SpectralProfile) -> [Double] {
    let centers = SpectralProfile.centers
    let highest = min(source.highestInHz, reference.highestInHz)
    func depth(_ profile: SpectralProfile) -> Double { (profile.levels.max() ?? 0) - Limit.depthInDB }
    let (sourceDepth, referenceDepth) = (depth(source), depth(reference))
    let isKnown = centers.indices.map { band in
      centers[band] >= Limit.lowestInHz && centers[band] <= highest && source.levels[band] > sourceDepth
        && reference.levels[band] > referenceDepth
    }
    let length = Int(Limit.fadeInOctaves * Limit.bandsOfOctave)
    var (fromLow, fromHigh) = (isKnown.map { _ in 0 }, isKnown.map { _ in 0 })
    for band in isKnown.indices where isKnown[band] { fromLow[band] = band == 0 ? 1 : fromLow[band - 1] + 1 }
    for band in isKnown.indices.reversed() where isKnown[band] {
      fromHigh[band] = band == isKnown.count - 1 ? length : fromHigh[band + 1] + 1
    }
    return isKnown.indices.map { min(1, Double(min(fromLow[$0], fromHigh[$0])) / Double(length)) }
  }
}
