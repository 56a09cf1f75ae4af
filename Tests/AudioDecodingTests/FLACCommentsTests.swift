import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

// Faults: 162
/// FLAC whose metadata blocks are not as they should be: what can be read of the tags is read.
struct FLACCommentsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// STREAMINFO without the last-block flag, and one block of silence.
  private static var sound: [UInt8] {
    var bytes = FLACBytes.constant(frameCount: 1000, sampleRateInHz: 44_100)
    bytes[4] = 0
    return bytes
  }

  private static let comments = TagBytes.vorbisComments("TITLE=Kept", "ARTIST=Søren", "ARTIST=Åse", "DATE=2010")
  private static let padding = FLACBytes.metadataBlock(0x81, [UInt8](repeating: 0, count: 40))

  /// A block of comments that claims another length.
  private static func claiming(_ byteCount: Int, _ type: UInt8 = 4) -> [UInt8] {
    [type, UInt8(byteCount >> 16), UInt8(byteCount >> 8 & 0xFF), UInt8(byteCount & 0xFF)] + comments
  }

  struct Blocks: CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
  }

  private static let blocks = [
    Blocks(testDescription: "as it should be", bytes: FLACBytes.metadataBlock(4, comments) + padding),
    Blocks(
      testDescription: "an unknown block before",
      bytes: FLACBytes.metadataBlock(0x2A, [1, 2, 3]) + FLACBytes.metadataBlock(4, comments) + padding),
    Blocks(
      testDescription: "an unknown block behind",
      bytes: FLACBytes.metadataBlock(4, comments) + FLACBytes.metadataBlock(0x7E, [1, 2, 3]) + padding),
    Blocks(
      testDescription: "an empty unknown block",
      bytes: FLACBytes.metadataBlock(0x2A, []) + FLACBytes.metadataBlock(4, comments) + padding),
    Blocks(testDescription: "comments that claim too little", bytes: claiming(20) + padding),
    Blocks(testDescription: "comments that claim the rest and more", bytes: claiming(0xFF_FFFF) + padding),
    Blocks(testDescription: "last comments that claim too much", bytes: claiming(0xFFFF, 0x84)),
    Blocks(
      testDescription: "a block before that claims too much",
      bytes: [0x02, 0, 0x40, 0, 65, 66, 67, 68] + FLACBytes.metadataBlock(4, comments) + padding),
    Blocks(
      testDescription: "a block before that claims nothing",
      bytes: [0x02, 0, 0, 0, 65, 66, 67, 68] + FLACBytes.metadataBlock(4, comments) + padding),
    Blocks(
      testDescription: "a block behind that claims too much",
      bytes: FLACBytes.metadataBlock(4, comments) + [0x02, 0xFF, 0xFF, 0xFF, 65, 66, 67, 68] + padding),
  ]

  @Test(arguments: blocks) func `the comments are read, whatever the blocks claim`(_ blocks: Blocks) throws {
    try folder.write(FLACBytes.inserting(blocks.bytes, into: Self.sound), to: "a.flac")
    let tags = try OpenFile(folder.appending("a.flac")).tags().tags
    #expect(tags["TITLE"] == ["Kept"])
    #expect(tags["ARTIST"] == ["Søren", "Åse"])
    #expect(tags["DATE"] == ["2010"])
  }

  /// A picture that claims to be shorter or longer than it is, between comments and padding.
  @Test(arguments: [0, 10, 40, 200, 5000]) func `the sound is whole, whatever a picture claims`(claim: Int) throws {
    let image: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 60)
    let mimeType = Array("image/png".utf8)
    let picture =
      bigEndian(UInt32(3)) + bigEndian(UInt32(mimeType.count)) + mimeType + [UInt8](repeating: 0, count: 20)
      + bigEndian(UInt32(image.count)) + image
    var bytes = FLACBytes.metadataBlock(4, Self.comments) + FLACBytes.metadataBlock(6, picture) + Self.padding
    let place = bytes.count - Self.padding.count - picture.count - 3
    bytes.replaceSubrange(place..<place + 3, with: [0, UInt8(claim >> 8), UInt8(claim & 0xFF)])
    let sound = FLACBytes.constant(frameCount: 200_000, sampleRateInHz: 44_100) { Int16(100 * ($0 + 1)) }
    var open = sound
    open[4] = 0
    try folder.write(FLACBytes.inserting(bytes, into: open), to: "a.flac")
    try folder.write(sound, to: "b.flac")
    let (odd, whole) = (
      try DecodedFile(folder.appending("a.flac")), try DecodedFile(folder.appending("b.flac"))
    )
    #expect(odd.samples == whole.samples && odd.outcome.state == .ok)
    let reading = try OpenFile(folder.appending("a.flac")).tags()
    #expect(reading.artwork.map(\.bytes) == [image] && reading.tags["TITLE"] == ["Kept"])
    #expect(reading.notes.contains("malformed-tags"))
  }

  @Test(arguments: [true, false]) func `a comment in UTF-16 with a mark is read`(isLittleEndian: Bool) throws {
    let units = ("\u{FEFF}" + "Tïtle 夜").utf16.flatMap { unit in
      isLittleEndian ? bigEndian(unit.byteSwapped) : bigEndian(unit)
    }
    func field(_ bytes: [UInt8]) -> [UInt8] { bigEndian(UInt32(bytes.count).byteSwapped) + bytes }
    let comments =
      field([]) + bigEndian(UInt32(2).byteSwapped) + field(Array("TITLE=".utf8) + units)
      + field(Array("ARTIST=Kept".utf8))
    let block = FLACBytes.metadataBlock(4, comments) + Self.padding
    try folder.write(FLACBytes.inserting(block, into: Self.sound), to: "a.flac")
    let tags = try OpenFile(folder.appending("a.flac")).tags().tags
    #expect(tags["TITLE"] == ["Tïtle 夜"] && tags["ARTIST"] == ["Kept"])
  }

  @Test(arguments: [0, 33, 35, 0xFF_FFFF]) func `a wrong length of STREAMINFO hides no frame`(length: Int) throws {
    var bytes = FLACBytes.constant(frameCount: 1000, sampleRateInHz: 44_100)
    try folder.write(bytes, to: "right.flac")
    bytes.replaceSubrange(5..<8, with: [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)])
    // One byte of it is taken for a part of the block, as libFLAC does.
    if length == 35 { bytes.insert(0, at: 42) }
    try folder.write(bytes, to: "wrong.flac")
    let right = try OpenFile(folder.appending("right.flac")).identity()
    let wrong = try OpenFile(folder.appending("wrong.flac")).identity()
    #expect(right.byteCount > 0 && wrong.hash == right.hash)
  }

  @Test(arguments: [[0x04, 0xFF, 0xFF, 0xFF], [0x82, 0, 0x40, 0]] as [[UInt8]])
  func `a block that leads beyond the end hides no frame`(head: [UInt8]) throws {
    try folder.write(Self.sound, to: "right.flac")
    try folder.write(FLACBytes.inserting(head + Self.comments, into: Self.sound), to: "wrong.flac")
    let right = try OpenFile(folder.appending("right.flac")).identity()
    let wrong = try OpenFile(folder.appending("wrong.flac")).identity()
    #expect(right.byteCount > 0 && wrong.hash == right.hash)
  }
}
