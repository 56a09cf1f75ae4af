import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport
import UserData

/// Rows that SQLite reads without a complaint, and that nothing writes, do not get into a repaired library.
struct RepairedRowsTests {
  @Test(arguments: [
    "UPDATE audio SET state = 'oj'", "UPDATE audio SET sample_rate_hz = -1", "UPDATE stream SET payload_bytes = -5",
    "UPDATE file SET size_bytes = -1", "UPDATE file SET notes = 'x'", "UPDATE product SET byte_count = byte_count + 1",
    "UPDATE list SET query = 'x'", "UPDATE list SET name = ''", "UPDATE attribute SET name = ''",
  ])
  func `a library with impossible rows is repaired to a sound one`(damage: String) throws {
    let library = try TemporaryLibrary()
    try library.store.scans.apply([.extracted(Sample.record("a.flac"))])
    let id = try #require(try library.recording(of: "a.flac"))
    try library.store.lists.save("Early", recordingIDs: [id])
    try library.execute("INSERT INTO attribute (audio_id, name, value) VALUES (\(id), 'rating', '5')")
    try library.execute(damage)
    #expect(try !library.store.check(isDeep: true).isSound)
    try library.store.close()

    let target = library.folder.file("repaired.sqlite")
    let report = try LibraryRepair.repair(library.path, to: target)
    #expect(report.check.isSound, "\(report.check)")
    let store = try MediaStore(at: target, access: .readOnly)
    defer { try? store.close() }
    #expect(try store.check(isDeep: true).isSound)
    #expect(try store.scans.knownFiles(inRoot: library.root.id).count == 1)
    #expect(try store.lists.all().count == 1)
  }
}
