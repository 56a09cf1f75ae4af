import Base
import Foundation
import LibraryRecovery
import MediaStore
import Testing
import TestSupport

// Faults: 158
/// A restored library belongs to whom the replaced one did.
struct RestoredOwnerTests {
  private func status(_ path: BytePath) -> stat {
    var status = stat()
    _ = path.withCString { stat($0, &status) }
    return status
  }

  @Test(arguments: [0o600, 0o640, 0o664, 0o644] as [mode_t])
  func `a restored library has the mode of the one that it replaces`(mode: mode_t) throws {
    let folder = try TemporaryFolder()
    for name in ["l.sqlite", "b.sqlite"] { try MediaStore(at: folder.file(name), access: .createIfMissing).close() }
    #expect(folder.file("l.sqlite").withCString { chmod($0, mode) } == 0)
    let report = try LibraryRestoring.restore(folder.file("b.sqlite"), to: folder.file("l.sqlite"))
    #expect(status(folder.file("l.sqlite")).st_mode & 0o777 == mode)
    #expect(status(try #require(report.keptAt)).st_mode & 0o777 == mode)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root")) func `root does not lock out the owner of a library`() throws {
    let folder = try TemporaryFolder()
    for name in ["l.sqlite", "b.sqlite"] { try MediaStore(at: folder.file(name), access: .createIfMissing).close() }
    #expect(folder.file("l.sqlite").withCString { chown($0, 1234, 2345) } == 0)
    _ = try LibraryRestoring.restore(folder.file("b.sqlite"), to: folder.file("l.sqlite"))
    let restored = status(folder.file("l.sqlite"))
    #expect(restored.st_uid == 1234 && restored.st_gid == 2345 && restored.st_mode & 0o777 == 0o600)
  }

  @Test func `a library that replaces none belongs to its user alone`() throws {
    let folder = try TemporaryFolder()
    try MediaStore(at: folder.file("b.sqlite"), access: .createIfMissing).close()
    #expect(folder.file("b.sqlite").withCString { chmod($0, 0o644) } == 0)
    _ = try LibraryRestoring.restore(folder.file("b.sqlite"), to: folder.file("l.sqlite"))
    #expect(status(folder.file("l.sqlite")).st_mode & 0o777 == 0o600)
  }
}
