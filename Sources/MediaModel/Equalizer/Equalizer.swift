internal import Glibc

/// Bands sorted by frequency, and a global gain.
package struct Equalizer: Hashable, Sendable {
  package static let maximumBandCount = 128
  package static let gains = EqualizerBand.gains

  /// Sorted by frequency; at most `maximumBandCount`.
  package let bands: [EqualizerBand]
  /// The global gain in decibels, −96…24; applied once, before the first band.
  package let gain: Double
  /// Whether the bands are sliders of a graphic equalizer whose total curve must pass through the gain of each slider
  /// at its centre. The gains of the filters are then solved for, because neighbours overlap. Sliders at 0 dB have no
  /// filter.
  package let isCompensated: Bool

  package static let flat = Equalizer()

  private init() { (bands, gain, isCompensated) = ([], 0, false) }

  /// - Throws: `PresetError` for too many bands, or a gain out of range.
  package init(bands: [EqualizerBand], gain: Double = 0, isCompensated: Bool = false) throws(PresetError) {
    guard bands.count <= Self.maximumBandCount else {
      throw PresetError("\(bands.count) bands are more than \(Self.maximumBandCount)")
    }
    // Stable: bands with the same frequency keep their order.
    self.bands = bands.enumerated().sorted { ($0.element.frequency, $0.offset) < ($1.element.frequency, $1.offset) }
      .map { $0.element }
    self.gain = try PresetError.checked(gain, "global gain", in: Self.gains, unit: "dB")
    self.isCompensated = isCompensated
  }
}

extension Equalizer {
  /// The global gain at which nothing exceeds full scale, from the maximum of the total curve and the true peak of the
  /// recording, or that of a full-scale sine.
  ///
  /// Because filters change the phase, the actual peak may still be slightly higher.
  ///
  /// - Parameter truePeak: In dBTP.
  /// - Returns: In decibels, at most 0 and at least the minimum of `gains`, rounded down to hundredths.
  package func automaticGain(sampleRate: Double, truePeak: Double = 0) -> Double {
    let highest = peakResponse(sampleRate: sampleRate) - gain
    let room = -(highest + (truePeak.isFinite ? truePeak : 0))
    return max(Self.gains.lowerBound, min(0, (room * 100 + 1e-6).rounded(.down) / 100))
  }
}

extension Equalizer {
  /// One filter for each band that has an effect on `channel` (0 left, 1 right; other channels have only the bands for
  /// all), in the order of the bands.
  package func filters(sampleRate: Double, channel: Int = 0) -> [BiquadCoefficients] {
    let gains = filterGains(sampleRate: sampleRate)
    return zip(bands, gains).compactMap { band, gain in
      guard band.isAudible, band.channels.contains(channel) else { return nil }
      return BiquadCoefficients(band, sampleRate: sampleRate, gain: gain)
    }
  }

  /// The total of all bands and the global gain in decibels, at frequencies in hertz.
  package func response(at frequencies: [Double], sampleRate: Double, channel: Int = 0) -> [Double] {
    let filters = filters(sampleRate: sampleRate, channel: channel)
    return frequencies.map { frequency in
      filters.reduce(gain) { $0 + $1.decibels(at: frequency, sampleRate: sampleRate) }
    }
  }

  /// The maximum of the total curve in decibels, including the global gain: on a grid of 48 points per octave from 20
  /// Hz to 20 kHz or half the rate, and at the frequency of each band.
  package func peakResponse(sampleRate: Double) -> Double {
    let top = max(20, min(20_000, sampleRate * BiquadCoefficients.highestFrequency))
    let count = max(1, Int((log2(top / 20) * 48).rounded(.up)))
    let grid = (0...count).map { 20 * pow(2, log2(top / 20) * Double($0) / Double(count)) }
    let points = grid + bands.map { min($0.frequency, sampleRate * BiquadCoefficients.highestFrequency) }
    return [0, 1].flatMap { response(at: points, sampleRate: sampleRate, channel: $0) }.max() ?? gain
  }

  /// The gain of each band's filter in decibels: its own or, if compensated, the one at which the total passes through
  /// the gains of all bands with an effect.
  package func filterGains(sampleRate: Double) -> [Double] {
    let targets = bands.map { $0.gain }
    let solvable = bands.indices.filter {
      bands[$0].isAudible && bands[$0].shape == .parametric && bands[$0].frequency < sampleRate * 0.45
    }
    guard isCompensated, solvable.count > 1 else { return targets }
    var gains = targets
    // The curves in dB are nearly proportional to the gains, so a few steps of Newton's method with a constant matrix
    // suffice.
    for _ in 0..<8 {
      let matrix = solvable.map { row in
        solvable.map { column in
          contribution(of: column, gain: gains[column], at: bands[row].frequency, sampleRate: sampleRate)
        }
      }
      let errors = zip(solvable, matrix).map { row, values in
        let sum = zip(solvable, values).reduce(0) { $0 + $1.1 * gains[$1.0] }
        return targets[row] - sum
      }
      guard (errors.map { abs($0) }.max() ?? 0) > 1e-6, let steps = LinearEquations.solve(matrix, errors) else { break }
      for (column, step) in zip(solvable, steps) {
        gains[column] = min(max(gains[column] + step, EqualizerBand.gains.lowerBound), EqualizerBand.gains.upperBound)
      }
    }
    return gains
  }

  /// The decibels at `frequency` per decibel of gain of a band.
  private func contribution(of index: Int, gain: Double, at frequency: Double, sampleRate: Double) -> Double {
    let prototype = abs(gain) < 0.5 ? 0.5 : gain
    let filter = BiquadCoefficients(bands[index], sampleRate: sampleRate, gain: prototype)
    return filter.decibels(at: frequency, sampleRate: sampleRate) / prototype
  }
}

extension BandChannels {
  /// - Parameter channel: 0 is left, 1 is right.
  package func contains(_ channel: Int) -> Bool {
    switch self {
    case .all: true
    case .left: channel == 0
    case .right: channel == 1
    }
  }
}
