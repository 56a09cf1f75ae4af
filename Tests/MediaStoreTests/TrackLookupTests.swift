import Base
import Foundation
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport

struct TrackLookupTests {
  let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply([
      .extracted(Sample.record("a/one.flac", Sample.extraction(1, title: "One"))),
      .extracted(Sample.record("a/copy of one.flac", Sample.extraction(1, title: "One"))),
      .extracted(Sample.record("b/two.flac", Sample.extraction(2, title: "Two"))),
      .extracted(
        Sample.record(
          "c.flac", Extraction(state: .unreadable, problem: Problem(code: "io", reason: "Permission denied")))),
    ])
  }

  func id(_ text: String, in folder: String? = nil) throws -> Int64 {
    try library.store.tracks.resolve(text, workingDirectory: folder.map { BytePath($0) }).recordingID
  }

  // Faults: 115
  @Test(
    arguments: [
      ("1", nil), ("/music/a/one.flac", nil), ("/music/./b/../a//one.flac", nil), ("one.flac", "/music/a"),
      ("../a/one.flac", "/music/b"), ("title:one", nil), ("copy one", nil),
    ] as [(String, String?)])
  func `an id, a path and a query lead to the track`(text: String, folder: String?) throws {
    #expect(try id(text, in: folder) == 1)
  }

  @Test func `the file that was named comes first`() throws {
    let track = try library.store.tracks.resolve("/music/a/one.flac")
    #expect(track.files.map(\.displayString) == ["/music/a/one.flac", "/music/a/copy of one.flac"])
    #expect(track.title == "One" && track.artist == "Nora Vale" && track.format == Sample.format)
  }

  @Test func `what leads nowhere or to several says so`() {
    #expect(throws: TrackError.noTrack(id: 77)) { try id("77") }
    #expect(throws: TrackError.severalTracks(2)) { try id("1 2") }
    #expect(throws: TrackError.noTrack(id: .max)) { try id("99999999999999999999999") }
    #expect(throws: TrackError.notInLibrary(BytePath("/music/none"))) { try id("/music/none") }
    #expect(throws: TrackError.nothingMatches("zzz")) { try id("zzz") }
    #expect(throws: TrackError.ambiguous("vale", count: 2, examples: ["1 Nora Vale - One", "2 Nora Vale - Two"])) {
      try id("vale")
    }
    #expect(throws: TrackError.noRecording(BytePath("/music/c.flac"), .unreadable, reason: "Permission denied")) {
      try id("/music/c.flac")
    }
    #expect(throws: QueryError.self) { try id("titel:x") }
  }

  func paths(_ query: Query) throws -> [String] {
    var paths: [String] = []
    try library.store.forEachRow(of: query, fields: [QueryField("path", .path)]) { values in
      if case .path(let path) = values[0] { paths.append(path.displayString) }
    }
    return paths
  }

  @Test(
    arguments: [
      (["/music/a/one.flac"], nil, ["/music/a/one.flac"]),
      (["/music/a/"], nil, ["/music/a/copy of one.flac", "/music/a/one.flac"]),
      (["./a/copy of one.flac", "../music/b"], "/music", ["/music/a/copy of one.flac", "/music/b/two.flac"]),
      (["/music/a", "filename:copy"], nil, ["/music/a/copy of one.flac"]),
      (
        ["filename:one", ",", "/music/b"], nil, ["/music/a/copy of one.flac", "/music/a/one.flac", "/music/b/two.flac"]
      ),
      (["."], "/music/b", ["/music/b/two.flac"]), (["/none"], nil, []),
      (["/music/A"], nil, []), (["/Music"], nil, []), (["/music/Á/ONE.flac"], nil, []),
      (
        ["/"], nil, ["/music/a/copy of one.flac", "/music/a/one.flac", "/music/b/two.flac", "/music/c.flac"]
      ),
      (["path:\"/music/b\""], nil, ["/music/b/two.flac"]),
      (["/music/a \"b\\ (c)"], nil, []),
    ] as [([String], String?, [String])])
  func `words that begin as paths list what lies there`(words: [String], folder: String?, files: [String]) throws {
    let text = MediaStore.queryText(of: words, workingDirectory: folder.map { BytePath($0) })
    #expect(try paths(try library.store.query(text)) == files)
  }

  @Test func `a word with a slash that names something is a path, too`() throws {
    let folder = library.folder.file("")
    try FileManager.default.createDirectory(
      atPath: library.folder.file("Jazz/Live").displayString, withIntermediateDirectories: true)
    func text(_ words: String...) -> String { MediaStore.queryText(of: words, workingDirectory: folder) }
    #expect(text("Jazz/Live") == text("./Jazz/Live") && text("Jazz/") == text("./Jazz"))
    #expect(text("Jazz", "AC/DC", "artist:Jazz/Live") == "Jazz AC/DC artist:Jazz/Live")
    #expect(throws: TrackError.notInLibrary(folder.appending(BytePath("Jazz/Live")))) {
      try library.store.tracks.resolve("Jazz/Live", workingDirectory: folder)
    }
  }

  @Test func `a path with a line feed is found, which the index does not have`() throws {
    let path = "d/new\nline.flac"
    try library.store.scans.apply([.extracted(Sample.record(path, Sample.extraction(3, title: "Three")))])
    #expect(try paths(try library.store.query(MediaStore.queryText(of: ["/music/" + path]))).count == 1)
  }

  @Test func `files and folders name their tracks`() throws {
    func files(_ words: String...) throws -> [String] {
      try paths(try library.store.tracks.query(naming: words, workingDirectory: BytePath("/music")))
    }
    #expect(try files("/music/a") == ["/music/a/copy of one.flac", "/music/a/one.flac"])
    #expect(try files("./b", "1") == ["/music/a/copy of one.flac", "/music/a/one.flac", "/music/b/two.flac"])
    #expect(throws: TrackError.notInLibrary(BytePath("/music/none"))) { try files("/music/b", "/music/none") }
    #expect(throws: TrackError.notInLibrary(BytePath("slow"))) { try files("/music/b", "slow") }
  }

  @Test func `the detail of a track has the tags of the file that was named`() throws {
    let detail = try #require(
      try library.store.tracks.detail(ofRecording: 1, preferring: BytePath("/music/a/one.flac")))
    #expect(detail.tags["TITLE"] == ["One"] && detail.files.count == 2 && detail.measures == Sample.measures)
    #expect(try library.store.tracks.detail(ofRecording: 99) == nil)
  }

  @Test func `problems and status tell the states`() throws {
    var problems: [String] = []
    try library.store.files.forEachProblem {
      problems.append("\($0.path.displayString) \($0.state) \($0.problem?.reason ?? "")")
    }
    #expect(problems == ["/music/c.flac unreadable Permission denied"])
    let status = try library.store.status()
    #expect(status.files == [.ok: 3, .unreadable: 1] && status.recordingCount == 2 && status.audioInSeconds == 20)
    #expect(status.products.first { $0.kind == .waveform }?.staleCount == 2)
  }

  @Test func `a product that is not what was written is reported, and found by a deep check`() throws {
    try library.execute("UPDATE product_blob SET bytes = x'00000000' WHERE product_id = 1")
    #expect(throws: StoreError.damagedProduct(library.store.path, kind: .waveform, recordingID: 1)) {
      try library.store.products.product(.waveform, ofRecording: 1)
    }
    #expect(try library.store.check(isDeep: true).damagedProductCount == 1)
    #expect(try library.store.check().isSound)
  }
}
