import Foundation
import Testing
import TestSupport

/// What `ls` and `show` say about lossless files that were made from lossy ones.
@Suite(.enabled(if: Tool.exist("ffmpeg", "oggenc"), "ffmpeg and oggenc are not installed"))
struct LossySourceTests {
  /// Ten seconds of pink noise up to half the rate, and what became of it through encoders.
  private func scannedNoise() async throws -> (DeadwaxCommand, MusicFolder) {
    let music = try MusicFolder()
    func path(_ name: String) -> String { music.file(name).path }
    try Tool.run(
      "ffmpeg", "-f", "lavfi", "-i", "anoisesrc=color=pink:seed=7:duration=10:sample_rate=44100:amplitude=0.4", "-ac",
      "2", "-c:a", "pcm_s16le", path("original.wav"))
    try Tool.run("ffmpeg", "-i", path("original.wav"), path("lossless.flac"))
    for rate in ["128", "192", "320"] {
      try Tool.run("ffmpeg", "-i", path("original.wav"), "-c:a", "libmp3lame", "-b:a", "\(rate)k", path("\(rate).mp3"))
      try Tool.run("ffmpeg", "-i", path("\(rate).mp3"), "-sample_fmt", "s16", path("mp3-\(rate).flac"))
    }
    try Tool.run("oggenc", "-q", "3", "-o", path("q3.ogg"), path("original.wav"))
    try Tool.run("ffmpeg", "-i", path("q3.ogg"), "-sample_fmt", "s16", path("vorbis-q3.flac"))
    try Tool.run(
      "ffmpeg", "-i", path("original.wav"), "-af", "aresample=96000:filter_size=256:cutoff=0.97", "-c:a", "pcm_s24le",
      path("upsampled.wav"))
    let deadwax = try DeadwaxCommand.called()
    let outcome = try await deadwax.run(["scan", music.path])
    #expect(outcome.status == 0, "\(outcome)")
    return (deadwax, music)
  }

  @Test(.timeLimit(.minutes(2))) func `decoded MP3 and Vorbis are found by their cut-off, and originals are not`()
    async throws
  {
    let (deadwax, music) = try await scannedNoise()
    func names(_ query: String) async throws -> [String] {
      try await deadwax.run(["ls", query, "--fields", "filename", "--format", "tsv"]).text
        .split(separator: "\n").dropFirst().map { String($0) }.sorted()
    }
    #expect(try await names("lossy_source:strong") == ["mp3-128.flac", "mp3-192.flac", "vorbis-q3.flac"])
    #expect(try await names("lossy_source:weak") == ["mp3-320.flac", "upsampled.wav"])
    #expect(try await names("lossy_source:none") == ["lossless.flac", "original.wav"])
    #expect(try await names("lossy_source:\"\"") == ["128.mp3", "192.mp3", "320.mp3", "q3.ogg"])

    // The bands in which the low-passes of LAME 3.100 and libvorbis fall, and around half of 44.1 kHz.
    let edges = [
      "mp3-128.flac": 16_400...17_100.0, "mp3-192.flac": 18_500...19_300, "mp3-320.flac": 19_900...20_700,
      "vorbis-q3.flac": 17_000...18_900, "upsampled.wav": 21_000...22_600,
    ]
    for (name, band) in edges {
      let document = try await deadwax.run(["show", "--json", music.file(name).path]).document(TrackDocument.self)
      #expect(band.contains(try #require(document.measures.cutoff_hz, "\(name)")), "\(name)")
      #expect(try #require(document.measures.cutoff_confidence) > 0.5, "\(name)")
      #expect(document.lossy_source?.reason.hasPrefix("nothing above ") == true, "\(name)")
    }
    let lossy = try await deadwax.run(["show", "--json", music.file("128.mp3").path]).document(TrackDocument.self)
    #expect(lossy.lossy_source == nil && lossy.measures.cutoff_hz != nil)

    let text = try await deadwax.run(["show", music.file("mp3-128.flac").path]).text
    let row = try #require(text.split(separator: "\n").first { $0.hasPrefix("Lossy source") })
    #expect(row.contains("strong evidence: nothing above 16.") && row.hasSuffix("an MP3 of about 128 kbit/s"))
    #expect(text.contains("(up to -60 dBFS)"))
  }
}
