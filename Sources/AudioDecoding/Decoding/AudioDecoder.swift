package import MediaModel

/// A file's audio as a stream of interleaved floats that can be positioned to a frame.
///
/// A decoder reads through the descriptor it was made with, at offsets of its own. It does not use the descriptor's
/// position, and the descriptor must stay open as long as the decoder lives. One thread at a time.
package protocol AudioDecoder: AnyObject {
  /// The format of what ``read(into:)`` gives, the same from the first to the last frame.
  var format: AudioFormat { get }

  /// What is known so far; `decodedFrameCount` is final once ``read(into:)`` has returned 0.
  var mediaFormat: MediaFormat { get }

  /// What this file's own headers and positions contradict; nil if nothing. Known when the decoder is made, except for
  /// a checksum of the decoded audio.
  var ownProblem: Problem? { get }

  /// Whether the checksum of the samples that the file has, such as FLAC's MD5, was compared and agrees; known once
  /// ``read(into:)`` has returned 0.
  var hasMatchingChecksum: Bool { get }

  /// What decoding the packets showed so far, which is the same for every file that holds them; final once
  /// ``read(into:)`` has returned 0.
  ///
  /// It has a hash of the samples only if they were wanted, and all of a lossless stream was decoded in one go.
  var decodedStream: DecodedStream { get }

  /// ``ownProblem`` and ``decodedStream`` together, judged by ``Extraction/judge(by:frameCount:)``; final once
  /// ``read(into:)`` has returned 0.
  var outcome: DecodingOutcome { get }

  /// Fills `samples` from its start with as many whole frames as fit; with fewer only at the end.
  ///
  /// All samples are finite, and the same wherever blocks are cut.
  ///
  /// - Returns: the number of frames; from the end on 0.
  func read(into samples: inout MutableSpan<Float>) throws(DecodingError) -> Int

  /// Makes `frame` the next one to be read: what follows is bit-identical to a decode from the start. A frame after the
  /// end means the end.
  ///
  /// What has to be decoded for it depends on the codec (docs/decisions/0012): nothing or a few frames for most, and
  /// for Opus everything since the nearest position whose state was kept, at first since the start.
  ///
  /// - Parameter onProgress: called for every block that is decoded to get there, as a sign of life.
  func seek(toFrame frame: Int64, onProgress: () -> Void) throws(DecodingError)

  /// Does a part of the work, some 100 ms at most, that makes later calls of ``seek(toFrame:onProgress:)`` fast where
  /// they have to decode what is before. What is read next stays the same.
  ///
  /// - Returns: whether more can be done.
  func lookAhead() throws(DecodingError) -> Bool
}

extension AudioDecoder {
  package func seek(toFrame frame: Int64) throws(DecodingError) { try seek(toFrame: frame, onProgress: {}) }
}

/// How a decoder finds a frame.
package enum SeekingMethod: Hashable, Sendable {
  /// By the positions that the file itself gives.
  case byPosition
  /// By decoding and counting from the start: also exact in damaged files, whose positions are wrong after the damage.
  case byCounting
}

/// The result of a decode; final once ``AudioDecoder/read(into:)`` has returned 0.
package struct DecodingOutcome: Hashable, Sendable {
  /// `ok`, `damaged` or `empty`.
  package var state: FileState
  /// The first thing that was wrong; nil if and only if `state` is `ok`.
  package var problem: Problem?
  /// Remarks that do not change the state, such as `header-lies`.
  package var notes: [String]
  /// Samples that were NaN or infinite, and were replaced by 0.
  package var nonFiniteSampleCount: Int

  package init(state: FileState, problem: Problem?, notes: [String], nonFiniteSampleCount: Int) {
    self.state = state
    self.problem = problem
    self.notes = notes
    self.nonFiniteSampleCount = nonFiniteSampleCount
  }
}
