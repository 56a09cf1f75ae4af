import Base
import MediaStore
import TestSupport
import Testing

@testable import MediaServer

/// What a client that leaves ends.
struct DepartureTests {
  private let folder: TemporaryFolder
  private let access: LibraryAccess

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.path.appending(BytePath("library.sqlite"))
    try MediaStore(at: path, access: .createIfMissing).close()
    access = try LibraryAccess(at: path, canWrite: false)
  }

  @Test func `nothing is read for a client that has left`() throws {
    let departure = Departure()
    departure.leave()
    #expect(throws: CancellationError.self) {
      try Departure.$current.withValue(departure) { try access.reading { try $0.revision() } }
    }
    let waiting = Departure()
    let revision = try Departure.$current.withValue(waiting) { try access.reading { try $0.revision() } }
    #expect(try access.reading { try $0.revision() } == revision)
  }

  @Test func `who leaves when the work is done disturbs nobody`() throws {
    let departure = Departure()
    _ = try Departure.$current.withValue(departure) { try access.reading { try $0.revision() } }
    try access.reading { store in
      departure.leave()
      _ = try store.revision()
    }
  }
}
