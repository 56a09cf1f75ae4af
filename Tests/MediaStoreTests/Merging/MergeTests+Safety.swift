import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryRecovery
import LibraryScanning
import MediaStore
import Testing
import TestSupport
import UserData

/// What holds before and after: dry runs, refusals, the copy that is kept, and the other library as it was.
extension MergeTests {
  @Test func `a dry run says the same and changes nothing`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("a.flac", extraction(2)), Sample.record("b.flac", extraction(2))])
    try other.store.presets.create(try PresetStoreTests.preset("Warm"))
    let before = try LibraryContents(own.path)
    let rehearsed = try merge(MergeOptions(isDryRun: true))
    #expect(try LibraryContents(own.path) == before)
    #expect(try own.folder.names().filter { $0.contains("before") }.isEmpty)
    #expect(try merge() == rehearsed)
  }

  @Test func `the library as it was stays beside it, if there was something in it`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("b.flac", extraction(2))])
    let before = try LibraryContents(own.path)
    let place = try #require(try own.store.merge([other.path], options: MergeOptions()).keptAt)
    #expect(try LibraryContents(place) == before)
    #expect(try LibraryContents(own.path) != before)

    let folder = try TemporaryFolder()
    let new = try MediaStore(at: folder.file("new.sqlite"), access: .createIfMissing)
    #expect(try new.merge([own.path, other.path], options: MergeOptions()).keptAt == nil)
    try new.close()
    #expect(try folder.names() == ["new.sqlite"])
  }

  @Test func `the copy is told of before anything is changed`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("b.flac", extraction(2))])
    let before = try LibraryContents(own.path)
    var told: [BytePath] = []
    var contents: LibraryContents?
    let report = try own.store.merge(
      [other.path], options: MergeOptions(),
      didKeep: { place in
        told.append(place)
        contents = try? LibraryContents(own.path)
      }, goesOn: { $0.doneCount == 0 })
    #expect(contents == before)
    #expect(report.isInterrupted && report.isChanged && told.count == 1 && report.keptAt == told.first)
    #expect(try LibraryContents(#require(told.first)) == before)
    #expect(try LibraryContents(own.path) != before)
  }

  @Test func `no copy is told of if nothing is changed`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("b.flac", extraction(2))])
    _ = try own.store.merge([other.path], options: MergeOptions(keepsCopy: false))
    let before = try own.folder.names()
    let report = try own.store.merge(
      [other.path], options: MergeOptions(), didKeep: { Issue.record("told of \($0)") })
    #expect(!report.isChanged && report.keptAt == nil && report.libraries.count == 1)
    #expect(try own.folder.names() == before)
  }

  @Test func `others write between the parts of a merge`() throws {
    let count = 525
    try apply(other, (1...count).map { Sample.record("\($0).flac", extraction(UInt64($0))) })
    let attributes = "INSERT INTO attribute (audio_id, name, value) SELECT id, 'rating', '0.5' FROM audio"
    try other.execute(attributes)
    let second = try MediaStore(at: own.path, access: .readWrite, timeout: .milliseconds(1))
    var steps: [MergeStep] = []
    let report = try own.store.merge(
      [other.path], options: MergeOptions(keepsCopy: false),
      goesOn: { step in
        steps.append(step)
        do { try second.presets.create(try PresetStoreTests.preset("\(steps.count)")) } catch { Issue.record(error) }
        return true
      })
    // Before the library is read: once. Then three parts of sounds, the folders, three of files, and what was decided.
    #expect(steps.map(\.doneCount) == [0, 0, 250, 500] + repeatElement(count, count: 5))
    #expect(steps.map(\.doneFileCount) == [0, 0, 0, 0, 0, 0, 250, 500, count])
    #expect(steps.dropFirst().allSatisfy { $0.totalCount == count })
    let merged = try #require(report.libraries.first)
    #expect(merged.files == MergeCounts(added: count) && merged.recordings == MergeCounts(added: count))
    #expect(merged.attributes == MergeCounts(added: count))
    #expect(try own.store.presets.all().count { !$0.isBuiltIn } == steps.count)
    #expect(try own.store.check(isDeep: true).isSound)
    try second.close()
  }

  /// Four questions come before the first change: before each library is checked, before the copy and after it.
  @Test(arguments: 1...4)
  func `a merge that is stopped before its first change leaves no copy`(question: Int) throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("b.flac", extraction(2))])
    let third = try TemporaryLibrary()
    let before = try LibraryContents(own.path)
    var count = 0
    let report = try own.store.merge(
      [other.path, third.path], options: MergeOptions(), didKeep: { Issue.record("told of \($0)") },
      goesOn: { _ in
        count += 1
        return count < question
      })
    #expect(count == question && report.isInterrupted && !report.isChanged && report.keptAt == nil)
    #expect(try LibraryContents(own.path) == before)
    #expect(try own.folder.names().filter { $0.contains(".before-") || $0.contains(".new-") } == [])
  }

  @Test func `the library itself is refused under every name`() throws {
    let (hard, soft) = (own.folder.appending("hard.sqlite"), own.folder.appending("soft.sqlite"))
    try FileManager.default.linkItem(atPath: own.path.displayString, toPath: hard.path)
    try FileManager.default.createSymbolicLink(atPath: soft.path, withDestinationPath: own.path.displayString)
    for path in [own.path, BytePath(hard.path), BytePath(soft.path)] {
      guard case .sameLibrary = refusal(path) else {
        Issue.record("\(path.displayString): not refused")
        continue
      }
    }
  }

  private func refusal(_ path: BytePath) -> StoreError? {
    do {
      _ = try own.store.merge([path], options: MergeOptions())
      return nil
    } catch { return error }
  }

  @Test func `what is damaged, newer or no library is refused, and nothing is merged`() throws {
    try apply(other, [Sample.record("a.flac", extraction(1))])
    try other.store.close()
    let whole = try other.folder.bytes(of: "library.sqlite")
    let before = try LibraryContents(own.path)
    var newer = whole
    newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    for bytes in [Array(whole.prefix(whole.count / 2)), newer, Array("a letter".utf8)] {
      try other.folder.write(bytes, to: "library.sqlite")
      let refused = refusal(other.path)
      #expect(refused?.description.contains(other.path.displayString) == true)
      #expect(try other.folder.bytes(of: "library.sqlite") == bytes)
    }
    #expect(try LibraryContents(own.path) == before)
    #expect(try own.folder.names().filter { $0.hasPrefix("library.sqlite.") }.isEmpty)
  }

  /// A library that somebody sent need not be what it says.
  @Test(arguments: [
    "CREATE TABLE loose (audio_id, name, value); DROP TABLE attribute; ALTER TABLE loose RENAME TO attribute",
    "DROP TABLE list_entry", "DROP TRIGGER file_tally_added", "UPDATE file SET last_state = 'ok', audio_id = NULL",
    "UPDATE file_tally SET file_count = 7",
  ]) func `a library whose tables or rows are not those of the program is refused`(change: String) throws {
    try apply(other, [Sample.record("a.flac", extraction(1))])
    try other.execute(change)
    guard case .corrupt(other.path, _) = refusal(other.path) else {
      Issue.record("not refused")
      return
    }
    #expect(try own.files().isEmpty)
  }

  @Test func `nothing is merged while a scan runs`() throws {
    let second = try MediaStore(at: own.path, access: .readWrite)
    let lock = try second.scans.begin()
    guard case .scanRunning = refusal(other.path) else {
      Issue.record("not refused")
      return
    }
    lock.release()
    #expect(refusal(other.path) == nil)
    try second.close()
  }

  @Test func `the other library is not touched`() throws {
    try apply(other, [Sample.record("a.flac", extraction(1))])
    try other.store.close()
    let bytes = try other.folder.bytes(of: "library.sqlite")
    _ = try merge()
    #expect(try other.folder.bytes(of: "library.sqlite") == bytes)
    #expect(try other.folder.names() == ["library.sqlite"])
  }

  @Test(arguments: MigrationTests.dumps)
  func `an older library is merged as it would be brought up to date, and stays`(dump: URL) throws {
    let folder = try TemporaryFolder()
    for name in ["old.sqlite", "migrated.sqlite"] { try MigrationTests.makeLibrary(dump, at: folder.file(name)) }
    let bytes = try folder.bytes(of: "old.sqlite")
    try MediaStore(at: folder.file("migrated.sqlite"), access: .readWrite).close()
    // One of the dumps has products without bytes, to be small; those are not taken.
    try DatabaseQueue(path: folder.file("migrated.sqlite").displayString).write {
      try $0.execute(sql: "DELETE FROM product WHERE id NOT IN (SELECT product_id FROM product_blob)")
    }
    let new = try MediaStore(at: folder.file("new.sqlite"), access: .createIfMissing)
    _ = try new.merge([folder.file("old.sqlite")], options: MergeOptions())
    try new.close()
    #expect(
      try LibraryContents(folder.file("new.sqlite")) == LibraryContents(folder.file("migrated.sqlite")))
    #expect(try folder.bytes(of: "old.sqlite") == bytes)
    let names = try folder.names().filter { !$0.hasPrefix("migrated") }
    #expect(names == ["new.sqlite", "old.sqlite"])
  }
}
