/// Why a file is not simply `ok`, in a form that a person can act on.
package struct Problem: Hashable, Sendable {
  /// A short, stable, machine-readable reason, such as `truncated`, `signal`, `not-audio`.
  package var code: String
  /// One sentence for people, without the file's name.
  package var reason: String
  /// Where in the audio, in seconds from its start, if that is known.
  package var positionInSeconds: Double?

  package init(code: String, reason: String, positionInSeconds: Double? = nil) {
    self.code = code
    self.reason = reason
    self.positionInSeconds = positionInSeconds
  }
}
