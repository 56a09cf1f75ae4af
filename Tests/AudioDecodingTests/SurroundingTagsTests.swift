import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Tags of formats that neither TagLib nor a decoder reads, and tags around no sound at all.
struct SurroundingTagsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let id3 = TagBytes.id3v2(
    TagBytes.textFrame("TIT2", "Kept") + TagBytes.textFrame("TDRC", "2010-04-03"))
  private static let ape = TagBytes.ape([("Title", "Kept"), ("Year", "2010-04-03")])
  private static let sound = [UInt8](repeating: 0x69, count: 8192)

  /// A DSF file of one block for each of two channels (Sony, DSF File Format Specification 1.01).
  private static func dsf(tagOffset: UInt64? = nil, _ tag: [UInt8]) -> [UInt8] {
    let header = 28 + 52 + 12
    let numbers: [UInt32] = [1, 0, 2, 2, 2_822_400, 1]
    let format =
      numbers.flatMap { littleEndian($0) } + littleEndian(UInt64(32_768)) + littleEndian(UInt32(4096)) + [0, 0, 0, 0]
    return Array("DSD ".utf8) + littleEndian(UInt64(28)) + littleEndian(UInt64(header + sound.count + tag.count))
      + littleEndian(tagOffset ?? UInt64(header + sound.count)) + Array("fmt ".utf8) + littleEndian(UInt64(52)) + format
      + Array("data".utf8) + littleEndian(UInt64(12 + sound.count)) + sound + tag
  }

  /// With a sound chunk of odd length, after which there is a byte of padding.
  private static var dsdiff: [UInt8] {
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
      Array(name.utf8) + bigEndian(UInt64(body.count)) + body + [UInt8](repeating: 0, count: body.count % 2)
    }
    let body =
      Array("DSD ".utf8) + chunk("FVER", [1, 5, 0, 0]) + chunk("DSD ", Array(sound.dropLast())) + chunk("ID3 ", id3)
    return Array("FRM8".utf8) + bigEndian(UInt64(body.count)) + body
  }

  struct Example: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
  }

  private static let examples = [
    Example(testDescription: "a.dsf", bytes: dsf(id3)),
    Example(testDescription: "a.dff", bytes: dsdiff),
    Example(testDescription: "a.tak", bytes: Array("tBaK".utf8) + sound + ape),
    Example(testDescription: "b.tak", bytes: id3 + Array("tBaK".utf8) + sound),
    Example(testDescription: "a.ofr", bytes: Array("OFR ".utf8) + sound + ape),
    Example(testDescription: "zeros.mp3", bytes: [UInt8](repeating: 0, count: 5000) + ape),
  ]

  @Test(arguments: examples) func `tags are read although the sound is not`(_ example: Example) throws {
    try folder.write(example.bytes, to: example.testDescription)
    let tags = try OpenFile(folder.appending(example.testDescription)).tags().tags
    #expect(tags["TITLE"] == ["Kept"])
    #expect(tags["DATE"] == ["2010-04-03"])
  }

  @Test func `an ID3v1 tag behind no sound is read`() throws {
    let tag = TagBytes.id3v1(title: "Kept", artist: "Duo", album: "", year: "2010", genre: 1)
    try folder.write([UInt8](repeating: 0, count: 5000) + tag, to: "a.mp3")
    #expect(try OpenFile(folder.appending("a.mp3")).tags().tags["ARTIST"] == ["Duo"])
  }

  /// Tags with "TAG" 128 bytes before their end, in a value or in the word APETAGEX of their header.
  private static let coincidences: [String: [UInt8]] = {
    func filled(_ count: Int) -> String { String(repeating: "y", count: count) }
    func ape(_ first: String, _ byteCount: Int) -> [UInt8] {
      TagBytes.ape([("Title", "Kept"), ("Album", first), ("Comment", filled(byteCount))])
    }
    // The footer has 32 bytes, the head of a comment 16, and a value goes on behind "TAG".
    let value = ape("VINTAGE HITS", 128 - 32 - 16 - 9)
    let header = TagBytes.ape([("Title", "Kept"), ("Comment", filled(131 - 64 - 18 - 16))])
    func frame(_ name: String, _ text: String) -> [UInt8] { TagBytes.textFrame(name, text) }
    let frames = frame("TIT2", "Kept") + frame("TALB", "VINTAGE HITS") + frame("TPE1", filled(128 - 10 - 9 - 11))
    let size = TagBytes.synchsafe(frames.count)
    let appended = Array("ID3".utf8) + [4, 0, 0x10] + size + frames + Array("3DI".utf8) + [4, 0, 0x10] + size
    // Without a header.
    var bare = value
    bare.removeFirst(32)
    bare.replaceSubrange(bare.count - 12..<bare.count - 8, with: littleEndian(UInt32(0)))
    return ["value": value, "header": header, "no header": bare, "ID3v2": appended]
  }()

  @Test(
    arguments: coincidences.keys.sorted(),
    ["damaged/cbr-without-xing.mp3", "audio/Émilie Søndergård/Les Échos/02 Balayage.flac"])
  func `a tag with a footer is no ID3v1, whatever stands 128 bytes before its end`(_ name: String, _ file: String)
    throws
  {
    let tag = try #require(Self.coincidences[name])
    try #require(Array(tag.suffix(128).prefix(3)) == Array("TAG".utf8))
    let sound = [UInt8](try Data(contentsOf: Corpora.fixtures.appending(path: file)))
    let copy = folder.appending("a.\(URL(filePath: file).pathExtension)")
    for bytes in [tag, tag + TagBytes.id3v1(title: "Other", artist: "", album: "", year: "", genre: 255)] {
      try Data(sound + bytes).write(to: copy)
      #expect(try DecodedFile(copy).outcome.state == .ok)
      // FLAC has its own tags, which count.
      if file.hasSuffix(".mp3") { #expect(try OpenFile(copy).tags().tags["TITLE"] == ["Kept"]) }
    }
  }

  @Test(arguments: [0, 5, 1 << 40, .max] as [UInt64])
  func `an offset in DSF that leads to no tag is no tag`(_ offset: UInt64) throws {
    try folder.write(Self.dsf(tagOffset: offset, Self.id3), to: "a.dsf")
    #expect(try OpenFile(folder.appending("a.dsf")).tags().tags == Tags())
  }

  @Test func `a chunk of DSDIFF that claims too much ends the search`() throws {
    try folder.write(
      Array("FRM8".utf8) + bigEndian(UInt64.max) + Array("DSD XXXX".utf8) + bigEndian(UInt64.max) + Self.id3,
      to: "a.dff")
    #expect(try OpenFile(folder.appending("a.dff")).tags().tags == Tags())
  }
}
