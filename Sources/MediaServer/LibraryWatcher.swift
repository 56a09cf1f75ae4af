internal import Base
internal import CHeap
internal import DecodingService
internal import HTTPServing
internal import LibraryServing
internal import MediaStore

/// Notices changes of the library by anybody, ends workers that nobody needs any more, gives memory back, and lets a worker
/// wait while a page is open.
struct LibraryWatcher {
  private let library: LibraryAccess
  private let events: EventHub
  private let decoders: TrackDecoders
  private let thumbnails: ThumbnailCache
  /// Half a minute.
  private static let looksPerTrim = 60

  init(_ library: LibraryAccess, _ events: EventHub, _ decoders: TrackDecoders, _ thumbnails: ThumbnailCache) {
    self.library = library
    self.events = events
    self.decoders = decoders
    self.thumbnails = thumbnails
  }

  /// Looks twice a second while somebody listens.
  func watch(_ queue: WorkQueue) async {
    var known: String?
    var lookCount = 0
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      decoders.endIdle(afterSeconds: 20)
      thumbnails.endIdle(afterSeconds: 20)
      lookCount += 1
      if lookCount.isMultiple(of: Self.looksPerTrim) { ServerMemory.trim() }
      guard events.clientCount > 0 else {
        known = nil
        decoders.endWaiting()
        continue
      }
      let (library, decoders) = (library, decoders)
      // A password can be revoked by another process.
      try? await queue.run(for: .owner) { [events] in events.endForbidden() }
      try? await queue.run(for: .owner) { decoders.keepOneWaiting() }
      let revision = try? await queue.run(for: .owner) { try library.reading { try $0.revision() } }
      guard let revision else { continue }
      if let known, known != revision {
        events.send(ServerEvent(name: "library", data: .object(["revision": .string(revision)])))
      }
      known = revision
    }
  }
}

/// What a server that runs for weeks may keep in memory.
package enum ServerMemory {
  /// Of decoded sound: listeners are at different places, so little of it is asked for twice.
  package static let segmentCacheByteCount = 16 << 20
  /// Of the pages of the library, in all connections together.
  private static let databaseCacheByteCount = 16 << 20

  /// Bounds what is kept. Call it before there are other threads.
  package static func bound() {
    dw_keep_heap_small()
    MediaStore.limitCaches(toByteCount: databaseCacheByteCount)
  }

  /// Gives back what is free.
  static func trim() { dw_trim_heap() }
}
