import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing

/// What another library wrote into files, and folders in which nothing is written.
struct MergedFileChangesTests {
  private let (own, other): (TemporaryLibrary, TemporaryLibrary)

  init() throws {
    (own, other) = (try TemporaryLibrary(), try TemporaryLibrary())
    for (library, number) in [(own, UInt64(1)), (other, 2)] {
      try library.store.scans.apply([.extracted(Sample.record("\(number).flac", Sample.extraction(number)))])
    }
  }

  @Test func `changes of files come along once, with what it takes to undo them`() throws {
    let file = try #require(try other.store.fileChanges.files(of: other.store.query("")).first)
    let change = try other.store.fileChanges.begin("write tags of 1 file")
    let hash = ContentHash(high: 1, low: 2)
    _ = try other.store.fileChanges.plan(
      [
        PlannedFileChange(
          key: file.key, path: file.path, temporary: BytePath(".deadwax-1.tmp"), oldHash: hash, newHash: hash,
          undo: [1, 2, 3], pictures: [hash])
      ], in: change)
    try other.execute("UPDATE file_change_part SET state = 'done', temporary = NULL")
    for _ in 0..<2 {
      _ = try own.store.merge([other.path], options: MergeOptions(keepsCopy: false))
      let changes = try own.store.fileChanges.all()
      #expect(changes.map(\.summary) == ["write tags of 1 file"] && changes.first?.doneCount == 1)
      let first = try #require(changes.first)
      let part = try #require(try own.store.fileChanges.doneParts(of: first.id).first)
      #expect(part.undo == [1, 2, 3] && part.newHash == hash && part.file?.known.path == file.known.path)
      #expect(try own.value("SELECT count(*) FROM file_change_picture", as: Int.self) == 1)
    }
  }

  @Test func `a folder that is protected in one of them is`() throws {
    let root = try #require(try other.store.roots.all().first)
    try other.store.roots.protect(root.id, true)
    _ = try own.store.merge([other.path], options: MergeOptions(keepsCopy: false))
    #expect(try own.store.roots.protectedIDs().count == 1)
  }
}
