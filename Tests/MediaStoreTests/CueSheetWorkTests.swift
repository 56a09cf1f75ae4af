import Base
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport

// Faults: 217
/// What CUE sheets cost, in steps of SQLite: no transaction grows by lines times files.
struct CueSheetWorkTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try TemporaryLibrary() }

  private func addFiles(_ paths: [String]) throws {
    for start in stride(from: 0, to: paths.count, by: 250) {
      try store.scans.apply(
        paths[start..<min(start + 250, paths.count)].enumerated().map { index, path in
          var extraction = Sample.extraction(UInt64(start + index + 1))
          extraction.products = []
          return .extracted(Sample.record(path, extraction))
        })
    }
  }

  private func folder(_ texts: [String], formerIDs: [Int64] = []) -> CueSheetFolder {
    CueSheetFolder(
      rootID: 1,
      sheets: texts.enumerated().map { index, text in
        .init(path: BytePath("\(index).cue"), status: Sample.status(), contents: CueSheet(text))
      }, formerIDs: formerIDs)
  }

  /// A sheet that names files, each with two tracks while it has room for them.
  private static func sheet(lineCount: Int, name: (Int) -> String) -> String {
    (0..<lineCount).map {
      "FILE \"\(name($0))\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:02:00"
    }.joined(separator: "\n")
  }

  @Test func `lines that mean nothing cost no more for a folder of many files`() throws {
    try addFiles((0..<600).map { "song \($0).flac" })
    let sheets = [folder([Self.sheet(lineCount: 2000) { "nothing \($0).wav" }])]
    let steps = try store.steps { for sheet in sheets { try store.scans.apply(sheet) } }
    #expect((1...600 * 100).contains(steps.total))
    #expect(steps.largestTransaction < 1000 && steps.transactionCount == 1)
  }

  @Test func `a folder is read once for many lines and sheets, and its folders only for a row each`() throws {
    try addFiles((0..<20).map { "song \($0).flac" } + (0..<500).map { "below/song \($0).flac" })
    let text = Self.sheet(lineCount: 1000) { "folder \($0 % 3)/nothing \($0).wav" }
    let steps = try store.steps { try store.scans.apply(folder([text, text, text, text])) }
    #expect((1...20_000).contains(steps.total))
    #expect(try store.scans.cueSheets(inRoot: 1).count == 4)
  }

  @Test func `sheets with many tracks are written in several transactions`() throws {
    try addFiles((0..<9).map { "\($0).flac" })
    // As many tracks as a sheet can have; so many do not fit into ten seconds, which a third of them fill.
    let texts = (0..<9).map { file in
      "FILE \(file).flac WAVE\n"
        + (0..<4000).map { "TRACK 1 AUDIO\nINDEX 1 0:\($0 / 75 % 60):\($0 % 75)" }.joined(separator: "\n")
    }
    let one = try store.steps { try store.scans.apply(folder(Array(texts.prefix(1)))) }
    let former = try store.scans.cueSheets(inRoot: 1).map(\.id)
    let all = try store.steps { try store.scans.apply(folder(texts, formerIDs: former)) }
    let ids = try store.scans.cueSheets(inRoot: 1).map(\.id)
    #expect(ids.count == 9)
    let track = try store.tracks.resolve("/music/8.flac")
    #expect(try store.files.parts(ofFile: track.fileDetails[0].id).count == 750)
    // Five sheets of 750 parts fill a transaction.
    #expect(all.transactionCount == 2 && all.largestTransaction < 8 * one.largestTransaction)
    let gone = try store.steps { try store.scans.apply(folder([], formerIDs: ids)) }
    #expect(gone.transactionCount == 2 && gone.total > one.total)
    #expect(try store.scans.cueSheets(inRoot: 1).isEmpty && store.check(isDeep: true).isSound)
  }

  @Test func `each line gets a file of its own, in the order of paths`() throws {
    try addFiles(["a.ape", "a.flac", "A.wv", "b.flac"])
    let applied = try store.scans.apply(folder([Self.sheet(lineCount: 5) { _ in "a.wav" }]))
    #expect(applied.described.map(\.file.displayString) == ["A.wv", "a.ape", "a.flac"])
    #expect(applied.described.allSatisfy { $0.partCount == 2 } && applied.unmatched.isEmpty)
  }

  @Test(arguments: [
    ("FILE \"a.wav\" WAVE", true), ("FILE \" A.flac \" WAVE", true), ("FILE \"%61.flac\" WAVE", true),
    ("FILE 'a.flac' WAVE", true), ("FILE “a.flac” WAVE", true), ("FILE \"a.flac WAVE", true),
    ("FILE \"a.flac\"", true), ("FILE\"a.flac\" WAVE", true), ("FILE \"image.ape\" WAVE", false),
    ("FILE \"\" WAVE", false), ("", false),
  ])
  func `a sheet describes the file that it names, or is noted`(line: String, isFound: Bool) throws {
    try addFiles(["a.flac"])
    let applied = try store.scans.apply(folder(["TITLE x\n\(line)\nTRACK 01 AUDIO\nINDEX 01 00:00:00"]))
    #expect(applied.described.map(\.file.displayString) == (isFound ? ["a.flac"] : []))
    #expect(applied.unmatched.map(\.fault.line) == (isFound ? [] : [line.isEmpty ? 1 : 2]))
    #expect(applied.unmatched.map(\.sheet.displayString) == (isFound ? [] : ["0.cue"]))
  }

  @Test func `a sheet without a FILE line describes the file with its own name`() throws {
    try addFiles(["0.flac"])
    let applied = try store.scans.apply(folder(["TRACK 01 AUDIO\nINDEX 01 00:00:00"]))
    #expect(applied.described.map(\.file.displayString) == ["0.flac"] && applied.unmatched.isEmpty)
  }

  @Test func `of two sheets for one file the second is no fault, and files that are missing are noted once`() throws {
    try addFiles(["a.flac"])
    let text = Self.sheet(lineCount: 1) { _ in "a.wav" }
    let missing = Self.sheet(lineCount: 3) { "nothing \($0).wav" }
    let applied = try store.scans.apply(folder([text, text, missing]))
    #expect(applied.described.count == 1)
    #expect(applied.unmatched.map(\.sheet.displayString) == ["2.cue"])
    #expect(applied.unmatched.first?.fault.reason.contains("2 more FILE lines") == true)
  }

  @Test func `a name longer than any path means nothing`() throws {
    try addFiles(["a.flac"])
    let name = String(repeating: "x/", count: 100_000) + "a.flac"
    #expect(try store.scans.apply(folder([Self.sheet(lineCount: 1) { _ in name }])).described.isEmpty)
  }

  @Test func `what a sheet says once does not grow with its tracks`() throws {
    let accents = "e" + String(repeating: "\u{301}", count: 200_000)
    let tracks = (0..<4000).map { "TRACK 1 AUDIO\nINDEX 1 \($0):0:0" }.joined(separator: "\n")
    let genre = String(repeating: "g", count: 5000)
    let sheet = CueSheet("PERFORMER \(accents)\nREM GENRE \(genre)\nFILE a WAVE\n\(tracks)")
    let list = try #require(sheet.parts(ofFile: 0, sampleRateInHz: 44_100, from: .sheetFile))
    #expect(list.parts.count == 4000 && list.notes == [PartList.tooMuchTextNote])
    #expect(list.parts[0].tags.artist?.utf8.count == 3999 && list.parts[0].tags.genre?.count == 1000)
    let byteCount = list.parts.reduce(0) { sum, part in
      PartTags.columns.reduce(sum) { $0 + (part.tags[keyPath: $1.path]?.utf8.count ?? 0) }
    }
    #expect((1 << 19...PartList.maximumTextByteCount).contains(byteCount))
  }
}

// Faults: 217
/// What deleting files costs whose rows are many.
struct DeletionWorkTests {
  @Test func `files with many tags are forgotten in more transactions`() throws {
    let library = try TemporaryLibrary()
    let store = library.store
    for number in 0..<9 {
      var extraction = Sample.extraction(UInt64(number))
      extraction.products = []
      extraction.tags = Sample.tags(
        Dictionary(uniqueKeysWithValues: (0..<4000).map { ("NAME\($0)", ["value \($0)"]) }))
      try store.scans.apply([.extracted(Sample.record("\(number).flac", extraction))])
    }
    try library.addFiles(10..<20)
    let steps = try store.steps { try store.roots.remove(1) }
    // Three for the nine, the last of them with the ten others, and one for the root.
    #expect(steps.transactionCount == 4)
    #expect(steps.largestTransaction < steps.total / 2)
    #expect(try store.check(isDeep: true).isSound)
  }
}
