internal import Glibc

/// What is heard in one recording and not in another one that would be kept for it, as far as stored products tell.
///
/// Each moment in which something is heard in the first must be found in the kept one: as loud but for one gain, with the same
/// energy in all parts of the spectrum and in each channel. What codecs, sample rates and silence at the ends do is tolerated;
/// the thresholds were chosen with `scripts/evaluate-removals.py` (docs/sound-search.md).
struct SoundComparison {
  enum Difference: String, CaseIterable {
    /// Something is heard before the kept one begins or after it ends.
    case length
    /// The kept one is silent or much softer for a moment.
    case silence
    /// Something else is louder in the kept one.
    case covered
    /// A channel of the kept one is silent or much softer.
    case channel
    /// Other sound is in its place.
    case content
    /// Loud and soft are nearer to each other, or peaks are cut off.
    case dynamics
    /// Another equalization, or a part of the spectrum is missing.
    case tone
  }

  /// In the order in which they were looked for; empty if the kept one has everything.
  private(set) var differences: [Difference] = []
  /// What the kept one is silent or ended for, altogether.
  private(set) var missingSeconds = 0.0

  let kept: StoredSound
  let other: StoredSound
  /// The second of the kept one at which the other begins.
  let offsetInSeconds: Double
  /// How much louder the other one is.
  var gainInDB: Float = 0

  /// Windows shorter than a point say nothing.
  let windowInSeconds: Double
  /// What is softer is not heard.
  private var leastLevelInDB: Float = 0

  /// What is at most so far from an end is tolerated: padding of encoders.
  static let edgeInSeconds = 0.06
  /// How far a window may be off, because offsets are rounded and codecs smear.
  static let toleranceInSeconds = 0.012
  /// About what a window of the spectrum reaches into its neighbours, at low sample rates.
  static let spectralReachInSeconds = 0.2
  /// What is so much softer than something in the last 0.2 s, or in the next 0.03 s, is masked by it: codecs ring there.
  static let maskedInDB: Float = 18
  private static let softestInDB: Float = -60
  private static let depthInDB: Float = 50

  /// - Parameter offset: roughly the second of the kept one at which the other begins.
  init(keeping kept: StoredSound, removing other: StoredSound, near offset: Double) {
    self.kept = kept
    self.other = other
    windowInSeconds = max(kept.pointInSeconds, other.pointInSeconds, 0.023)
    let search = OffsetSearch(kept, other, windowInSeconds: windowInSeconds)
    offsetInSeconds = search.best(near: offset)
    note(.content, if: search.hasShift(from: offsetInSeconds))
    compareLevels()
    compareShapes()
    compareSpectra()
    compareChannels()
  }

  var isComplete: Bool { differences.isEmpty }

  mutating func note(_ difference: Difference, if isDifferent: Bool) {
    if isDifferent, !differences.contains(difference) { differences.append(difference) }
  }

  // MARK: - Levels

  private enum LevelLimit {
    /// The mean of how much softer or louder than the other the kept one may be: of a window, and of longer times.
    static let softer: [(seconds: Double, decibels: Float)] = [(0, 10), (0.046, 6.5), (0.116, 5.5), (0.46, 2.2)]
    static let louder: [(seconds: Double, decibels: Float)] = [(0, 12), (0.046, 7), (0.116, 5.5), (0.46, 3)]
    static let gapInDB: Float = 12
    static let besideGapInDB: Float = 5
    /// The range of differences of level of 0.4 s, without the extreme two percent.
    static let rangeInDB: Float = 2
    static let maskedBehindInSeconds = 0.2
    static let maskedBeforeInSeconds = 0.03
    /// From the loudest on, the windows whose difference is the gain.
    static let loudInDB: Float = 30
  }

