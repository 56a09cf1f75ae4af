import Foundation
import Testing
import TestSupport

/// Files with the same stream but different headers: each is judged by itself, in whatever order the copies are read.
struct CopiesOfRecordingsTests {
  private static let flac = "audio/Émilie Søndergård/Les Échos/02 Balayage.flac"
  private static let vorbis = "audio/星屑電機/夜の配線/01 真空管.ogg"

  /// The fixture with other numbers in its STREAMINFO (RFC 9639 section 8.2), which the hash of the stream leaves out.
  private func flac(rate: (UInt64) -> UInt64 = { $0 }, frames: (UInt64) -> UInt64 = { $0 }) throws -> [UInt8] {
    var bytes = try [UInt8](Data(contentsOf: Corpora.fixtures.appending(path: Self.flac)))
    try #require(bytes.starts(with: Array("fLaC".utf8)))
    // 20 bits of rate, 3 of channels, 5 of width, 36 of frames.
    let packed = bytes[18..<26].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let changed = rate(packed >> 44) << 44 | packed & (0xFF << 36) | frames(packed & 0xF_FFFF_FFFF)
    bytes.replaceSubrange(18..<26, with: (0..<8).map { UInt8(truncatingIfNeeded: changed >> (56 - 8 * $0)) })
    return bytes
  }

  /// The fixture with a setup header that no longer means anything; its checksum is right.
  private func vorbisWithoutCodebooks() throws -> [UInt8] {
    let file = try [UInt8](Data(contentsOf: Corpora.fixtures.appending(path: Self.vorbis)))
    var pages = OggBytes.pages(file)
    // The comment header and the setup header share the second page; the latter begins with 5, "vorbis".
    let marker: [UInt8] = [5] + Array("vorbis".utf8)
    let start = try #require(pages[1].indices.first { pages[1][$0...].starts(with: marker) })
    for index in start + 7..<start + 40 { pages[1][index] = 0xFF }
    pages[1] = OggBytes.withChecksum(pages[1])
    return Array(pages.joined())
  }

  @Test(arguments: ["a good", "m good", "z good"], [1, 2, 5])
  func `a good copy does not hide what is wrong with the others`(good: String, jobs: Int) async throws {
    let deadwax = try DeadwaxCommand()
    let music = try MusicFolder()
    try music.add(fixture: Self.flac, as: "\(good).flac")
    try music.add(fixture: Self.vorbis, as: "\(good).ogg")
    try music.write(flac(rate: { $0 + 1_000 }), to: "b rate.flac")
    try music.write(flac(frames: { $0 * 2 }), to: "n more.flac")
    try music.write(flac(frames: { $0 / 2 }), to: "o fewer.flac")
    try music.write(vorbisWithoutCodebooks(), to: "n setup.ogg")
    for options in [[], ["--deep"]] {
      let scan = try await deadwax.run(["scan", music.path, "--jobs", "\(jobs)"] + options)
      #expect(scan.status == 0, "\(scan)")
      let problems = try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self)
      let reasons = Dictionary(uniqueKeysWithValues: problems.map { (URL(filePath: $0.path).lastPathComponent, $0) })
      #expect(
        reasons.keys.sorted() == ["b rate.flac", "n more.flac", "n setup.ogg", "o fewer.flac"], "\(problems)")
      #expect(problems.allSatisfy { $0.state == "damaged" }, "\(problems)")
      #expect(reasons["b rate.flac"]?.reason?.contains("STREAMINFO says") == true)
      #expect(reasons["n more.flac"]?.reason?.hasPrefix("truncated: ") == true)
      #expect(reasons["o fewer.flac"]?.reason?.hasPrefix("stream longer than header: ") == true)
      let tracks = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
        .lines(TrackRow.self)
      #expect(Set(tracks.filter { $0.codec == "flac" }.map(\.id)).count == 1, "\(tracks)")
    }
  }
}
