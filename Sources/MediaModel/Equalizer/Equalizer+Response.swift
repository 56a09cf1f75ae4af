internal import Glibc

extension Equalizer {
  /// One filter for each band that is heard on `channel` (0 left, 1 right, others as all), in the order of the bands.
  package func filters(sampleRate: Double, channel: Int = 0) -> [BiquadCoefficients] {
    let gains = filterGains(sampleRate: sampleRate)
    return zip(bands, gains).compactMap { band, gain in
      guard band.isAudible, band.channels.contains(channel) else { return nil }
      return BiquadCoefficients(band, sampleRate: sampleRate, gain: gain)
    }
  }

  /// The sum of all bands and the global gain in decibels, at frequencies in hertz.
  package func response(at frequencies: [Double], sampleRate: Double, channel: Int = 0) -> [Double] {
    let filters = filters(sampleRate: sampleRate, channel: channel)
    return frequencies.map { frequency in
      filters.reduce(gain) { $0 + $1.decibels(at: frequency, sampleRate: sampleRate) }
    }
  }

  /// The highest value of the summed curve in decibels, global gain included: on a grid of 48 points an octave from 20 Hz to
  /// 20 kHz or half the rate, and at each band's frequency.
  package func peakResponse(sampleRate: Double) -> Double {
    let top = max(20, min(20_000, sampleRate * BiquadCoefficients.highestFrequency))
    let count = max(1, Int((log2(top / 20) * 48).rounded(.up)))
    let grid = (0...count).map { 20 * pow(2, log2(top / 20) * Double($0) / Double(count)) }
    let points = grid + bands.map { min($0.frequency, sampleRate * BiquadCoefficients.highestFrequency) }
    return [0, 1].flatMap { response(at: points, sampleRate: sampleRate, channel: $0) }.max() ?? gain
  }

  /// The gain of each band's filter in decibels: its own, or, compensated, what makes the sum pass through all that are
  /// heard.
  package func filterGains(sampleRate: Double) -> [Double] {
    let targets = bands.map(\.gain)
    let solvable = bands.indices.filter {
      bands[$0].isAudible && bands[$0].shape == .parametric && bands[$0].frequency < sampleRate * 0.45
    }
    guard isCompensated, solvable.count > 1 else { return targets }
    var gains = targets
    // The curves in dB are nearly proportional to the gains: a few steps of Newton's method with the matrix of their
    // proportions.
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

  /// Decibels at `frequency` for each decibel of gain of a band.
  private func contribution(of index: Int, gain: Double, at frequency: Double, sampleRate: Double) -> Double {
    let prototype = abs(gain) < 0.5 ? 0.5 : gain
    let filter = BiquadCoefficients(bands[index], sampleRate: sampleRate, gain: prototype)
    return filter.decibels(at: frequency, sampleRate: sampleRate) / prototype
  }
}

extension BandChannels {
  /// - Parameter channel: 0 is the left one, 1 the right one.
  package func contains(_ channel: Int) -> Bool {
    switch self {
    case .all: true
    case .left: channel == 0
    case .right: channel == 1
    }
  }
}
