import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Tags that a file has twice, or in an unusual place, of which the first one is empty: what the others say is read.
struct RepeatedTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  // MARK: MP4

  private static let handler = MP4Bytes.box(
    "hdlr", [UInt8](repeating: 0, count: 8), Array("mdirappl".utf8), [UInt8](repeating: 0, count: 9))

  private static func list(_ values: [(type: String, value: String)]) -> [UInt8] {
    let items = values.flatMap { type, value in
      bigEndian(UInt32(24 + value.utf8.count)) + [0xA9] + Array(type.utf8)
        + MP4Bytes.box("data", [0, 0, 0, 1, 0, 0, 0, 0], Array(value.utf8))
    }
    return MP4Bytes.box("ilst", items)
  }

  private static func meta(_ lists: [UInt8]...) -> [UInt8] {
    MP4Bytes.box("meta", [0, 0, 0, 0], handler, lists.flatMap { $0 })
  }

  struct Place: CustomTestStringConvertible {
    let testDescription: String
    let inMovie: [UInt8]
    var behind: [UInt8] = []
  }

  private static let names = [("nam", "Slow Tide"), ("ART", "Émile")]
  private static let album = [("alb", "Harbour")]
  private static let all = list(names + album)
  private static let places = [
    Place(testDescription: "two lists", inMovie: MP4Bytes.box("udta", meta(list(names), list(album)))),
    Place(testDescription: "an empty list first", inMovie: MP4Bytes.box("udta", meta(list([]), all))),
    Place(testDescription: "an empty box first", inMovie: MP4Bytes.box("udta", meta(list([])), meta(all))),
    Place(
      testDescription: "keys that name nothing first",
      inMovie: MP4Bytes.box(
        "udta",
        MP4Bytes.box(
          "meta", [0, 0, 0, 0],
          MP4Bytes.box(
            "hdlr", [UInt8](repeating: 0, count: 8), Array("mdta".utf8), [UInt8](repeating: 0, count: 13)),
          MP4Bytes.box("keys", [UInt8](repeating: 0, count: 8)), list([])), meta(all))),
    Place(
      testDescription: "user data twice",
      inMovie: MP4Bytes.box("udta", meta(list([]))) + MP4Bytes.box("udta", meta(all))),
    Place(testDescription: "in the movie", inMovie: meta(all)),
    Place(testDescription: "beside the movie", inMovie: [], behind: meta(all)),
  ]

  @Test(arguments: places) func `all lists of items in MP4 are read`(_ place: Place) throws {
    var file = MP4Bytes().bytes
    // The movie is the last box.
    func size(_ offset: Int) -> Int { file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    var start = 0
    while start + size(start) < file.count { start += size(start) }
    file.replaceSubrange(start..<start + 4, with: bigEndian(UInt32(size(start) + place.inMovie.count)))
    try folder.write(file + place.inMovie + place.behind, to: "a.m4a")
    let reading = try OpenFile(folder.appending("a.m4a")).tags()
    #expect(reading.tags["TITLE"] == ["Slow Tide"])
    #expect(reading.tags["ARTIST"] == ["Émile"])
    #expect(reading.tags["ALBUM"] == ["Harbour"])
    #expect(reading.notes.isEmpty)
    try compareWithFFmpeg("a.m4a")
  }

  private func compareWithFFmpeg(_ name: String) throws {
    guard let program = Tool("ffprobe") else { return }
    let output = try program.run([
      "-v", "quiet", "-show_entries", "format_tags=title,artist,album", "-of", "json", folder.appending(name).path,
    ])
    let document = try JSONSerialization.jsonObject(with: output) as? [String: Any]
    let tags = (document?["format"] as? [String: Any])?["tags"] as? [String: String] ?? [:]
    // It joins values of several blocks.
    let read = Dictionary(tags.map { ($0.key.lowercased(), $0.value.prefix { $0 != ";" }) }) { first, _ in first }
    #expect(read == ["title": "Slow Tide", "artist": "Émile", "album": "Harbour"])
  }

  // MARK: FLAC

  @Test(arguments: [[], ["=nobody"], ["no separator"]])
  func `a block without a named comment hides no other one`(_ first: [String]) throws {
    var sound = FLACBytes.constant(frameCount: 1000, sampleRateInHz: 44_100)
    sound[4] = 0
    func block(_ type: UInt8, _ comments: [String]) -> [UInt8] {
      let listed = comments.flatMap { littleEndian(UInt32($0.utf8.count)) + Array($0.utf8) }
      return FLACBytes.metadataBlock(
        type, littleEndian(UInt32(0)) + littleEndian(UInt32(comments.count)) + listed)
    }
    let named = ["TITLE=Slow Tide", "ARTIST=Émile", "ALBUM=Harbour"]
    try folder.write(
      FLACBytes.inserting(block(4, first) + block(4, named) + block(0x84, ["TITLE=Third"]), into: sound), to: "a.flac")
    let tags = try OpenFile(folder.appending("a.flac")).tags().tags
    #expect(tags["TITLE"] == ["Slow Tide"] && tags["ARTIST"] == ["Émile"] && tags["ALBUM"] == ["Harbour"])
    if first.isEmpty { try compareWithFFmpeg("a.flac") }
  }

  // MARK: Vorbis

  /// Nothing that is heard depends on the comments: libvorbis refuses the stream for them, FFmpeg decodes it.
  @Test(arguments: ["a length", "the count", "the vendor", "nothing"])
  func `malformed comments of Vorbis leave the sound`(_ wrong: String) throws {
    var stream = try StreamFixture.vorbisStream()
    let vendor = Array("test".utf8)
    let comments = ["TITLE=Slow Tide", "ARTIST=Émile"].map { Array($0.utf8) }
    stream.packets[1].bytes =
      [3] + Array("vorbis".utf8) + littleEndian(UInt32(wrong == "the vendor" ? 1_000_000 : vendor.count)) + vendor
      + littleEndian(UInt32(wrong == "the count" ? 900 : 2))
      + comments.enumerated().flatMap { number, comment in
        littleEndian(UInt32(wrong == "a length" && number == 1 ? 70_000 : comment.count)) + comment
      } + [1]
    try folder.write(stream.bytes(), to: "a.ogg")
    let (decoded, whole) = (try DecodedFile(folder.appending("a.ogg")), try DecodedFile(StreamFixture.vorbis))
    #expect(decoded.samples == whole.samples && decoded.outcome.state == .ok)
    #expect(
      try OpenFile(folder.appending("a.ogg")).identity().hash == OpenFile(StreamFixture.vorbis).identity().hash)
    let reading = try OpenFile(folder.appending("a.ogg")).tags()
    #expect(reading.notes == (wrong == "nothing" ? [] : ["malformed-tags"]))
    #expect(wrong == "the vendor" || reading.tags["TITLE"] == ["Slow Tide"])
  }
}
