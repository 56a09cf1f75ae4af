/// Everything that was found out about the content of a file. A bad file is data for the library, not a failed scan.
package struct Extraction: Hashable, Sendable {
  package var state: FileState
  /// Why `state` is not `ok`.
  package var problem: Problem?
  /// Remarks that do not change the state, such as `extension-mismatch` or `header-lies`.
  package var notes: [String]
  package var format: MediaFormat?
  /// The hash of the stream, without tags and headers; nil if the file could not be read.
  package var streamHash: ContentHash?
  package var streamByteCount: Int64?
  package var tags: Tags
  package var artwork: [Artwork]
  package var measures: Measures?
  /// Empty if no analysis was requested or possible.
  package var products: [Product]

  package init(
    state: FileState,
    problem: Problem? = nil,
    notes: [String] = [],
    format: MediaFormat? = nil,
    streamHash: ContentHash? = nil,
    streamByteCount: Int64? = nil,
    tags: Tags = Tags(),
    artwork: [Artwork] = [],
    measures: Measures? = nil,
    products: [Product] = []
  ) {
    self.state = state
    self.problem = problem
    self.notes = notes
    self.format = format
    self.streamHash = streamHash
    self.streamByteCount = streamByteCount
    self.tags = tags
    self.artwork = artwork
    self.measures = measures
    self.products = products
  }
}

/// The result of the last attempt to read a file.
package enum FileState: String, CaseIterable, Sendable {
  /// Decoded to the end, with the length that the header declares.
  case ok
  /// Something was decoded, but less than declared, or the header contradicts itself.
  case damaged
  /// Zero bytes, or a container without a single frame of audio.
  case empty
  /// Not audio, or in a format without a decoder; tags are kept.
  case unsupported
  /// The file system refused to read it; the next scan tries again.
  case unreadable
  /// A worker made no progress before its deadline.
  case timeout
  /// A worker died or violated the protocol.
  case crashed
  /// Longer or larger than the limits allow.
  case oversize
  /// Changed while it was read; the next scan reads it again.
  case pending
  /// No longer in its folder; everything about its recording is kept.
  case missing
}

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
