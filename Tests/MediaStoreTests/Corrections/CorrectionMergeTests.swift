import Base
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

/// Corrections of two libraries that know the same files, each under keys of its own.
struct CorrectionMergeTests {
  private let own: TemporaryLibrary
  private let other: TemporaryLibrary

  init() throws {
    own = try TemporaryLibrary()
    other = try TemporaryLibrary()
    for library in [own, other] { try Self.scan(1...3, in: library) }
  }

  private static func scan(_ numbers: ClosedRange<UInt64>, in library: TemporaryLibrary) throws {
    try library.store.scans.apply(
      numbers.map { number in
        var extraction = Sample.extraction(number)
        extraction.tags = Sample.tags(["TITLE": ["Track \(number)"], "GENRE": ["Pop"], "ALBUM": ["Tides"]])
        return .extracted(Sample.record("\(number).flac", extraction))
      })
  }

  private func set(_ name: String, _ value: String, _ path: String, in library: TemporaryLibrary) throws {
    let field = try #require(CorrectionField(name))
    _ = try library.store.corrections.correct(
      .set([.init(field: field, values: [value])]), ofFiles: [#require(try library.id(of: path))])
  }

  private func value(_ tag: String, _ path: String, in library: TemporaryLibrary) throws -> [String] {
    try library.store.files.tags(ofFile: #require(try library.id(of: path)))[tag]
  }

  @discardableResult
  private func merge() throws -> MergeReport.Library {
    let report = try own.store.merge([other.path], options: MergeOptions(keepsCopy: false))
    #expect(try own.store.check(isDeep: true).isSound)
    return try #require(report.libraries.first)
  }

  @Test func `what only the other library corrects comes, what both correct stays, and undo takes it back`() throws {
    try set("genre", "Jazz", "1.flac", in: own)
    try set("genre", "Soul", "1.flac", in: other)
    try set("genre", "Rock", "2.flac", in: other)
    try set("album", "Ebbs", "3.flac", in: other)
    let report = try merge()
    #expect(report.corrections.added == 2 && report.corrections.different == 1)
    #expect(
      report.conflicts == [
        .correction(try #require(CorrectionField("genre")), of: "/music/1.flac", kept: ["Jazz"], other: ["Soul"])
      ])
    #expect(try value("GENRE", "1.flac", in: own) == ["Jazz"] && value("GENRE", "2.flac", in: own) == ["Rock"])
    #expect(try value("ALBUM", "3.flac", in: own) == ["Ebbs"])
    #expect(try own.store.albums.all().map(\.title).sorted() == ["Ebbs", "Tides"])
    let again = try merge()
    #expect(again.corrections.added == 0 && again.corrections.same == 2 && again.corrections.different == 1)
    _ = try own.store.journal.undo()
    #expect(try value("GENRE", "2.flac", in: own) == ["Pop"] && value("ALBUM", "3.flac", in: own) == ["Tides"])
    #expect(try value("GENRE", "1.flac", in: own) == ["Jazz"])
  }

  @Test func `files that come with corrections have them, and say themselves what they said`() throws {
    try Self.scan(4...5, in: other)
    try set("genre", "Soul", "4.flac", in: other)
    try set("album", "Ebbs", "5.flac", in: other)
    try set("genre", "Jazz", "1.flac", in: own)
    try merge()
    #expect(try value("GENRE", "4.flac", in: own) == ["Soul"] && value("ALBUM", "5.flac", in: own) == ["Ebbs"])
    let ids = try own.store.fileIDs(of: own.store.query("is:corrected"))
    #expect(ids.count == 3)
    _ = try own.store.corrections.revert(nil, ofFiles: ids)
    #expect(try value("GENRE", "4.flac", in: own) == ["Pop"] && value("ALBUM", "5.flac", in: own) == ["Tides"])
    #expect(try own.value("SELECT count(*) FROM own_tag") == 0)
  }

  @Test func `a recording that this library corrects has it in the files that come, too`() throws {
    try set("genre", "Jazz", "1.flac", in: own)
    var extraction = Sample.extraction(1)
    extraction.tags = Sample.tags(["TITLE": ["Track 1"], "GENRE": ["Pop"]])
    try other.store.scans.apply([.extracted(Sample.record("copy.flac", extraction))])
    try set("genre", "Soul", "copy.flac", in: other)
    try merge()
    #expect(try value("GENRE", "copy.flac", in: own) == ["Jazz"])
    #expect(
      try own.store.corrections.files([#require(try own.id(of: "copy.flac"))])[0].fields.map(\.fileValues) == [["Pop"]])
  }

  @Test func `a new library that is made of others has their corrections`() throws {
    try set("genre", "Jazz", "1.flac", in: own)
    try set("genre", "Soul", "1.flac", in: other)
    try set("album", "Ebbs", "2.flac", in: other)
    let folder = try TemporaryFolder()
    let path = folder.file("all.sqlite")
    _ = try MergedLibrary.create(at: path, from: [own.path, other.path], options: MergeOptions(keepsCopy: false))
    let store = try MediaStore(at: path, access: .readOnly)
    defer { try? store.close() }
    #expect(try store.check(isDeep: true).isSound)
    #expect(try store.count(of: store.query("genre:=Jazz")) == 1 && store.count(of: store.query("album:=Ebbs")) == 1)
    #expect(try store.count(of: store.query("jazz")) == 1 && store.count(of: store.query("is:corrected")) == 2)
  }

  @Test func `a backup has corrections, and a restored library counts them`() throws {
    try set("genre", "Jazz", "1.flac", in: own)
    let folder = try TemporaryFolder()
    let copy = folder.file("copy.sqlite")
    _ = try own.store.backUp(to: copy, keeping: nil, replacesMore: false)
    let restored = try MediaStore(at: copy, access: .readWrite)
    defer { try? restored.close() }
    #expect(try restored.count(of: restored.query("genre:=Jazz is:corrected")) == 1)
    _ = try restored.journal.undo()
    #expect(try restored.count(of: restored.query("genre:=Pop")) == 3)
  }
}
