import AudioDecoding
import Foundation
@testable import TagEditing
import Testing
import TestSupport

/// Boxes of MP4: free space gives way first, and places follow what moves.
struct MP4EditingTests {
  private static func fixture() throws -> TaggedFile {
    let url = Corpora.fixtures.appending(path: "audio/Public Address/Announcements/03 Sillon de sortie.m4a")
    return TaggedFile([UInt8](try Data(contentsOf: url)))
  }

  /// The same sound in another arrangement of boxes, by FFmpeg.
  private static func remuxed(_ options: String...) throws -> TaggedFile {
    let folder = try TemporaryFolder()
    try folder.write(try fixture().bytes, to: "in.m4a")
    try Tool.run(
      "ffmpeg",
      arguments: ["-v", "error", "-i", folder.appending("in.m4a").path, "-c", "copy"] + options
        + [folder.appending("out.m4a").path])
    return TaggedFile(try folder.bytes(of: "out.m4a"))
  }

  private static func boxes(_ file: TaggedFile) throws -> [String] {
    try MP4Box.boxes(file.buffered, in: 0..<Int64(file.bytes.count)).map { String(decoding: $0.type, as: UTF8.self) }
  }

  private static let long = String(repeating: "Long words of a song. ", count: 300)

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `with the movie in front, places follow what moves, once`() throws {
    var file = try Self.remuxed("-movflags", "+faststart")
    #expect(try Self.boxes(file).starts(with: ["ftyp", "moov"]))
    let plan = try file.edit(.set("LYRICS", [Self.long]), .set("MY OWN NAME", ["x", "y"]), .set("BPM", ["120.5"]))
    #expect(plan.newByteCount > plan.oldByteCount)
    #expect(try Mutagen.read(file.bytes, named: "a.m4a")["LYRICS"] == [Self.long])
    // There is free space now.
    let second = try file.edit(.set("LYRICS", [Self.long + "And more."]))
    #expect(TaggedFile.keepsPlaces(second))
    #expect(TaggedFile.keepsPlaces(try file.edit(.remove("LYRICS"))))
    file.undoAll()
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `with the movie at the end, the sound stays where it is`() throws {
    var file = try Self.remuxed()
    #expect(try Self.boxes(file).last == "moov")
    let plan = try file.edit(.set("LYRICS", [Self.long]))
    guard case .copy(let range)? = plan.segments.first else { return }
    #expect(range.lowerBound == 0 && range.upperBound > plan.oldByteCount / 2)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `fragments move, but not with an index of them`() throws {
    let options = "+frag_keyframe+empty_moov+skip_trailer"
    var file = try Self.remuxed("-movflags", options, "-frag_duration", "500000")
    #expect(try Self.boxes(file).contains("moof"))
    try file.edit(.set("TITLE", ["Ebb"]), .set("LYRICS", [Self.long]))
    let indexed = try Self.remuxed("-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "500000")
    #expect(try Self.boxes(indexed).last == "mfra")
    #expect(
      indexed.refusal(.set("LYRICS", [Self.long])) == .unsafe("the box mfra has offsets that would become wrong"))
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `a file without items gets a list`() throws {
    var file = try Self.remuxed("-map_metadata", "-1", "-fflags", "+bitexact", "-movflags", "+faststart")
    try file.edit(.set("TITLE", ["Ebb"]), .set("TRACKNUMBER", ["3/12"]), .set("COMPILATION", ["1"]))
    let read = try Mutagen.read(file.bytes, named: "a.m4a")
    #expect(read["TITLE"] == ["Ebb"] && read["TRACKNUMBER"] == ["3/12"] && read["COMPILATION"] == ["1"])
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "FFmpeg is not installed"))
  func `a new list beside texts of QuickTime says what they say`() throws {
    var file = try Self.remuxed(
      "-map_metadata", "-1", "-metadata", "title=Tide", "-metadata", "artist=Vale", "-f", "mov")
    #expect(try file.properties()["TITLE"] == ["Tide"])
    #expect(try Mutagen.read(file.bytes, named: "a.m4a")["TITLE"] == nil, "they are no items of iTunes")
    try file.edit(.set("ALBUM", ["Tides"]))
    let read = try Mutagen.read(file.bytes, named: "a.m4a")
    #expect(read["TITLE"] == ["Tide"] && read["ARTIST"] == ["Vale"] && read["ALBUM"] == ["Tides"])
    file.undoAll()
  }

  @Test func `items that nobody knows are copied, and names keep their spelling`() throws {
    let folder = try TemporaryFolder()
    try folder.write(try Self.fixture().bytes, to: "a.m4a")
    try Mutagen.run(
      """
      file = mp4.MP4(path)
      file.tags['----:com.apple.iTunes:iTunSMPB'] = [mp4.MP4FreeForm(b' 00000000 00000840', 1)]
      file.tags['----:com.serato.dj:markersv2'] = [mp4.MP4FreeForm(b'\\x01\\x02', 0)]
      file.tags['----:com.apple.iTunes:Label'] = [mp4.MP4FreeForm(b'Old', 1)]
      file.tags['covr'] = [mp4.MP4Cover(b'\\xff\\xd8\\xff1', 13), mp4.MP4Cover(b'\\x89PNG\\r\\n\\x1a\\n', 14)]
      file.save()
      """, folder.appending("a.m4a"))
    var file = TaggedFile(try folder.bytes(of: "a.m4a"))
    try file.edit(
      .set("LABEL", ["New"]), .set("TITLE", ["Ebb", "Flood"]),
      .setFrontCover(TagEdit.Cover(bytes: [0xFF, 0xD8, 0xFF, 9, 9, 9], mimeType: "image/jpeg")))
    #expect(try file.covers().map(\.count) == [6, 8])
    #expect(Array("Label".utf8).isContained(in: file.bytes))
    let read = try Mutagen.read(file.bytes, named: "a.m4a")
    #expect(read["TITLE"] == ["Ebb", "Flood"] && read["LABEL"] == ["New"])
    try file.edit(.removeFrontCovers)
    #expect(try file.covers().isEmpty)
  }
}

extension [UInt8] {
  fileprivate func isContained(in other: [UInt8]) -> Bool {
    indices.isEmpty || other.indices.contains { other[$0...].starts(with: self) }
  }
}
