internal import AudioDecoding
package import MediaModel
package import TagEditing

/// The conversation between the parent and one worker: length-prefixed messages on a socket pair.
///
/// A message is a `u32` length (of what follows), a `u8` kind and its contents; numbers are little-endian. The worker
/// is not trusted: every length is bounded, and a message that cannot be parsed ends the worker.
package enum WorkerProtocol {
  /// Raised whenever a message changes its meaning; a worker of another version is refused.
  package static let version: UInt32 = 12
  /// The longest message; a worker that needs more counts as crashed.
  ///
  /// Products take at most 64 MiB, see ``ProductCoarseness``.
  package static let maximumMessageByteCount = 80 << 20
  /// Of one file; a worker does not keep more.
  static let maximumPictureCount = TagLimits.maximumPictureCount
  static let maximumPictureByteCount = TagLimits.maximumPictureByteCount
  /// Of a picture that is made smaller, which may lie beside the files.
  static let maximumCoverByteCount = max(maximumPictureByteCount, CoverFile.largestByteCount)
}

/// What the parent asks of a worker.
package enum WorkerRequest: Hashable, Sendable {
  /// Inspect the file whose descriptor travels with this message.
  case inspect(byteCount: Int64, pathExtension: String, limits: InspectionLimits)
  /// The answer to ``WorkerMessage/identified(_:)``: make these products, none for tags only.
  ///
  /// - Parameter verifies: whether to compare the checksum of the decoded audio that the file has, such as FLAC's MD5.
  case analyse(kinds: Set<ProductKind>, verifies: Bool)
  /// Open the file whose descriptor travels with this message, for requests of samples.
  ///
  /// Positions in a damaged file are found by counting frames.
  case open(byteCount: Int64, isDamaged: Bool, hashesStream: Bool)
  /// Decode a range of the file that was opened, at most as many frames as a segment has.
  case samples(Range<Int64>)
  /// Between the answers, decode what is before later places, if the codec makes that necessary. There is no answer.
  case lookAhead
  /// Make the picture whose descriptor travels with this message smaller.
  case reduce(byteCount: Int64, longestSide: Int)
  /// Find out how the tags of the file whose descriptor travels with this message have to be changed.
  case planEdit(byteCount: Int64, TagEdit)
}

/// What a worker answers.
package enum WorkerMessage: Hashable, Sendable {
  /// The first message of all: the worker is confined and ready.
  case ready(version: UInt32, WorkerStatus)
  /// Which stream it holds; the worker waits for ``WorkerRequest/analyse(kinds:verifies:)``.
  case identified(StreamIdentity)
  /// A sign of life, with the seconds of audio decoded so far.
  case progress(decodedSeconds: Double)
  case artwork(Artwork)
  case product(Product)
  /// The answer to ``WorkerRequest/open(byteCount:isDamaged:hashesStream:)``; ``finished(_:)`` if there is no audio.
  case opened(DecodedShape)
  /// The answer to ``WorkerRequest/samples(_:)``: interleaved, finite, fewer only if the recording ends;
  /// ``finished(_:)`` if it cannot be read any more.
  case samples([Float])
  /// The answer to ``WorkerRequest/reduce(byteCount:longestSide:)``.
  case reduced(ReducedPictureAnswer)
  /// The answer to ``WorkerRequest/planEdit(byteCount:_:)``.
  case planned(EditAnswer)
  /// The last message about a file: everything that is not in the messages before it.
  case finished(Extraction)
}

/// What an opened file decodes to.
package struct DecodedShape: Hashable, Sendable {
  package var format: AudioFormat
  /// Frames of the encoder that the decoder drops.
  package var delayFrameCount: Int?
  package var paddingFrameCount: Int?
  /// nil if it was not requested.
  package var stream: StreamIdentity?

  package init(
    format: AudioFormat, delayFrameCount: Int? = nil, paddingFrameCount: Int? = nil, stream: StreamIdentity? = nil
  ) {
    self.format = format
    self.delayFrameCount = delayFrameCount
    self.paddingFrameCount = paddingFrameCount
    self.stream = stream
  }
}

/// How the tags of a file have to be changed, or why they are not.
package enum EditAnswer: Hashable, Sendable {
  case plan(ReversiblePlan)
  /// - Parameters:
  ///   - code: of ``TagEditRefusal``.
  ///   - property: the only one that is to blame; nil if it is not one alone.
  case refused(code: String, reason: String, property: String? = nil)
}

/// What becomes of a picture that shall be smaller.
package enum ReducedPictureAnswer: Hashable, Sendable {
  /// JPEG.
  case reduced([UInt8])
  /// It is not larger than was asked for.
  case unchanged
  /// Why it cannot be decoded.
  case unreadable(reason: String)
  /// Why nobody tried: its format has no decoder here, although others may show it.
  case undecoded(reason: String)
}

/// Limits of what one file may use.
package struct InspectionLimits: Hashable, Sendable {
  /// Seconds of audio after which a file is `oversize`.
  package var maximumDurationInSeconds: Double
  /// Seconds of processor time for one file.
  package var maximumCPUSeconds: UInt64
  /// How often the worker shows that it is alive; ``WorkerPool`` makes it shorter than its deadline.
  package var signIntervalInSeconds: Double

  package init(
    maximumDurationInSeconds: Double = 48 * 3600, maximumCPUSeconds: UInt64 = 1800,
    signIntervalInSeconds: Double = 0.5
  ) {
    self.maximumDurationInSeconds = maximumDurationInSeconds
    self.maximumCPUSeconds = maximumCPUSeconds
    self.signIntervalInSeconds = signIntervalInSeconds
  }
}

/// What a worker reports about itself.
package struct WorkerStatus: Hashable, Sendable {
  package var sandbox: SandboxStatus
  /// Such as "1.5.1"; nil if Chromaprint is not installed, or the worker was told not to load it.
  package var chromaprintVersion: String?

  package init(sandbox: SandboxStatus, chromaprintVersion: String? = nil) {
    self.sandbox = sandbox
    self.chromaprintVersion = chromaprintVersion
  }

  /// Whether a product of this kind can be made.
  package func makes(_ kind: ProductKind) -> Bool { kind != .fingerprint || chromaprintVersion != nil }
}

/// How well a worker is confined: what it tried and did not get.
package struct SandboxStatus: Hashable, Sendable {
  /// What a worker may have, unless who started it allows less.
  static let addressSpaceByteCount: UInt64 = 2 << 30

  /// The version of Landlock that is in force; 0 if the kernel has none, or it did not refuse what was tried.
  package var landlockVersion: Int
  /// Whether an attempt to open a file after the confinement was refused, by either layer.
  package var opensAreRefused: Bool
  /// Whether the filter of system calls (seccomp) is in force.
  package var callsAreFiltered: Bool

  package init(landlockVersion: Int, opensAreRefused: Bool, callsAreFiltered: Bool = false) {
    self.landlockVersion = landlockVersion
    self.opensAreRefused = opensAreRefused
    self.callsAreFiltered = callsAreFiltered
  }
}
