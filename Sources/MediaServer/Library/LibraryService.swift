internal import Base
package import DecodingService
internal import MediaRendering
internal import MediaStore

/// What the routes work with: the library, its decoded sound, and what is known of recent queries.
package final class LibraryService: Sendable {
  let library: LibraryAccess
  let cache: SegmentCache
  let decoders: DecoderPool
  let results = ResultLists()
  let events = EventHub()
  let token: AccessToken?

  /// - Parameters:
  ///   - decoderLimit: How many worker processes may decode at once.
  ///   - token: What clients must know; nil if everybody may come.
  package init(_ library: LibraryAccess, cache: SegmentCache, decoderLimit: Int, token: AccessToken? = nil) {
    self.library = library
    self.cache = cache
    self.token = token
    decoders = DecoderPool(limit: decoderLimit)
  }

  /// The sound of a track, through the workers of this server.
  func source(of track: TrackReference) -> RecordingSource {
    RecordingSource(track, cache: cache) { [decoders] file, track throws(SegmentReadingError) in
      try decoders.open(file, of: track)
    }
  }
}
