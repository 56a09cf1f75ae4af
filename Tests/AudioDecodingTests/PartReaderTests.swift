import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Chapters in files that other programs wrote. Ten seconds of sound have chapters at 0, 2.25 and 7.25 s.
struct PartReaderTests {
  private static let starts = [0, 2.25, 7.25]
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let samples = (0..<441_000).map { Int16(truncatingIfNeeded: ($0 &* 7919) % 2000) }
    try folder.write(WaveFile.bytes(samples, sampleRateInHz: 44_100, channelCount: 1), to: "a.wav")
    var text = ";FFMETADATA1\n"
    for (index, start) in Self.starts.enumerated() {
      let end = index + 1 < Self.starts.count ? Self.starts[index + 1] : 10
      text +=
        "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\(Int(start * 1000))\nEND=\(Int(end * 1000))\ntitle=Chapter é\(index + 1)\n"
    }
    try folder.write(text.utf8, to: "chapters.txt")
  }

  private func parts(_ url: URL) throws -> PartList? {
    let file = try OpenFile(url)
    let media = try file.mediaFile()
    let tags = try media.readTags().tags
    defer { withExtendedLifetime(file) {} }
    return try media.readParts(tags, sampleRateInHz: 44_100)
  }

  private static let encodings: [(String, [String], PartList.Source)] = [
    ("a.m4a", ["-c:a", "aac"], .textTrack), ("b.m4a", ["-c:a", "alac"], .textTrack), ("a.mp3", [], .id3),
    ("a.opus", ["-c:a", "libopus"], .comments), ("a.mka", ["-c:a", "flac"], .matroska),
    ("a.webm", ["-c:a", "libopus"], .matroska),
  ]

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: encodings)
  func `chapters that ffmpeg writes are read`(name: String, options: [String], source: PartList.Source) throws {
    let file = folder.appending(name)
    try Tool.run(
      "ffmpeg",
      arguments: [
        "-v", "error", "-i", folder.appending("a.wav").path, "-i", folder.appending("chapters.txt").path, "-map", "0:a",
        "-map_metadata", "1", "-map_chapters", "1",
      ] + options + [file.path])
    let list = try #require(try parts(file))
    #expect(list.source == source)
    #expect(list.parts.map(\.frames.lowerBound) == Self.starts.map { Int64($0 * 44_100) })
    #expect(list.parts.map(\.tags.title) == ["Chapter é1", "Chapter é2", "Chapter é3"])
    #expect(list.notes.isEmpty)
  }

  @Test func `tables of contents in tables of contents list chapters, and a circle ends nothing`() throws {
    func chapter(_ id: String, _ start: UInt32) -> [UInt8] {
      var body = Array(id.utf8) + [0] + bigEndian(start) + bigEndian(start + 1000)
      body += [UInt8](repeating: 255, count: 8) + TagBytes.textFrame("TIT2", id)
      return TagBytes.frame("CHAP", body)
    }
    func contents(_ id: String, flags: UInt8, _ entries: [String]) -> [UInt8] {
      var body = Array(id.utf8) + [0, flags, UInt8(entries.count)]
      for entry in entries { body += Array(entry.utf8) + [0] }
      return TagBytes.frame("CTOC", body + TagBytes.textFrame("TIT2", "Contents"))
    }
    var tag = contents("toc", flags: 3, ["book", "c3"]) + contents("book", flags: 1, ["c1", "c2", "toc", "gone"])
    for (number, id) in ["c1", "c2", "c3", "other"].enumerated() { tag += chapter(id, UInt32(1000 * number)) }
    try folder.write(TagBytes.id3v2(tag) + MPEGBytes.silentFrames(300), to: "a.mp3")
    let list = try #require(try parts(folder.appending("a.mp3")))
    #expect(list.parts.map(\.tags.title) == ["c1", "c2", "c3"])
    #expect(list.parts.map(\.frames.lowerBound) == [0, 44_100, 88_200])
  }

  private static let sheet = """
    FILE "a.wav" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two"
        ISRC GBAYE7300001
        INDEX 00 00:02:00
        INDEX 01 00:03:01
    """

  @Test(.enabled(if: Tool.exist("flac", "metaflac"), "flac is not installed"), arguments: [true, false])
  func `the block of FLAC gives places, and a sheet in the comments the names`(hasNames: Bool) throws {
    let file = folder.appending("a.flac")
    try folder.write(Self.sheet.utf8, to: "a.cue")
    try Tool.run("flac", "--silent", "-o", file.path, folder.appending("a.wav").path)
    try Tool.run("metaflac", "--import-cuesheet-from=\(folder.appending("a.cue").path)", file.path)
    if hasNames {
      try Tool.run("metaflac", "--set-tag-from-file=CUESHEET=\(folder.appending("a.cue").path)", file.path)
    }
    let list = try #require(try parts(file))
    #expect(list.source == .flac)
    // The lead-out ends the last track: the block knows the length of the sound.
    let second: Int64 = 226 * 588
    #expect(list.parts.map(\.frames) == [0..<second, second..<441_000])
    #expect(list.parts.map(\.tags.title) == (hasNames ? ["One", "Two"] : [nil, nil]))
    #expect(list.parts[1].tags.isrc == "GBAYE7300001")
    try Tool.run("metaflac", "--remove", "--block-type=CUESHEET", file.path)
    #expect(try parts(file)?.source == (hasNames ? .sheetTag : nil))
  }

  @Test func `a file without parts has none`() throws {
    #expect(try parts(folder.appending("a.wav")) == nil)
  }
}
