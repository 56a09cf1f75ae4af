import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Any range of a file is bit for bit that range of a decode from the start.
struct SeekingTests {
  /// Decodes ranges in random order and compares each; the first that differs is the only one reported.
  private func compareRanges(
    _ url: URL, count: Int, seekingMethod: SeekingMethod = .byPosition, longest: Int = 1000
  ) throws {
    let whole = try DecodedFile(url)
    let file = try OpenFile(url)
    let decoder = try file.mediaFile().makeDecoder(seekingMethod: seekingMethod)
    let channelCount = decoder.format.channelCount
    var random = RepeatableRandom(seed: UInt64(whole.frameCount))
    try #require(whole.frameCount > 0)
    for number in 0..<count {
      // The first and the last frame, and a little beyond it, come up often enough.
      let position = min(
        max(0, Int.random(in: -whole.frameCount / 50...whole.frameCount * 51 / 50, using: &random)), whole.frameCount)
      let length = Int.random(in: 1...longest, using: &random)
      try decoder.seek(toFrame: Int64(position))
      let block = try decoder.readFrames(length)
      let expected = whole.samples[(position * channelCount)...].prefix(length * channelCount)
      guard block.elementsEqual(expected, by: { $0.bitPattern == $1.bitPattern }) else {
        Issue.record("range \(number), frame \(position) of \(whole.frameCount): \(block.count) samples differ")
        return
      }
    }
  }

  @Test(.enabled(if: EncodedSignal.areToolsThere, "ffmpeg, flac or sox is not installed"), arguments: EncodedSignal.all)
  func `a thousand random ranges in each format equal the whole decode`(_ signal: EncodedSignal) throws {
    let folder = try TemporaryFolder()
    try compareRanges(try signal.make(in: folder), count: signal.isVariant ? 200 : 1000)
  }

  /// Those of which another decoder has counted the frames.
  private static let fixtures: [String] = {
    struct Expected: Decodable {
      struct File: Decodable {
        var path: String
        var frames: Int?
      }
      var files: [File]
    }
    let data = try? Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    return data.flatMap { try? JSONDecoder().decode(Expected.self, from: $0) }?.files
      .filter { $0.frames ?? 0 > 0 }.map(\.path) ?? []
  }()

  @Test func `there are fixtures with counted frames`() { #expect(Self.fixtures.count > 40) }

  @Test(arguments: fixtures)
  func `ranges of a fixture equal the whole decode, by counting where it is damaged`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let isDamaged = try DecodedFile(url).outcome.state == .damaged
    try compareRanges(url, count: 50, seekingMethod: isDamaged ? .byCounting : .byPosition)
  }

  /// Frames that break the standard so that libmpg123 skips a part of them: from there on it forms its sums in another
  /// order than a decoder that starts later, which shows in the last bit.
  private static let brokenFrames = [
    "l3-nonstandard-compl-sideinfo-bigvalues.bit", "l3-nonstandard-compl-sideinfo-blocktype.bit",
  ]

  private static func corpus(_ folder: String, _ pathExtensions: Set<String>) -> [URL] {
    guard let root = Corpora.root?.appending(path: folder),
      let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    return files.compactMap { $0 as? URL }.filter { pathExtensions.contains($0.pathExtension) }.sorted {
      $0.path < $1.path
    }
  }

  @Test(.enabled(if: Corpora.root != nil, Comment(rawValue: Corpora.absence)))
  func `ranges of the reference streams of MPEG audio and FLAC equal the whole decode`() throws {
    var count = 0
    for url in Self.corpus("mp3-vectors", ["bit"]) + Self.corpus("flac", ["flac"])
    where !Self.brokenFrames.contains(url.lastPathComponent) {
      guard let decoded = try? DecodedFile(url), decoded.frameCount > 0 else { continue }
      try compareRanges(
        url, count: 20, seekingMethod: decoded.outcome.state == .damaged ? .byCounting : .byPosition)
      count += 1
    }
    #expect(count > 100)
  }

  @Test func `frames of an Ogg stream are found in front of a gap and behind it`() throws {
    try compareRanges(Corpora.fixtures.appending(path: "damaged/hole.ogg"), count: 300)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `no zero of Vorbis is negative, as it would be by where buffers lie`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("silence.ogg")
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anullsrc=r=44100:cl=stereo", "-t", "1", "-c:a", "libvorbis",
      file.path)
    let decoded = try DecodedFile(file)
    #expect(decoded.frameCount == 44_100)
    #expect(decoded.samples.count { $0.bitPattern != 0 } == 0)
  }

  @Test func `a sign of life is given while a decoder is on its way`() throws {
    let file = try OpenFile(
      Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus"))
    let decoder = try file.decoder()
    var signCount = 0
    try decoder.seek(toFrame: 400_000) { signCount += 1 }
    #expect(signCount > 50)
    // The state on the way was kept: going back a little is no way from the start.
    signCount = 0
    try decoder.seek(toFrame: 390_000) { signCount += 1 }
    #expect(signCount < 30)
  }
}
