import Base
import MediaStore
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing

/// What a client that leaves ends.
struct ClientDisconnectTests {
  private let folder: TemporaryFolder
  private let access: LibraryAccess

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path.appending(BytePath("library.sqlite"))
    try MediaStore(at: path, access: .createIfMissing).close()
    access = try LibraryAccess(at: path, canWrite: false)
  }

  // Faults: 128
  @Test func `nothing is read for a client that has left`() throws {
    let disconnect = ClientDisconnect()
    disconnect.leave()
    #expect(throws: CancellationError.self) {
      try ClientDisconnect.$current.withValue(disconnect) { try access.reading { try $0.revision() } }
    }
    let waiting = ClientDisconnect()
    let revision = try ClientDisconnect.$current.withValue(waiting) { try access.reading { try $0.revision() } }
    #expect(try access.reading { try $0.revision() } == revision)
  }

  // Faults: 128
  @Test func `who leaves when the work is done disturbs nobody`() throws {
    let disconnect = ClientDisconnect()
    _ = try ClientDisconnect.$current.withValue(disconnect) { try access.reading { try $0.revision() } }
    try access.reading { store in
      disconnect.leave()
      _ = try store.revision()
    }
  }
}
