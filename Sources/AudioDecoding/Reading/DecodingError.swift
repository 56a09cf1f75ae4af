package import MediaModel

/// Why a file cannot be decoded at all; each case becomes a row in the library, not a failure of the scan.
package enum DecodingError: Error, Hashable {
  /// Zero bytes, or a container without a single frame of audio.
  case empty(reason: String)
  /// Recognised as something else, or not recognised; `what` completes "not audio (…)".
  case notAudio(what: String)
  /// Audio for which there is no decoder here.
  case unsupported(reason: String)
  /// Audio whose decoder is in a library that is not installed.
  case missingLibrary(reason: String)
  /// The header makes no sense, or the stream is broken before the first frame.
  case damaged(Problem)
  /// The operating system could not read the bytes.
  case unreadable(errorNumber: Int32, byteOffset: Int64)

  package var state: FileState {
    switch self {
    case .empty: .empty
    case .notAudio, .unsupported, .missingLibrary: .unsupported
    case .damaged: .damaged
    case .unreadable: .unreadable
    }
  }

  package var problem: Problem {
    switch self {
    case .empty(let reason): Problem(code: "empty", reason: reason)
    case .notAudio(let what): Problem(code: "not-audio", reason: "not audio (\(what))")
    case .unsupported(let reason): Problem(code: "unsupported-codec", reason: reason)
    case .missingLibrary(let reason): Problem(code: Problem.missingLibraryCode, reason: reason)
    case .damaged(let problem): problem
    case .unreadable(let number, let offset):
      Problem(code: "read-error", reason: "the system reports error \(number) when reading byte \(offset)")
    }
  }

  /// Throws what `load` of a library has returned.
  static func check(loading problem: UnsafePointer<CChar>?) throws(DecodingError) {
    if let problem { throw .unsupported(reason: String(cString: problem)) }
  }

  /// A part that the container needs to hold audio.
  static func missing(_ part: String, in container: Container) -> DecodingError {
    .damaged(Problem(code: "malformed", reason: "no \(part) in \(container.displayName)"))
  }

  /// An impossible header; the reason names the field.
  static func impossibleHeader(_ reason: String) -> DecodingError {
    .damaged(Problem(code: "impossible-header", reason: reason))
  }
}

extension Problem {
  /// The start was decoded; what follows has another sample rate or number of channels.
  static func parametersChange(atFrame frame: Int64, to description: String, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "parameters-change", reason: "parameters change at frame \(frame) (to \(description))",
      positionInSeconds: Double(frame) / Double(max(1, sampleRateInHz)))
  }
}

extension AudioFormat {
  static let highestSampleRateInHz = 384_000
  static let highestChannelCount = 64

  /// A format from a header, whose numbers are not trusted.
  static func checked(
    sampleRateInHz: Int, channelCount: Int, sampleEncoding: SampleEncoding, channelOrder: ChannelOrder = .standard,
    channelMask: UInt32? = nil
  ) throws(DecodingError) -> AudioFormat {
    guard (1...8 * highestSampleRateInHz).contains(sampleRateInHz) else {
      throw .impossibleHeader("the header gives a sample rate of \(sampleRateInHz) Hz")
    }
    guard (1...1024).contains(channelCount) else {
      throw .impossibleHeader("the header gives \(channelCount) channels")
    }
    guard sampleRateInHz <= highestSampleRateInHz else {
      throw .unsupported(reason: "sample rate \(sampleRateInHz) Hz is above \(highestSampleRateInHz) Hz")
    }
    guard channelCount <= highestChannelCount else {
      throw .unsupported(reason: "\(channelCount) channels are more than \(highestChannelCount)")
    }
    return AudioFormat(
      sampleRateInHz: sampleRateInHz, channelCount: channelCount, sampleEncoding: sampleEncoding,
      channelOrder: channelOrder, channelMask: channelMask)
  }

  /// Such as "44100 Hz, 2 channels".
  var shape: String { Self.shape(sampleRateInHz: sampleRateInHz, channelCount: channelCount) }

  static func shape(sampleRateInHz: Int, channelCount: Int) -> String {
    "\(sampleRateInHz) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels")"
  }
}