  private mutating func compareLevels() {
    let window = windowInSeconds
    let hop = window / 2
    let count = max(0, Int((other.durationInSeconds - window) / hop) + 1)
    let lastStart = kept.durationInSeconds - window
    guard count > 0, lastStart > 0 else { return note(.length, if: true) }
    let starts = (0..<count).map { Double($0) * hop }
    func levels(_ sound: StoredSound, at start: (Double) -> Double) -> [Float] {
      starts.map { time in
        let start = start(time)
        return StoredSound.decibels(sound.power(from: start, to: start + window)[0])
      }
    }
    // The neighbours begin half a window before and after, which is about the tolerance.
    func bestLevels(_ levels: [Float]) -> [Float] {
      levels.indices.map { max(levels[max(0, $0 - 1)], levels[$0], levels[min(count - 1, $0 + 1)]) }
    }
    let inKept = { (time: Double) in min(max(time + offsetInSeconds, 0), lastStart) }
    let others = levels(other) { $0 }
    let keeps = levels(kept, at: inKept)
    let top = others.percentile(0.95)
    leastLevelInDB = max(Self.softestInDB, top - Self.depthInDB)
    let isInside = starts.map {
      $0 + offsetInSeconds >= -Self.edgeInSeconds
        && $0 + window + offsetInSeconds <= kept.durationInSeconds + Self.edgeInSeconds
    }
    let loud = starts.indices.filter { isInside[$0] && others[$0] > top - LevelLimit.loudInDB && keeps[$0] > -70 }
    guard !loud.isEmpty else { return note(.content, if: true) }
    gainInDB = loud.map { others[$0] - keeps[$0] }.percentile(0.5)

    let bestKept = bestLevels(keeps)
    let bestOther = bestLevels(others)
    let (behind, before) = (
      Int((LevelLimit.maskedBehindInSeconds / hop).rounded()), Int((LevelLimit.maskedBeforeInSeconds / hop).rounded())
    )
    var softer = [Float](repeating: 0, count: count)
    var louder = softer
    var range: [Float] = softer
    for index in starts.indices where others[index] > leastLevelInDB {
      let time = starts[index]
      let isAtEdge = time < 0.03 || time + window > other.durationInSeconds - 0.03
      let near = keeps[max(0, index - behind)...min(count - 1, index + before)].max() ?? 0
      let isMasked = others[index] <= near + gainInDB - Self.maskedInDB
      guard isInside[index] else {
        let distance = max(-time - offsetInSeconds, time + window + offsetInSeconds - kept.durationInSeconds)
        if isMasked, distance < LevelLimit.maskedBehindInSeconds { continue }
        note(.length, if: true)
        missingSeconds += hop
        continue
      }
      if !isAtEdge, !isMasked {
        softer[index] = others[index] - bestKept[index] - gainInDB
        if softer[index] > LevelLimit.softer[0].decibels { missingSeconds += hop }
      }
      let isAtEdgeOfKept =
        time + offsetInSeconds < Self.edgeInSeconds
        || time + window + offsetInSeconds > kept.durationInSeconds - Self.edgeInSeconds
      // Nothing of the other one is covered where it is silent.
      let isBesideSilence = other.hasSilence(from: time - hop, to: time + window + hop)
      if !isAtEdge, !isAtEdgeOfKept, !isBesideSilence { louder[index] = keeps[index] + gainInDB - bestOther[index] }
    }
    for index in loud { range[index] = others[index] - keeps[index] - gainInDB }
    func exceeds(_ values: [Float], _ limits: [(seconds: Double, decibels: Float)]) -> Bool {
      limits.contains { values.greatestMean(of: max(1, Int(($0.seconds / hop).rounded()))) > $0.decibels }
    }
    note(.silence, if: exceeds(softer, LevelLimit.softer))
    // A gap of 50 ms fills no window that may be off by the tolerance; without that, three in a row show it.
    let gap = starts.indices.dropFirst().dropLast().first { index in
      guard softer[index] > 0 else { return false }
      let differences = (index - 1...index + 1).map { others[$0] - keeps[$0] - gainInDB }
      return differences[1] > LevelLimit.gapInDB && min(differences[0], differences[2]) > LevelLimit.besideGapInDB
    }
    note(.silence, if: gap != nil)
    note(.covered, if: exceeds(louder, LevelLimit.louder))
    let means = range.means(of: max(1, Int((0.4 / hop).rounded())))
    let (high, low) = means.percentiles(0.98, 0.02)
    note(.dynamics, if: high - low > LevelLimit.rangeInDB)
  }

  // MARK: - Energy in three bands

  private mutating func compareShapes() {
    let length = max(0.093, 2 * windowInSeconds)
    let margin = 0.05
    let scale = pow(10, gainInDB / 10)
    let least = pow(10, leastLevelInDB / 10)
    let masked = pow(10, -Self.maskedInDB / 10)
    var likeness: [Float] = []
    var time = margin
    while time + length <= other.durationInSeconds - margin {
      defer { time += length / 2 }
      let start = time + offsetInSeconds
      guard start >= margin, start + length <= kept.durationInSeconds - margin else { continue }
      let others = other.power(from: time, to: time + length)
      let previous =
        scale
        * max(
          kept.power(from: start - length, to: start)[0], kept.power(from: start - 2 * length, to: start - length)[0])
      let isBesideSilence = other.hasSilence(
        from: time - Self.spectralReachInSeconds, to: time + length + Self.spectralReachInSeconds)
      guard others[0] > least, others[0] > previous * masked, !isBesideSilence else {
        likeness.append(1)
        continue
      }
      let shares = [-Self.toleranceInSeconds, 0, Self.toleranceInSeconds].map { shift in
        let keeps = kept.power(from: start + shift, to: start + shift + length) * scale
        return Self.share(
          ofCommon: (1...3).reduce(0) { $0 + min(others[$1], keeps[$1]) },
          others: others[1] + others[2] + others[3], keeps: keeps[1] + keeps[2] + keeps[3])
      }
      likeness.append(shares.max() ?? 0)
    }
    note(
      .content,
      if: LikenessLimit(windows: 1, least: 0.15, outlier: 16, below: 0.62).isBroken(by: likeness)
        || LikenessLimit(windows: 4, least: 0.42, outlier: 12, below: 0.72).isBroken(by: likeness)
        || LikenessLimit(windows: 8, least: 0.56, outlier: 9, below: 0.8).isBroken(by: likeness))
  }

