internal import Base

/// Texts as lists for clients have them: a file can have tags of megabytes, and a list thousands of rows.
package enum ShownText {
  package static let largestByteCount = 2_000

  /// More characters than have room in as many bytes, so that what is cut is seen.
  package static func sql(_ column: String) -> String { "substr(\(column), 1, \(largestByteCount + 1))" }

  /// What is cut off has "…" in its place.
  package static func cut(_ text: String) -> String { text.cut(toByteCount: largestByteCount) }
}
