import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryRecovery
import LibraryScanning
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

/// Libraries that are made of others in one pass are what merging one after the other gives.
struct MergedLibraryTests {
  private let folder: TemporaryFolder
  private let libraries: [TemporaryLibrary]
  private var new: BytePath { folder.file("new.sqlite") }
  private var paths: [BytePath] { libraries.map(\.path) }

  /// Three libraries that share files, recordings, pictures, and names of presets.
  init() throws {
    folder = try TemporaryFolder()
    libraries = try (0..<3).map { _ in try TemporaryLibrary() }
    for (index, library) in libraries.enumerated() {
      let numbers = (index * 200)..<(index * 200 + 300)
      try library.store.scans.apply(
        numbers.map { number in
          var extraction = Sample.extraction(UInt64(number % 450), title: "Track \(number % 450)")
          extraction.artwork = [
            Artwork(
              pictureType: 3, mimeType: "image/png", caption: "c", hash: ContentHash(high: 1, low: UInt64(number % 7)),
              bytes: Array("picture \(number % 7)".utf8))
          ]
          extraction.notes = number % 3 == 0 ? ["a remark"] : []
          return .extracted(Sample.record("\(number % 90)/\(number).flac", extraction))
        })
      try library.store.presets.create(try PresetStoreTests.preset("Warm"))
      try library.execute(
        "INSERT INTO attribute (audio_id, name, value) SELECT id, 'rating', '\(index)' FROM audio LIMIT 3")
    }
  }

  private func oneByOne(_ options: MergeOptions) throws -> (reports: [MergeReport.Library], contents: LibraryContents) {
    let path = folder.file("one-by-one.sqlite")
    let store = try MediaStore(at: path, access: .createIfMissing)
    let reports = try paths.flatMap { try store.merge([$0], options: options).libraries }
    try store.close()
    return (reports, try LibraryContents(path))
  }

  private func isSound(_ path: BytePath) throws -> Bool {
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    return try store.check(isDeep: true).isSound
  }

  @Test(arguments: [Set<ProductKind>(), [.waveform], [.waveform, .measures]])
  func `one pass gives what merging one by one gives`(omitted: Set<ProductKind>) throws {
    let options = MergeOptions(keepsCopy: false, omittedKinds: omitted)
    let report = try MergedLibrary.create(at: new, from: paths, options: options)
    let expected = try oneByOne(options)
    #expect(report.libraries == expected.reports)
    #expect(try LibraryContents(new) == expected.contents)
    #expect(try isSound(new))
    #expect(try folder.names().sorted() == ["new.sqlite", "one-by-one.sqlite"])
  }

  @Test func `a damaged product is left out and listed`() throws {
    // Of recordings that the first library does not have.
    try libraries[1].execute(
      "UPDATE product_blob SET bytes = CAST(x'00' || substr(bytes, 2) AS BLOB) WHERE product_id IN (150, 160)")
    let options = MergeOptions(keepsCopy: false)
    let report = try MergedLibrary.create(at: new, from: paths, options: options)
    #expect(report.libraries.map(\.damaged.count) == [0, 2, 0])
    let expected = try oneByOne(options)
    #expect(report.libraries == expected.reports)
    #expect(try LibraryContents(new) == expected.contents)
  }

  @Test func `files of a mapped folder are found and searched for at their new paths`() throws {
    let options = MergeOptions(
      mappings: [PathMapping(from: BytePath("/music"), to: BytePath("/srv/all"))], keepsCopy: false)
    _ = try MergedLibrary.create(at: new, from: paths, options: options)
    #expect(try LibraryContents(new) == oneByOne(options).contents)
    #expect(try isSound(new))
  }

  @Test func `a file that is there stays`() throws {
    try Data("mine".utf8).write(to: URL(filePath: new.displayString))
    #expect(throws: StoreError.self) { try MergedLibrary.create(at: new, from: paths, options: MergeOptions()) }
    #expect(try Data(contentsOf: URL(filePath: new.displayString)) == Data("mine".utf8))
    #expect(try folder.names() == ["new.sqlite"])
  }

  @Test func `what is stopped or fails leaves nothing`() throws {
    var count = 0
    let report = try MergedLibrary.create(at: new, from: paths, options: MergeOptions()) { _ in
      count += 1
      return count < 6
    }
    #expect(report.isInterrupted && !report.isChanged)
    #expect(try folder.names().isEmpty)
    try libraries[2].execute("UPDATE audio SET file_count = 99 WHERE id = 1")
    #expect(throws: StoreError.self) { try MergedLibrary.create(at: new, from: paths, options: MergeOptions()) }
    #expect(try folder.names().isEmpty)
  }

  @Test func `what is written to the other library meanwhile is left for the next merge`() throws {
    let own = try TemporaryLibrary()
    let before = try LibraryContents(libraries[0].path)
    var hasWritten = false
    _ = try own.store.merge(
      [libraries[0].path], options: MergeOptions(keepsCopy: false),
      goesOn: { step in
        if step.totalCount != nil, step.doneCount > 0, !hasWritten {
          hasWritten = true
          _ = try? libraries[0].store.scans.apply([.extracted(Sample.record("late.flac", Sample.extraction(9_999)))])
        }
        return true
      })
    #expect(hasWritten)
    #expect(try LibraryContents(own.path).lines(of: "file") == before.lines(of: "file"))
    #expect(try own.store.check(isDeep: true).isSound)
  }
}
