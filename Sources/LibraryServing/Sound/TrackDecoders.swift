package import DecodingService
package import HTTPServing
package import LibraryTracks
package import MediaRendering
import MediaStore

/// The decoded sound of a library for many clients: worker processes, what they have decoded, and how many may encode.
package final class TrackDecoders: Sendable {
  private let cache: SegmentCache
  /// For short requests, of listeners who jump.
  private let short: DecoderPool
  /// For streams, which keep a decoder as long as somebody listens, and for what reads whole tracks.
  private let long: DecoderPool
  private let streams: InFlightLimiter

  /// - Parameters:
  ///   - limit: How many worker processes may decode at once.
  ///   - streamLimit: How many sound files may be encoded for clients at once.
  package init(_ cache: SegmentCache, limit: Int, streamLimit: Int) {
    self.cache = cache
    short = DecoderPool(limit: limit, takesTurns: true)
    long = DecoderPool(limit: streamLimit)
    streams = InFlightLimiter(capacity: streamLimit, ofClient: streamLimit - streamLimit / 4)
  }

  /// The sound of a track, of which a short part is read.
  package func source(of track: TrackReference) -> RecordingSource { source(of: track, through: short) }

  /// The same for a stream, or for whatever else reads a whole track.
  package func streamSource(of track: TrackReference) -> RecordingSource { source(of: track, through: long) }

  private func source(of track: TrackReference, through pool: DecoderPool) -> RecordingSource {
    RecordingSource(track, cache: cache) { file, track throws(SegmentReadingError) in try pool.open(file, of: track) }
  }

  /// A place among the sound files that are encoded at once, until it is released.
  ///
  /// - Throws: ``HTTPProblem`` if there is none.
  package func streamPlace(for client: Client) throws(HTTPProblem) -> InFlightLimiter.Share {
    guard let place = streams.share(of: 1, for: client) else {
      throw HTTPProblem(
        503, "too many tracks are being encoded, in total or for this client; try again",
        headers: [("Retry-After", "5")])
    }
    return place
  }

  // MARK: - Workers

  /// Ends the workers that were not used for some seconds.
  package func endIdle(afterSeconds seconds: Double) {
    for pool in [short, long] { pool.endIdle(afterSeconds: seconds) }
  }

  /// Lets one worker wait for the next file: its first sound then needs no new process.
  package func keepOneWaiting() { short.keepOneWaiting() }

  /// Ends the worker that waits.
  package func endWaiting() { short.endWaiting() }
}