  static func share(ofCommon common: Float, others: Float, keeps: Float) -> Float {
    let whole = max(others, keeps)
    return whole > 0 ? common / whole : 1
  }

  // MARK: - Channels

  private enum ChannelLimit {
    static let windowInSeconds = 0.12
    /// Magnitudes below are too coarse to compare.
    static let leastPeak: Float = 5
    /// The mean over 0.36 s.
    static let softerInDB: Float = 7
    static let longestInDB: Float = 40
    /// Windows in which the kept channel is nothing at all, and what the other has at least.
    static let silentCount = 2
    static let leastBesideSilence: Float = 3
    /// The range of differences of peaks in loud windows, without the extreme ten percent.
    static let leastLoudPeak: Float = 24
    static let rangeInDB: Float = 2.6
    /// The median of these differences, but for the gain.
    static let crestInDB: Float = 1.5
  }

  private mutating func compareChannels() {
    let length = max(ChannelLimit.windowInSeconds, 2 * windowInSeconds)
    let scale = pow(10, -gainInDB / 20)
    let channelCount = min(kept.channelCount, other.channelCount)
    var softer = [[Float]](repeating: [], count: channelCount)
    var silentCounts = [Int](repeating: 0, count: channelCount)
    var ratios: [Float] = []
    var time = 0.0
    while time + length <= other.durationInSeconds {
      defer { time += length / 2 }
      let start = time + offsetInSeconds
      guard start >= 0, start + length <= kept.durationInSeconds else { continue }
      var largest: (other: Float, kept: Float) = (0, 0)
      for channel in 0..<channelCount {
        let others = Float(other.peak(ofChannel: channel, from: time, to: time + length))
        let keeps = Float(kept.peak(ofChannel: channel, from: start, to: start + length))
        largest = (max(largest.other, others), max(largest.kept, keeps))
        let expected = min(others, others * scale)
        if expected >= ChannelLimit.leastBesideSilence, keeps == 0 { silentCounts[channel] += 1 }
        let difference = expected >= ChannelLimit.leastPeak ? 20 * log10(others * scale / max(keeps, 0.7)) : 0
        softer[channel].append(min(max(difference, 0), ChannelLimit.longestInDB))
      }
      if min(largest.other, largest.kept) >= ChannelLimit.leastLoudPeak {
        ratios.append(20 * log10(largest.other / largest.kept))
      }
    }
    note(
      .channel,
      if: silentCounts.contains { $0 > ChannelLimit.silentCount }
        || softer.contains { $0.greatestMean(of: 5) > ChannelLimit.softerInDB })
    let (high, low) = ratios.percentiles(0.9, 0.1)
    note(.dynamics, if: high - low > ChannelLimit.rangeInDB)
    // Peaks that are cut off are lower beside the same energy.
    note(.dynamics, if: !ratios.isEmpty && abs(ratios.percentile(0.5) - gainInDB) > ChannelLimit.crestInDB)
  }
}

/// How unlike two recordings may be for some windows.
struct LikenessLimit {
  /// Consecutive windows whose mean is judged.
  var windows: Int
  /// What is less alike is something else.
  var least: Float
  /// So are windows that are less alike than most, by so many times the distance of the tail from the median …
  var outlier: Float
  /// … if they are less alike than this.
  var below: Float

  /// The tail are the least alike tenth, or in long recordings so many windows: that of long ones is longer.
  private static let mostOfTail = 60
  /// Of recordings that are nearly equal everywhere, less is an outlier.
  private static let spreadOfEquals: Float = 0.02
  private static let belowOfEquals: Float = 0.9

  func isBroken(by likeness: [Float]) -> Bool {
    let means = likeness.means(of: windows)
    guard let worst = means.min() else { return false }
    let tail = min(0.1, Double(Self.mostOfTail) / Double(means.count))
    let (median, low) = means.percentiles(0.5, tail)
    let spread = median - low + 0.01
    let below = spread < Self.spreadOfEquals ? max(below, Self.belowOfEquals) : below
    return worst < least || worst < below && median - worst > outlier * spread
  }
}

extension [Float] {
  /// The value below which a share of all values lies; 0 if there are none.
  func percentile(_ share: Double) -> Float { percentiles(share, share).0 }

  /// Those of two shares, sorted once.
  func percentiles(_ first: Double, _ second: Double) -> (Float, Float) {
    guard !isEmpty else { return (0, 0) }
    let ascending = sorted()
    func value(_ share: Double) -> Float { ascending[Swift.min(Int(Double(count - 1) * share + 0.5), count - 1)] }
    return (value(first), value(second))
  }

  /// The means of all runs of so many values; one mean of all if there are fewer.
  func means(of length: Int) -> [Float] {
    guard count > length, length > 1 else {
      return length <= 1 || isEmpty ? self : [reduce(0, +) / Float(count)]
    }
    var sum = self[..<length].reduce(0.0) { $0 + Double($1) }
    var means = [Float(sum / Double(length))]
    for index in length..<count {
      sum += Double(self[index]) - Double(self[index - length])
      means.append(Float(sum / Double(length)))
    }
    return means
  }

  func greatestMean(of length: Int) -> Float { means(of: length).max() ?? 0 }
}
