internal import Base
internal import MediaStore

/// Notices changes of the library by anybody, and ends workers that nobody needs any more.
struct LibraryChanges {
  private let service: LibraryService

  init(_ service: LibraryService) { self.service = service }

  /// Looks twice a second while somebody listens.
  func watch(_ queue: WorkQueue) async {
    var known: String?
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(500))
      for pool in [service.decoders, service.streamDecoders] { pool.endIdle(afterSeconds: 20) }
      guard service.events.clientCount > 0 else {
        known = nil
        continue
      }
      let service = service
      guard let revision = try? await queue.run({ try service.library.reading { try $0.revision() } }) else { continue }
      if let known, known != revision {
        service.events.send(ServerEvent(name: "library", data: .object(["revision": .string(revision)])))
      }
      known = revision
    }
  }
}
