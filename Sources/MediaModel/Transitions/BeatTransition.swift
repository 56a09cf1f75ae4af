/// Transitions in which the beats of two tracks fall together.
enum BeatTransition {
  private static let leastBeatCount = 16
  /// Beats at both ends are looked at in so many seconds.
  private static let window = 30.0
  private static let greatestDeviation = 0.02
  private static let farthestKey = 1
  private static let leastKeyConfidence = 0.3
  /// At the end of the overlap the beats are not further apart.
  private static let greatestDrift = 0.02
  private static let beatsPerBar = 4
  private static let mostCutOfBeginning = 2.0

  /// nil if the two do not fit each other.
  static func plan(_ first: TransitionPlanner.Track, _ second: TransitionPlanner.Track) -> Transition? {
    guard let out = first.levels, let into = second.levels, keysAgree(first.key, second.key),
      let before = first.pulse, let after = second.pulse, TransitionPlanner.trusts(before.tempo),
      TransitionPlanner.trusts(after.tempo)
    else { return nil }
    let ending = before.beats.indices.filter {
      (out.audibleEnd - window...out.audibleEnd).contains(before.beats[$0])
    }
    let beginning = after.beats.indices.filter {
      (into.audibleStart...into.audibleStart + window).contains(after.beats[$0])
    }
    guard let period = interval(before, ending), let otherPeriod = interval(after, beginning) else { return nil }
    guard let ratio = [0.5, 1, 2].map({ otherPeriod * $0 / period }).min(by: { abs($0 - 1) < abs($1 - 1) })
    else { return nil }
    let count = beatCount(first, second, period)
    let length = Double(count) * period
    guard abs(ratio - 1) * length <= greatestDrift else { return nil }
    // The bar's first beat is not known: of the four phases the one with most low onsets.
    guard
      let anchor = anchors(before, ending).min(by: {
        abs(before.beats[$0] - (out.audibleEnd - length)) < abs(before.beats[$1] - (out.audibleEnd - length))
      }),
      let start = anchors(after, beginning).first(where: {
        after.beats[$0] - into.audibleStart <= mostCutOfBeginning
      }) ?? beginning.first(where: { after.beats[$0] - into.audibleStart <= mostCutOfBeginning })
    else { return nil }
    let end = min(out.audibleEnd, before.beats[anchor] + length)
    let overlap = end - before.beats[anchor]
    guard overlap >= length / 2 else { return nil }
    return Transition(
      .beat, .beatsAgree, end: end, start: after.beats[start], overlap: overlap, fadesOut: true, fadeIn: overlap)
  }

  private static func keysAgree(_ one: KeyEstimate?, _ other: KeyEstimate?) -> Bool {
    guard let one, let other, min(one.confidence, other.confidence) >= leastKeyConfidence else { return true }
    return one.key.distance(to: other.key) <= farthestKey
  }

  /// The mean interval of some beats in seconds; nil if they are too few or not regular.
  private static func interval(_ pulse: TransitionPlanner.Pulse, _ indices: [Int]) -> Double? {
    guard indices.count >= leastBeatCount, let first = indices.first, let last = indices.last else { return nil }
    let mean = (pulse.beats[last] - pulse.beats[first]) / Double(last - first)
    let intervals = (first..<last).map { pulse.beats[$0 + 1] - pulse.beats[$0] }
    let variance = intervals.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(intervals.count)
    return variance.squareRoot() < greatestDeviation ? mean : nil
  }

  /// 16 beats; 32 if both are quiet for so long, 8 if 16 are more than a quarter of one of them.
  private static func beatCount(
    _ first: TransitionPlanner.Track, _ second: TransitionPlanner.Track, _ period: Double
  ) -> Int {
    let quiet = min(first.levels?.outro ?? 0, second.levels?.intro ?? 0)
    if quiet >= 32 * period { return 32 }
    return 16 * period <= min(first.length, second.length) / 4 ? 16 : 8
  }

  /// Every fourth of some beats, from where low onsets are strongest.
  private static func anchors(_ pulse: TransitionPlanner.Pulse, _ indices: [Int]) -> [Int] {
    func strength(_ phase: Int) -> Double {
      indices.reduce(0) { $1 % beatsPerBar == phase ? $0 + pulse.lowOnsets[$1] : $0 }
    }
    let best = (0..<beatsPerBar).max { strength($0) < strength($1) }
    return indices.filter { $0 % beatsPerBar == best }
  }
}
