import Base
import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

/// Rollback journals beside libraries, which have a write-ahead log and so hardly ever a journal.
struct ForeignJournalTests {
  private let folder: TemporaryFolder
  private let bytes: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .createIfMissing)
    _ = try store.roots.add(BytePath("/music"), volume: nil)
    try store.close()
    bytes = try folder.bytes(of: "l.sqlite")
  }

  /// A journal that rolls back one page (https://www.sqlite.org/fileformat2.html, section 3).
  private func journal(ofPage number: UInt32, _ page: [UInt8], pageCount: Int) -> [UInt8] {
    func word(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    let header = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7] + word(1) + word(7) + word(pageCount) + word(512)
    let sum = stride(from: page.count - 200, to: 0, by: -200).reduce(7) { $0 + Int(page[$1]) }
    return header + word(8192) + Array(repeating: 0, count: 512 - header.count - 4) + word(Int(number)) + page
      + word(sum)
  }

  private func open() throws -> (rootCount: Int, warningCount: Int, isSound: Bool) {
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
    defer { try? store.close() }
    return (try store.roots.all().count, store.warnings.count, try store.check(isDeep: false).isSound)
  }

  // Faults: 182
  @Test(arguments: [1, 3, 9]) func `a journal of another library is set aside, and nothing is rolled back`(
    number: Int
  ) throws {
    let other = try UserLibrary(fileCount: 3).bytes
    let page = Array(other[(number - 1) * 8192..<number * 8192])
    let journal = journal(ofPage: UInt32(number), page, pageCount: bytes.count / 8192)
    try folder.write(journal, to: "l.sqlite-journal")
    #expect(try open() == (1, 1, true))
    #expect(try folder.bytes(of: "l.sqlite") == bytes)
    let kept = try #require(try folder.names().first { $0.hasPrefix("l.sqlite-journal.foreign-") })
    #expect(try folder.bytes(of: kept) == journal)
    #expect(try open() == (1, 0, true))
  }

  @Test func `a journal of a library of another length is set aside`() throws {
    try folder.write(journal(ofPage: 1, Array(bytes[..<8192]), pageCount: 2), to: "l.sqlite-journal")
    #expect(try open() == (1, 1, true))
    #expect(try folder.bytes(of: "l.sqlite") == bytes)
  }

  // Faults: 182
  @Test func `a change of the journal mode that was interrupted is rolled back`() throws {
    var before = Array(bytes[..<8192])
    (before[18], before[19]) = (1, 1)
    try folder.write(journal(ofPage: 1, before, pageCount: bytes.count / 8192), to: "l.sqlite-journal")
    #expect(try open() == (1, 0, true))
    #expect(try folder.names() == ["l.sqlite"])
    #expect(try folder.bytes(of: "l.sqlite")[18] == 1)
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .readWrite)
    #expect(try store.settings()[0] == "wal")
    try store.close()
  }
}
