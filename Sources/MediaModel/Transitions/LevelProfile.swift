internal import Base
internal import Glibc

/// Where the sound of a recording begins and ends, how long it takes to get loud, and whether it fades by itself; from
/// its stored energy.
///
/// All places are in seconds from the first frame.
package struct LevelProfile: Hashable, Sendable {
  /// The mean power of all points louder than -60 dBFS, in dBFS.
  package let meanInDB: Double
  /// The first point louder than ``threshold(meanInDB:)``.
  package let audibleStart: Double
  /// The end of the last one.
  package let audibleEnd: Double
  /// The start of the first second that is nearly as loud as the mean.
  package let loudStart: Double
  /// The end of the last one.
  package let loudEnd: Double
  /// Where the track, which fades by itself, is 12 dB below its mean; nil if it does not fade.
  package let fadeStart: Double?

  /// How long the beginning is quiet, in seconds.
  package var intro: Double { loudStart - audibleStart }
  /// How long the ending is quiet, in seconds.
  package var outro: Double { audibleEnd - loudEnd }

  private static let quietestInDB = -60.0
  /// A second this much below the mean is loud.
  private static let loudnessBelowMeanInDB = 8.0
  /// An ending that falls by so much in its last seconds, and so fast, fades.
  private static let leastFadeInDB = 10.0
  private static let leastSlopeInDBPerSecond = 0.7
  private static let leastFallingShare = 0.8
  private static let fadeBelowMeanInDB = 12.0
  private static let longestFadeInSeconds = 20.0
  private static let shortestFadeInSeconds = 4.0

  /// What is louder is audible: 40 dB below the mean, but not below -58 dBFS.
  package static func threshold(meanInDB: Double) -> Double { max(-58, meanInDB - 40) }

  /// - Parameters:
  ///   - frames: The part of the recording; places count from its first frame.
  /// - Returns: nil if nothing is louder than -60 dBFS.
  package init?(_ energy: WaveformEnergy, frames: Range<Int>) {
    guard energy.framesPerPoint > 0, energy.sampleRateInHz > 0 else { return nil }
    let first = frames.lowerBound / energy.framesPerPoint
    let last = (frames.upperBound + energy.framesPerPoint - 1) / energy.framesPerPoint
    let points = energy.points[(first..<max(first, last)).clamped(to: 0..<energy.points.count)]
    let levels = points.map { Double(DecibelStep.decode($0.rms)) }
    let powers = zip(points, levels).map { $0.rms == 0 ? 0 : pow(10, $1 / 10) }
    let pointInSeconds = Double(energy.framesPerPoint) / Double(energy.sampleRateInHz)
    self.init(
      powers: powers, pointInSeconds: pointInSeconds, seconds: Double(frames.count) / Double(energy.sampleRateInHz))
  }

  /// - Parameters:
  ///   - powers: The mean power of each point; full scale is 1.
  ///   - seconds: The length of the recording; its last point may be shorter than the others.
  init?(powers: [Double], pointInSeconds: Double, seconds: Double) {
    func decibels(_ power: Double) -> Double { power > 0 ? 10 * log10(power) : -.infinity }
    let heard = powers.filter { decibels($0) > Self.quietestInDB }
    guard !heard.isEmpty else { return nil }
    let mean = decibels(heard.reduce(0, +) / Double(heard.count))
    let threshold = Self.threshold(meanInDB: mean)
    guard let first = powers.firstIndex(where: { decibels($0) > threshold }),
      let last = powers.lastIndex(where: { decibels($0) > threshold })
    else { return nil }
    meanInDB = mean
    audibleStart = Double(first) * pointInSeconds
    let end = min(seconds, Double(last + 1) * pointInSeconds)
    audibleEnd = end
    // Means of a second each, one beginning at each point.
    let width = min(powers.count, max(1, Int((1 / pointInSeconds).rounded())))
    var means: [Double] = []
    var sum = powers[..<width].reduce(0, +)
    for start in 0...powers.count - width {
      if start > 0 { sum = max(0, sum + powers[start + width - 1] - powers[start - 1]) }
      means.append(decibels(sum / Double(width)))
    }
    let loud = mean - Self.loudnessBelowMeanInDB
    let firstLoud = means.firstIndex { $0 >= loud } ?? first
    let lastLoud = means.lastIndex { $0 >= loud }.map { $0 + width } ?? last + 1
    loudStart = max(audibleStart, Double(firstLoud) * pointInSeconds)
    loudEnd = min(end, Double(lastLoud) * pointInSeconds)
    let tail = min(Self.longestFadeInSeconds, max(end - loudEnd, Self.shortestFadeInSeconds))
    guard Self.fades(powers[..<(last + 1)], pointInSeconds, tail) else {
      fadeStart = nil
      return
    }
    let faded = mean - Self.fadeBelowMeanInDB
    let center = Double(width) / 2
    fadeStart = means.lastIndex { $0 >= faded }.map { min(end, (Double($0) + center) * pointInSeconds) } ?? loudEnd
  }

  /// Whether the last seconds of some points fall steadily: half seconds whose line falls by 0.7 dB a second or more, by 10 dB
  /// in all, and four in five of which are quieter than the one before.
  private static func fades(_ powers: ArraySlice<Double>, _ pointInSeconds: Double, _ seconds: Double) -> Bool {
    let width = max(1, Int((0.5 / pointInSeconds).rounded()))
    let count = Int(seconds / 0.5)
    guard count >= 4, powers.count >= count * width else { return false }
    let levels = (0..<count).map { index in
      let start = powers.endIndex - (count - index) * width
      let power = powers[start..<start + width].reduce(0, +) / Double(width)
      return power > 0 ? max(-90, 10 * log10(power)) : -90
    }
    let falling = zip(levels, levels.dropFirst()).count { $1 < $0 }
    guard Double(falling) >= leastFallingShare * Double(count - 1) else { return false }
    guard levels[0] - levels[count - 1] >= leastFadeInDB else { return false }
    let center = Double(count - 1) / 2
    let mean = levels.reduce(0, +) / Double(count)
    let (products, squares) = levels.enumerated().reduce((0.0, 0.0)) { sums, level in
      let distance = Double(level.offset) - center
      return (sums.0 + distance * (level.element - mean), sums.1 + distance * distance)
    }
    return 2 * products / squares <= -leastSlopeInDBPerSecond
  }
}
