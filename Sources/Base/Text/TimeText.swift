internal import Glibc

/// Durations as people read and write them.
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

  /// The seconds of a duration as in queries: `210.5`, `3:30`, `1:02:03.5`, `3m30s`; nil for anything else.
  package static func parse(_ text: String) -> Double? { NumberUnits.duration(text)?.value }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

/// Times as text: UTC in ISO 8601, to the second.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
  package var secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// `2026-04-17T20:15:00Z`; the bare number if the year does not have four digits.
  package var description: String {
    var seconds = time_t(secondsSince1970)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil, (-900...8099).contains(parts.tm_year) else { return "\(secondsSince1970)" }
    func padded(_ number: Int32, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
      + "T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
  }
}
