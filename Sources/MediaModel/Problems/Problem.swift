/// Why a file is not `ok`, in terms that a person can act on.
package struct Problem: Hashable, Sendable {
  /// A short, stable, machine-readable reason, such as `truncated`, `signal`, `not-audio`.
  package var code: String
  /// One sentence for people, without the file's name.
  package var reason: String
  /// The position in seconds from the start of the recording, if known.
  package var positionInSeconds: Double?

  package init(code: String, reason: String, positionInSeconds: Double? = nil) {
    self.code = code
    self.reason = reason
    self.positionInSeconds = positionInSeconds
  }
}

extension Problem {
  /// The numbers of frames have a gap.
  package static let missingFramesCode = "missing-frames"
  /// A library that would decode the file is not installed.
  package static let missingLibraryCode = "missing-library"
  /// A folder could not be read, so that files in it may be unknown.
  package static let unreadableFolderCode = "unreadable-folder"

  /// Less audio than the header promised.
  package static func truncated(frameCount: Int64, declaredFrameCount: Int64, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "truncated", reason: "truncated: \(frameCount) of \(declaredFrameCount) frames",
      positionInSeconds: Double(frameCount) / Double(max(1, sampleRateInHz)))
  }

  /// More audio than the header promised.
  package static func longerThanHeader(frameCount: Int64, declaredFrameCount: Int64, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "longer-than-header",
      reason: "stream longer than header: \(frameCount) frames instead of \(declaredFrameCount)",
      positionInSeconds: Double(declaredFrameCount) / Double(max(1, sampleRateInHz)))
  }
}
