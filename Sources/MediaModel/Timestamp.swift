internal import Glibc

/// A second in time, as text: UTC in ISO 8601.
package struct Timestamp: Hashable, Sendable, CustomStringConvertible {
  package var secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// `2026-04-17T20:15:00Z`; the bare number where the year has no four digits.
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
