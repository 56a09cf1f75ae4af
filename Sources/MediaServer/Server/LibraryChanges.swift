internal import Base
internal import DecodingService
internal import MediaStore

/// Notices changes of the library by anybody, ends workers that nobody needs any more, gives memory back, and lets a worker
/// wait while a page is open.
struct LibraryChanges {
  private let service: LibraryService
  /// Half a minute.
  private static let looksPerTrim = 60

  init(_ service: LibraryService) { self.service = service }

  /// Looks twice a second while somebody listens.
  func watch(_ queue: WorkQueue) async {
    var known: String?
    var lookCount = 0
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      for pool in [service.decoders, service.streamDecoders] { pool.endIdle(afterSeconds: 20) }
      service.pictures.endIdle(afterSeconds: 20)
      lookCount += 1
      if lookCount.isMultiple(of: Self.looksPerTrim) { ServerMemory.trim() }
      guard service.events.clientCount > 0 else {
        known = nil
        service.decoders.endWaiting()
        continue
      }
      let service = service
      try? await queue.run(for: .owner) { service.decoders.keepOneWaiting() }
      let revision = try? await queue.run(for: .owner) { try service.library.reading { try $0.revision() } }
      guard let revision else { continue }
      if let known, known != revision {
        service.events.send(ServerEvent(name: "library", data: .object(["revision": .string(revision)])))
      }
      known = revision
    }
  }
}
