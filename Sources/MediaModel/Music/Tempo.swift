internal import Base
internal import Glibc

/// How fast a recording is.
package struct Tempo: Hashable, Sendable {
  package var beatsPerMinute: Double
  /// How far it is ahead of the next best tempo: 0 as good, 1 the only one.
  package var confidence: Double
  /// The share of the recording that agrees, at this tempo or a simple multiple of it: `0...1`.
  package var stability: Double

  package init(beatsPerMinute: Double, confidence: Double, stability: Double) {
    self.beatsPerMinute = beatsPerMinute
    self.confidence = confidence
    self.stability = stability
  }

  /// What counts as a tempo in a tag; other numbers are mistakes, such as 0 or 12,800.
  package static let plausibleRange: ClosedRange<Double> = 20...400

  /// The tempo that a `BPM` tag gives; nil if it gives none.
  package static func inTag(_ text: String) -> Double? {
    let number = DecimalText.parse(String(text.withoutBlankEnds.map { $0 == "," ? "." : $0 }))
    return number.flatMap { plausibleRange.contains($0) ? $0 : nil }
  }
}

/// The tempi that a listener counts in: a rhythm of 70 beats a minute is also one of 140.
package struct TempoRange: Hashable, Sendable {
  package let lowest: Double
  package let highest: Double

  /// nil unless both are plausible and the range has at least one multiple of each tempo.
  package init?(_ lowest: Double, _ highest: Double) {
    guard Tempo.plausibleRange.contains(lowest), Tempo.plausibleRange.contains(highest), highest >= 1.98 * lowest
    else { return nil }
    self.lowest = lowest
    self.highest = highest
  }

  /// Reads `88-175`.
  package init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { DecimalText.parse(String($0)) }
    guard parts.count == 2, let lowest = parts[0], let highest = parts[1] else { return nil }
    self.init(lowest, highest)
  }

  package var description: String { "\(Self.text(lowest))-\(Self.text(highest))" }

  private static func text(_ number: Double) -> String { number == number.rounded() ? "\(Int(number))" : "\(number)" }

  /// A tempo, doubled or halved until it is in the range.
  package func moved(_ beatsPerMinute: Double) -> Double {
    guard beatsPerMinute > 0, beatsPerMinute.isFinite else { return beatsPerMinute }
    var result = beatsPerMinute
    while result < lowest { result *= 2 }
    while result > highest, result / 2 >= lowest { result /= 2 }
    return result
  }
}

extension RhythmSummary {
  /// Tempi that people tap most: a normal distribution of the logarithm around 120, whose deviation is 0.7 octaves.
  ///
  /// Source: M. McKinney and D. Moelants, Ambiguity in Tempo Perception (2006), made wider by measurement
  /// (docs/sound-search.md).
  private static func habit(_ beatsPerMinute: Double) -> Double {
    let octaves = log2(beatsPerMinute / 120) / 0.7
    return exp(-octaves * octaves / 2)
  }

  /// The tempo of the recording; nil if nothing repeats.
  ///
  /// - Parameter range: where it is to be; nil for where people usually tap.
  package func tempo(in range: TempoRange? = nil) -> Tempo? {
    struct Choice {
      var beatsPerMinute: Double
      var score: Double
    }
    let choices = candidates.map { candidate in
      let own = Double(candidate.beatsPerMinute)
      let moved = range?.moved(own) ?? own
      // A candidate that must be moved is worth less than one that is there by itself.
      let moves = abs(log2(moved / own))
      return Choice(beatsPerMinute: moved, score: Double(candidate.strength) * Self.habit(moved) * exp(-moves / 2))
    }
    guard let best = choices.max(by: { $0.score < $1.score }), best.score > 0 else { return nil }
    let others = choices.filter { abs($0.beatsPerMinute / best.beatsPerMinute - 1) > 0.04 }
    let next = others.map(\.score).max() ?? 0
    return Tempo(
      beatsPerMinute: best.beatsPerMinute, confidence: 1 - next / best.score, stability: Double(stability))
  }
}
