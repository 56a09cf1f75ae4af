internal import Base
package import DecodingService
internal import MediaModel
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore

/// What the routes work with: the library, its decoded sound, and what is known of recent queries.
package final class LibraryService: Sendable {
  let library: LibraryAccess
  let cache: SegmentCache
  let decoders: DecoderPool
  /// For streams, which keep a decoder as long as somebody listens, and for what reads whole tracks.
  let streamDecoders: DecoderPool
  private let streams: InFlightLimiter
  let results = ResultLists()
  let sums = CountCache()
  let files = ServableFiles()
  let waveforms = RecentWaveforms()
  let events = EventHub()
  let access: AccessPolicy
  let scans: ScanControl
  /// The passwords of clients of OpenSubsonic; nil if there can be none.
  let accounts: AccountFile?
  let guesses = LoginRateLimiter()
  let browsing: BrowseIndexHolder
  let nowPlaying = NowPlaying()
  let sounds: SimilarityCache
  let pictures = ThumbnailCache()
  let jukebox: Jukebox
  /// nil if there can be no passwords, and so no tokens.
  let scrobbler: Scrobbler?

  /// - Parameters:
  ///   - decoderLimit: How many worker processes may decode at once.
  ///   - streamLimit: How many sound files may be encoded for clients at once.
  ///   - scanWorkers: Of the scans that clients start.
  ///   - access: Who may call what.
  ///   - accounts: The passwords of other clients.
  ///   - device: On which clients may play, by ALSA's name.
  ///   - scrobbler: Tells ListenBrainz what is heard.
  package init(
    _ library: LibraryAccess, cache: SegmentCache, decoderLimit: Int, streamLimit: Int = 8,
    scanWorkers: WorkerPool.Configuration, access: AccessPolicy = AccessPolicy(), accounts: AccountFile? = nil,
    device: String = "default", scrobbler: Scrobbler? = nil
  ) {
    self.library = library
    self.cache = cache
    self.access = access
    self.accounts = accounts
    self.scrobbler = scrobbler
    browsing = BrowseIndexHolder(library)
    sounds = SimilarityCache(library)
    jukebox = Jukebox(library, cache: cache) { try DeviceSink(device) }
    decoders = DecoderPool(limit: decoderLimit, takesTurns: true)
    streamDecoders = DecoderPool(limit: streamLimit)
    streams = InFlightLimiter(capacity: streamLimit, ofClient: streamLimit - streamLimit / 4)
    scans = ScanControl(library, workers: scanWorkers, events: events)
  }

  /// Tells ListenBrainz what somebody has heard, with the start of each song in seconds since 1970.
  func tellListenBrainz(of heard: [(song: Song, startedAt: Int64)], by listener: Listener, player: String?) {
    scrobbler?.note(heard, by: listener, player: player, tags: tags)
  }

  /// Tells it what somebody hears now.
  func tellListenBrainz(ofPlaying song: Song, by listener: Listener, player: String?) {
    scrobbler?.note(playing: song, by: listener, player: player, tags: tags)
  }

  private func tags(of song: Song) throws -> Tags { try library.reading { try $0.tags(ofFile: song.fileID) } }

  /// The sound of a track, through the workers of this server.
  func source(of track: TrackReference) -> RecordingSource { source(of: track, through: decoders) }

  /// The same for a stream, or for whatever else reads a whole track.
  func streamSource(of track: TrackReference) -> RecordingSource { source(of: track, through: streamDecoders) }

  private func source(of track: TrackReference, through pool: DecoderPool) -> RecordingSource {
    RecordingSource(track, cache: cache) { file, track throws(SegmentReadingError) in try pool.open(file, of: track) }
  }

  /// A place among the sound files that are encoded at once, until it is released.
  ///
  /// - Throws: ``Problem`` if there is none.
  func streamPlace(for client: Client) throws(Problem) -> InFlightLimiter.Share {
    guard let place = streams.share(of: 1, for: client) else {
      throw Problem(
        503, "\(streamDecoders.limit) tracks are being encoded already; try again", headers: [("Retry-After", "5")])
    }
    return place
  }
}
