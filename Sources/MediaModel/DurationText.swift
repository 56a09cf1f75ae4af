/// Lengths of time for people.
package enum DurationText {
  /// `M:SS`, or `H:MM:SS` from one hour on, to the nearest second.
  package static func clock(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    let whole = Int(min(max(seconds, 0), 1e12).rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
  }

  /// Seconds with one decimal place: `12.3 s`.
  package static func seconds(_ seconds: Double) -> String {
    guard seconds.isFinite else { return "–" }
    let tenths = Int((min(max(seconds, 0), 1e12) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// Seconds of what queries take for a duration: `210.5`, `3:30`, `1:02:03.5`, `3m30s`; nil for anything else.
  package static func parse(_ text: String) -> Double? { QueryUnits.duration(text)?.value }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
