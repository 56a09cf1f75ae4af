package import MediaModel

/// Why a file gives no sound at all; each case is a row for the store, not a failure of the scan.
package enum DecodingError: Error, Hashable {
  /// Zero bytes, or a container without a single frame of audio.
  case empty(reason: String)
  /// Recognised as something else, or not recognised: `what` completes "not audio (…)".
  case notAudio(what: String)
  /// Audio that no decoder here takes.
  case unsupported(reason: String)
  /// The header is nonsense, or the stream broke before the first frame.
  case damaged(Problem)
  /// The operating system did not give the bytes.
  case unreadable(errorNumber: Int32, byteOffset: Int64)

  package var state: FileState {
    switch self {
    case .empty: .empty
    case .notAudio, .unsupported: .unsupported
    case .damaged: .damaged
    case .unreadable: .unreadable
    }
  }

  package var problem: Problem {
    switch self {
    case .empty(let reason): Problem(code: "empty", reason: reason)
    case .notAudio(let what): Problem(code: "not-audio", reason: "not audio (\(what))")
    case .unsupported(let reason): Problem(code: "unsupported-codec", reason: reason)
    case .damaged(let problem): problem
    case .unreadable(let number, let offset):
      Problem(code: "read-error", reason: "the system reports error \(number) when reading byte \(offset)")
    }
  }

  /// A part without which the container has no sound.
  static func missing(_ part: String, in container: Container) -> DecodingError {
    .damaged(Problem(code: "malformed", reason: "no \(part) in \(container.displayName)"))
  }

  /// A header that cannot be, with the field named.
  static func impossibleHeader(_ reason: String) -> DecodingError {
    .damaged(Problem(code: "impossible-header", reason: reason))
  }
}
