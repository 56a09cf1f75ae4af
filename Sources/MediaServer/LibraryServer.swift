package import Base
package import DecodingService
package import HTTPServing
package import LibraryServing
internal import MediaPlaying
internal import OpenSubsonic
package import Scrobbling
package import WebAPI

/// Serves a library until it is stopped: the page, the API and OpenSubsonic. Everything that they share is made here, once.
package final class LibraryServer: Sendable {
  let library: LibraryAccess
  let events = EventHub()
  let scans: ScanControl
  let decoders: TrackDecoders
  let browsing: BrowseIndexHolder
  let api: LibraryAPI
  let subsonic: SubsonicServer
  let queues: WorkQueues
  let mounts: [Mount]
  private let thumbnails: ThumbnailCache
  private let jukebox: Jukebox
  private let accounts: AccountFile?
  private let scrobbler: Scrobbler?

  /// - Parameters:
  ///   - cache: Of decoded sound.
  ///   - decoderLimit: How many worker processes may decode at once.
  ///   - streamLimit: How many sound files may be encoded for clients at once.
  ///   - scanWorkers: Of the scans that clients start.
  ///   - access: Who may call what.
  ///   - origins: Of other sites whose pages may read the API, as ``AllowedOrigins/origin(_:)`` writes them.
  ///   - names: Under which browsers may come, in lower case, besides `localhost` and addresses.
  ///   - accounts: The passwords of players; nil if there can be none.
  ///   - sessions: Of browsers in which people have signed in; nil if there can be none.
  ///   - device: On which players may play, by ALSA's name.
  ///   - scrobbler: Tells ListenBrainz what is heard; nil if there can be no passwords, and so no tokens.
  ///   - pictures: Covers in the sizes that clients asked for.
  ///   - mayWriteMusic: Whether the owner may write music files from the page.
  ///   - browsableFolders: In which the owner can look for music from the page.
  ///   - pageFolder: A folder with the files of the page, instead of those in the program.
  package init(
    _ library: LibraryAccess, cache: SegmentCache, decoderLimit: Int, streamLimit: Int = 8,
    scanWorkers: WorkerPool.Configuration, access: AccessPolicy = AccessPolicy(), origins: Set<String> = [],
    names: Set<String> = [],
    accounts: AccountFile? = nil, sessions: SessionFile? = nil, device: String = "default", scrobbler: Scrobbler? = nil,
    pictures: PictureCache = PictureCache(), mayWriteMusic: Bool = false, browsableFolders: [BytePath] = [],
    pageFolder: BytePath? = nil
  ) {
    self.library = library
    self.accounts = accounts
    self.scrobbler = scrobbler
    scans = ScanControl(library, workers: scanWorkers, events: events)
    decoders = TrackDecoders(cache, limit: decoderLimit, streamLimit: streamLimit)
    browsing = BrowseIndexHolder(library)
    jukebox = Jukebox(library, cache: cache) { try DeviceSink(device) }
    queues = WorkQueues(decodingWidth: decoderLimit)
    let files = ServableFiles(library)
    thumbnails = ThumbnailCache(pictures)
    let covers = CoverPictures(library, pictures, thumbnails)
    let similarity = SimilarityCache(library)
    let plays = PlayReports(library, scrobbler)
    let logins = LoginRateLimiter()
    api = LibraryAPI(
      library, access: access, sessions: sessions, logins: logins, scans: scans, events: events, decoders: decoders,
      files: files, covers: covers,
      similarity: similarity, plays: plays, mayWriteMusic: mayWriteMusic,
      folders: BrowsableFolders(browsableFolders))
    subsonic = SubsonicServer(
      library, accounts: accounts, logins: logins, browsing: browsing, scans: scans, decoders: decoders, files: files,
      covers: covers,
      similarity: similarity, jukebox: jukebox, plays: plays)
    mounts = [
      Mount(
        subsonic.behind(CrossOriginAccess(methods: "GET, POST")), readingAnyAddress: true, takes: subsonic.takes),
      Mount(
        LibraryAPI.prefix,
        api.behind(HiddenPaths(library)).behind(RequestGuard(names: names, isPage: false))
          .behind(AllowedOrigins(origins))),
      Mount("", PageFiles.application(in: pageFolder).behind(RequestGuard(names: names, isPage: true))),
    ]
  }

  /// Serves until the signal arrives, then returns within three seconds whatever is open; the process must end then.
  ///
  /// - Parameter onStart: Called with the port once connections are accepted.
  /// - Throws: ``ServerError``.
  package func run(
    _ options: ServerOptions, until stop: StopSignal, onStart: (Int) throws -> Void
  ) throws {
    let watcher = LibraryWatcher(library, events, decoders, thumbnails)
    let watching = Task { [queue = queues.reading] in await watcher.watch(queue) }
    defer { watching.cancel() }
    prepareBrowseIndex()
    scrobbler?.start()
    try HTTPServer(mounts, queues: queues, options: options).run(until: stop, onStart: onStart) {
      events.close()
      jukebox.stop()
      api.stop()
      scrobbler?.stop()
    }
    library.close()
  }

  /// Makes what players browse before the first one asks, if there are any.
  private func prepareBrowseIndex() {
    Task { [browsing, accounts, queue = queues.reading] in
      try? await queue.run(for: .owner) {
        guard let accounts = try accounts?.accounts(), !accounts.all.isEmpty else { return }
        _ = try browsing.current()
      }
    }
  }
}
