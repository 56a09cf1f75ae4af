import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import UserData

/// What `prune` forgets, and what it may not.
struct PruningTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try store.scans.apply((1...4).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0)))) })
  }

  private func rows(_ sql: String) throws -> Int? { try library.value("SELECT count(*) FROM \(sql)") }

  /// A list with the first track twice, a rating of the second, and nothing of the others.
  private func decide() throws {
    let first = try #require(try library.recording(of: "1.flac"))
    let second = try #require(try library.recording(of: "2.flac"))
    try store.lists.save("again", recordingIDs: [first, first])
    try library.execute("INSERT INTO attribute (audio_id, name, value) VALUES (\(second), 'rating', '0.8')")
  }

  /// Takes the first three files away.
  private func lose() throws {
    try store.scans.apply(try (1...3).map { .missing(fileID: try #require(try library.id(of: "\($0).flac"))) })
  }

  @Test func `a sound that is in a list or has an attribute keeps its row, and that is told before`() throws {
    try decide()
    try lose()
    let missing = try store.missingFiles.all(in: .everything)
    let expected = try store.missingFiles.pruneReport(missing, includingOrphans: true)
    #expect(expected.fileCount == 3 && expected.recordingCount == 3 && expected.keptRecordingCount == 2)
    #expect(expected.byteCount == 12)
    #expect(try store.missingFiles.prune(missing, includingOrphans: true) == expected)
    #expect(try rows("list_entry") == 2 && rows("attribute") == 1 && rows("audio") == 3)
    #expect(try rows("product") == 1 && rows("product_blob") == 1 && rows("measures") == 1)
    #expect(try rows("file") == 1 && store.status().orphanCount == 2)
    #expect(try store.check(isDeep: true).isSound)
    // Nothing is left to be forgotten, now and in a week.
    let again = try store.missingFiles.prune([], includingOrphans: true)
    #expect(again.recordingCount == 0 && again.byteCount == 0 && again.keptRecordingCount == 0)
    #expect(try rows("audio") == 3)
  }

  @Test func `a sound of a removed folder keeps its row, too`() throws {
    try decide()
    try store.roots.remove(library.root.id)
    let report = try store.missingFiles.prune([], includingOrphans: true)
    #expect(report.recordingCount == 4 && report.keptRecordingCount == 2)
    #expect(try rows("list_entry") == 2 && rows("attribute") == 1 && rows("audio") == 2 && rows("product") == 0)
  }

  @Test func `a sound that comes back has its place and its rating, and is decoded like a new one`() throws {
    try decide()
    try lose()
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: false)
    let recording = try #require(try store.recordings.recording(hash: Sample.hash(2)))
    #expect(recording.format?.decodedFrameCount == nil && recording.products.isEmpty)
    try store.scans.apply((1...2).map { .extracted(Sample.record("back/\($0).flac", Sample.extraction(UInt64($0)))) })
    #expect(try store.count(of: store.query("rating:>0.5")) == 1)
    #expect(try store.lists.fileIDs(of: store.lists.list(named: "again")).count == 2)
    #expect(try store.recordings.recording(hash: Sample.hash(2))?.format == Sample.format)
    #expect(try rows("product") == 3 && rows("measures") == 3)
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `once nothing is said of a sound any more, it is forgotten`() throws {
    try decide()
    try lose()
    _ = try store.missingFiles.prune(try store.missingFiles.all(in: .everything), includingOrphans: true)
    try store.lists.delete("again")
    let report = try store.missingFiles.prune([], includingOrphans: true)
    #expect(report.recordingCount == 1 && report.keptRecordingCount == 0)
    #expect(try rows("audio") == 2)
  }

  /// 575 files of 226 sounds, in the order of their paths: many sounds lose files in more than one part.
  private func fill() throws {
    try store.scans.apply(
      (0..<575).map { number in
        var extraction = Sample.extraction(UInt64(100 + number % 226))
        let picture = UInt64(number % 112)
        extraction.artwork = [
          Artwork(
            pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: picture),
            bytes: Array("picture \(picture)".utf8))
        ]
        return .extracted(Sample.record("many/\(1000 + number).flac", extraction))
      })
  }

  @Test func `many files are forgotten in parts, which together are what was told`() throws {
    try fill()
    try decide()
    // A few stay, with their sounds and pictures.
    try store.scans.apply(
      store.scans.knownFiles(inRoot: library.root.id).filter { $0.id % 97 != 0 }.map { .missing(fileID: $0.id) })
    let staying = try #require(try rows("file WHERE missing_since IS NULL"))
    let missing = try store.missingFiles.all(in: .everything)
    #expect(missing.count == 579 - staying && staying > 4)
    let expected = try store.missingFiles.pruneReport(missing, includingOrphans: true)
    var report: PruneReport?
    let commitCount = try library.commitCount { report = try store.missingFiles.prune(missing, includingOrphans: true) }
    #expect(commitCount == 3)
    #expect(report == expected && expected.recordingCount == 230 - staying && expected.keptRecordingCount == 2)
    #expect(try rows("file") == staying && rows("audio") == staying + 2 && rows("product") == staying)
    #expect(try rows("artwork") == rows("(SELECT DISTINCT artwork_id FROM file_artwork)"))
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `the files of a removed folder and their sounds are forgotten in parts, too`() throws {
    try fill()
    var fileCount = 0
    let commitCount = try library.commitCount { fileCount = try store.roots.remove(library.root.id) }
    // Three parts, and the root.
    #expect(fileCount == 579 && commitCount == 4)
    #expect(try rows("file") == 0 && rows("artwork") == 0 && rows("audio") == 230)
    #expect(try store.check(isDeep: true).orphanCount == 230)
    var report: PruneReport?
    let again = try library.commitCount { report = try store.missingFiles.prune([], includingOrphans: true) }
    #expect(try again == 1 && report?.recordingCount == 230 && report?.fileCount == 0 && rows("audio") == 0)
    #expect(try store.check(isDeep: true).isSound)
  }
}
