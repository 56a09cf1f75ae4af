import AudioDecoding
import Foundation
import MediaModel
import TestSupport
import Testing

struct TagReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func fixture(_ path: String) -> URL { Corpora.fixtures.appending(path: "audio").appending(path: path) }

  @Test func `the fixtures have the titles, artists, albums and genres that other programs read`() throws {
    let data = try Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    let document = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let files = try #require(document["files"] as? [[String: Any]])
    var comparedCount = 0
    for file in files {
      let path = try #require(file["path"] as? String)
      for (key, property) in [("title", "TITLE"), ("artist", "ARTIST"), ("album", "ALBUM"), ("genre", "GENRE")] {
        guard let expected = file[key] as? [String] else { continue }
        let tags = try OpenFile(Corpora.fixtures.appending(path: path)).tags().tags
        #expect(tags[property] == expected, "\(path)")
        comparedCount += 1
      }
    }
    #expect(comparedCount > 50)
  }

  @Test(arguments: [
    (
      "Lathe & Lantern/Run-out Groove", ["01 Lead-in.mp3", "02 Lacquer.mp3", "03 Rain on the Window.mp3"], "image/jpeg"
    ),
    (
      "Émilie Søndergård/Les Échos", ["01 Marée lente.flac", "02 Balayage.flac", "04 Six haut-parleurs.flac"],
      "image/png"
    ),
    ("صدى البحر/موجات", ["01 المد.opus", "02 الجزر.opus"], "image/jpeg"),
  ])
  func `the same cover in several files has one hash`(_ album: String, _ names: [String], _ mimeType: String) throws {
    let covers = try names.map { name -> Artwork in
      let artwork = try OpenFile(Self.fixture(album).appending(path: name)).tags().artwork
      #expect(artwork.count == 1)
      return try #require(artwork.first)
    }
    #expect(Set(covers.map(\.hash)).count == 1)
    #expect(Set(covers.map(\.bytes)).count == 1)
    #expect(covers.allSatisfy { $0.pictureType == 3 })
    #expect(Set(covers.map { $0.mimeType.hasPrefix("image/") }) == [true])
  }

  @Test(.enabled(if: Tool.exist("metaflac"), "metaflac is not installed"))
  func `a picture keeps its hash from one container to the other`() throws {
    let cover = try #require(
      try OpenFile(Self.fixture("Lathe & Lantern/Run-out Groove/01 Lead-in.mp3")).tags().artwork.first)
    try folder.write(cover.bytes, to: "cover.bin")
    let flac = folder.appending("a.flac")
    try FileManager.default.copyItem(at: Corpora.fixtures.appending(path: "damaged/length-unknown.flac"), to: flac)
    try Tool.run("chmod", "u+w", flac.path)
    let specification = "4|image/png|The back|10x10x24|\(folder.appending("cover.bin").path)"
    try Tool.run("metaflac", "--import-picture-from=\(specification)", flac.path)
    let found = try #require(try OpenFile(flac).tags().artwork.first)
    #expect(found.hash == cover.hash)
    #expect(found.pictureType == 4)
    #expect(found.caption == "The back")
    // The bytes count, not what the tag claims.
    #expect(found.mimeType == "image/jpeg")
  }

  /// A FLAC file with these comments, each "NAME=value" in any bytes.
  private func flac(comments: [[UInt8]]) throws -> URL {
    func count(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(value).littleEndian) { Array($0) } }
    let body = count(4) + Array("test".utf8) + count(comments.count) + comments.flatMap { count($0.count) + $0 }
    let bytes = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/length-unknown.flac")))
    let size = withUnsafeBytes(of: UInt32(body.count).bigEndian) { Array($0.dropFirst()) }
    // Behind STREAMINFO, before all other blocks.
    try folder.write(Array(bytes[..<42]) + [4] + size + body + Array(bytes[42...]), to: "a.flac")
    return folder.appending("a.flac")
  }

  @Test func `more values than are kept are cut off with a note`() throws {
    let reading = try OpenFile(flac(comments: (0..<12_000).map { Array("VALUE=\($0)".utf8) })).tags()
    #expect(reading.tags["VALUE"].count == 10_000)
    #expect(reading.tags["VALUE"].first == "0")
    #expect(reading.notes == ["truncated-tags"])
  }

  @Test func `a title of a megabyte is shortened with a note, between two characters`() throws {
    let title = String(repeating: "é", count: 500_000)
    let reading = try OpenFile(flac(comments: [Array("TITLE=x\(title)".utf8), Array("ARTIST=Somebody".utf8)])).tags()
    let kept = try #require(reading.tags["TITLE"].first)
    #expect((60_000...65_536).contains(kept.utf8.count))
    #expect(!kept.contains("\u{FFFD}"))
    #expect(reading.tags["ARTIST"] == ["Somebody"])
    #expect(reading.notes == ["truncated-tags"])
  }

  @Test func `text that is not UTF-8 becomes valid text, and NUL is dropped`() throws {
    let comments = [
      Array("TITLE=a".utf8) + [0xFF, 0xC3] + Array("b".utf8), Array("ARTIST=a\0b".utf8), Array("ALBUM=".utf8),
    ]
    let tags = try OpenFile(flac(comments: comments)).tags().tags
    #expect(tags["ARTIST"].allSatisfy { !$0.unicodeScalars.contains("\0") })
    #expect(tags["TITLE"].allSatisfy { $0.utf8.count < 20 })
    #expect(tags["ALBUM"].isEmpty)
  }

  @Test(arguments: ["04 Long Side.rf64", "07 Core.caf"])
  func `text chunks that end anywhere, or are damaged, give what they have`(_ name: String) throws {
    let url = Self.fixture("The Locked Grooves/Thirty-Three and a Third").appending(path: name)
    let bytes = [UInt8](try Data(contentsOf: url))
    var random = RepeatableRandom(seed: 9)
    for _ in 0..<200 {
      var changed = bytes
      for _ in 0..<6 {
        // Text chunks stand in front or behind; the audio between them is left alone.
        let offset = Int.random(in: 0..<400, using: &random)
        changed[Bool.random(using: &random) ? offset : bytes.count - 1 - offset] = .random(in: 0...255, using: &random)
      }
      try folder.write(changed.dropLast(Int.random(in: 0..<200, using: &random)), to: name)
      let tags = try OpenFile(folder.appending(name)).tags().tags
      #expect(tags.properties.allSatisfy { !$0.values.isEmpty })
    }
  }

  @Test func `hostile tags are read as the text they are`() throws {
    let reading = try OpenFile(Corpora.fixtures.appending(path: "damaged/hostile-tags.mp3")).tags()
    #expect(!reading.tags.isEmpty)
    #expect(reading.tags.properties.contains { $0.values.contains { $0.contains("\u{1B}") } })
  }
}
