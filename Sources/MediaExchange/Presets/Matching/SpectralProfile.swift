internal import Base
internal import Glibc
package import MediaModel

/// The mean spectrum of a track, of several, or of a curve, as equalizers are matched to it.
///
/// Powers of bands of a 24th of an octave from 20 Hz to 20.48 kHz; pink noise is flat in them.
package struct SpectralProfile: Hashable, Sendable {
  /// 24 in an octave.
  static let bands = SpectrumBands(count: 240, fromHz: 20, toHz: 20_480)
  static let centers = (0..<bands.count).map(bands.center)

  private enum Limit {
    /// Above this share of what a recording reaches, encoders and converters fade.
    static let highestShare = 0.9
    /// Of the Gauss curve over which levels are smoothed: a third of an octave at half its height.
    static let deviationInOctaves = 0.17
    static let leastPower = 1e-11
    static let mostPoints = 20_000
    static let levels = -300.0...300.0
  }

  /// Before smoothing, relative to a full-scale sine.
  let powers: [Double]
  /// In dB; minus infinity where nothing is known.
  let levels: [Double]
  /// What is above it in Hz says nothing.
  let highestInHz: Double

  private init(powers: [Double], levels: [Double], highestInHz: Double) {
    self.powers = powers
    self.levels = levels
    self.highestInHz = highestInHz
  }

  /// Of one track.
  ///
  /// - Parameter cutoffInHz: Above it nothing is left; nil if it reaches half its sample rate.
  /// - Returns: nil for silence.
  package init?(_ spectrum: SpectrumSummary, cutoffInHz: Double?) {
    let levels = spectrum.binsAddedUp(in: Self.bands).meanInDB
    let powers = levels.map { $0 > DecibelStep.floorInDB ? pow(10, Double($0) / 10) : 0 }
    guard powers.reduce(0, +) > Limit.leastPower, powers.allSatisfy(\.isFinite) else { return nil }
    let reach = min(Double(spectrum.sampleRateInHz) / 2, cutoffInHz ?? .infinity)
    self.init(powers: powers, highestInHz: Limit.highestShare * reach)
  }

  /// The mean of several tracks, each at the same loudness.
  ///
  /// - Returns: nil for none.
  package init?(meanOf profiles: [SpectralProfile]) {
    guard !profiles.isEmpty else { return nil }
    var powers = [Double](repeating: 0, count: Self.bands.count)
    for profile in profiles {
      let scale = 1 / Double(profiles.count) / profile.positivePower
      for band in powers.indices { powers[band] += scale * profile.powers[band] }
    }
    self.init(powers: powers, highestInHz: profiles.map(\.highestInHz).min() ?? 0)
  }

  private init(powers: [Double], highestInHz: Double) {
    let smoothed = Self.smoothed(powers)
    self.init(
      powers: powers, levels: smoothed.map { $0 > 0 ? Decibels.level(ofPower: $0) : -.infinity },
      highestInHz: highestInHz)
  }

  /// Of a curve: levels in dB over frequency, as pink noise would be flat.
  ///
  /// Each line has a frequency in Hz and a level, separated by blanks, tabs, commas or semicolons; other lines are left out.
  /// `GraphicEQ:` lines of Equalizer APO are read, too.
  /// - Throws: `PresetError` if fewer than two points are usable, or too many.
  package init(curve text: String) throws(PresetError) {
    var points: [GainCurve.Point] = []
    for line in text.split(whereSeparator: \.isNewline) {
      let isList = line.trimmingPrefix(while: \.isWhitespace).lowercased().hasPrefix("graphiceq:")
      let pieces = isList ? line.drop { $0 != ":" }.dropFirst().split(separator: ";") : [line]
      for piece in pieces {
        let numbers = piece.split { $0.isWhitespace || $0 == "," || $0 == ";" }.prefix(2).map { Double($0) }
        guard numbers.count == 2, let frequency = numbers[0], let level = numbers[1] else { continue }
        guard frequency.isFinite, frequency > 0, Limit.levels.contains(level) else { continue }
        points.append(GainCurve.Point(frequency: frequency, gain: level))
        guard points.count <= Limit.mostPoints else {
          throw PresetError("the curve has more than \(Limit.mostPoints) points")
        }
      }
    }
    let curve = GainCurve(points)
    guard let first = curve.points.first, let last = curve.points.last, curve.points.count > 1 else {
      throw PresetError("the curve needs two or more lines with a frequency in Hz and a level in dB")
    }
    let levels = Self.centers.map {
      $0 >= first.frequency && $0 <= last.frequency ? curve.gain(at: $0) : -.infinity
    }
    self.init(powers: levels.map { Decibels.power($0) }, levels: levels, highestInHz: last.frequency)
  }

  private static func smoothed(_ powers: [Double]) -> [Double] {
    let deviation = Limit.deviationInOctaves * 24
    let reach = Int(3 * deviation)
    let weights = (-reach...reach).map { exp(-Double($0 * $0) / 2 / deviation / deviation) }
    return powers.indices.map { band in
      var (sum, total) = (0.0, 0.0)
      for (index, weight) in weights.enumerated() {
        let other = band + index - reach
        guard powers.indices.contains(other) else { continue }
        sum += weight * powers[other]
        total += weight
      }
      return sum / total
    }
  }

  /// The power as the ear weighs it (K-weighting of ITU-R BS.1770-4).
  ///
  /// - Parameter gains: Of a filter, in dB.
  func weightedPower(after gains: [Double]? = nil) -> Double {
    powers.indices.reduce(0) { sum, band in
      sum + powers[band] * Self.weights[band] * (gains.map { Decibels.power($0[band]) } ?? 1)
    }
  }

  private var positivePower: Double { max(weightedPower(), 1e-20) }

  /// The two filters of BS.1770-4 at 48 kHz.
  private static let weights: [Double] = centers.map { frequency in
    let turn = 2 * Double.pi * frequency / 48_000
    func power(_ values: (Double, Double, Double)) -> Double {
      let real = values.0 + values.1 * cos(turn) + values.2 * cos(2 * turn)
      let imaginary = values.1 * sin(turn) + values.2 * sin(2 * turn)
      return real * real + imaginary * imaginary
    }
    let shelf =
      power((1.53512485958697, -2.69169618940638, 1.19839281085285))
      / power((1, -1.69065929318241, 0.73248077421585))
    return shelf * power((1, -2, 1)) / power((1, -1.99004745483398, 0.99007225036621))
  }
}
