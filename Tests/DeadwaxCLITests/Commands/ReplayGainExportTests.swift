import Foundation
import Testing
import TestSupport

/// The programs that write and read the tags.
private enum Taggers {
  static let arePresent =
    Tool.exist("ffmpeg", "metaflac", "vorbiscomment", "opusinfo", "mid3v2")
    && (try? Tool.run("env", "/usr/bin/python3", "-c", "import mutagen")) != nil
  static let absence = "ffmpeg, flac, vorbis-tools, opus-tools or python3-mutagen is not installed"
}

/// `tags write --replaygain`: loudness in the tags in which players look for it, as other programs read them; and the same numbers by
/// `export --what replaygain`.
@Suite(.enabled(if: Taggers.arePresent, Comment(rawValue: Taggers.absence)))
struct ReplayGainExportTests {
  /// Prints the tags of a WAV file with a description.
  private static let waveTags = """
    import sys, mutagen.wave
    for frame in mutagen.wave.WAVE(sys.argv[1]).tags.getall('TXXX'):
        print(frame.desc + '=' + frame.text[0])
    """

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
    let chords = Signal.chords(seconds: 5, sampleRateInHz: 48_000)
    let loudest = chords.map { abs($0) }.max() ?? 1
    try music.write(
      WaveFile.bytes(chords.map { Int16($0 / loudest * 30_000) }, sampleRateInHz: 48_000, channelCount: 1), to: "x")
    // Names that a shell or Python would interpret.
    for (index, name) in ["it's \"quoted\" $(id).flac", "b'\\x41\n`.mp3", "--help 星.ogg", "\\\".opus", "y.wav"]
      .enumerated()
    {
      try Tool.run(
        "ffmpeg",
        arguments: [
          "-v", "error", "-i", music.file("x").path, "-af", "volume=-\(index * 3)dB", "-metadata", "album=Slow",
          "-metadata", "artist=Nora", "-metadata", "title=\(index)", "-metadata", "replaygain_track_gain=+9.99 dB",
        ] + (name.hasSuffix("mp3") ? ["-id3v2_version", "3"] : []) + [music.file(name).path])
    }
    try music.remove("x")
    try await deadwax.must(["scan", "-q", music.path])
  }

  private struct Shown: Decodable {
    struct Measures: Decodable { var loudness_lufs, true_peak_dbtp: Double }
    struct Album: Decodable { var loudness_lufs, true_peak_dbtp: Double }
    var measures: Measures
    var album: Album
  }

  private func shown(_ title: Int) async throws -> Shown {
    try await deadwax.must(["show", "title:=\(title)", "--json"]).document()
  }

  private func file(_ ending: String) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: music.path)
    return music.file(try #require(names.first { $0.hasSuffix(ending) })).path
  }

  /// `NAME=value` of each of our tags, with the name in upper case, sorted.
  private func tags(_ ending: String) throws -> [String] {
    let path = try file(ending)
    let text =
      switch ending {
      case "flac": try Tool.run("metaflac", "--export-tags-to=-", path)
      case "mp3": try Tool.run("mid3v2", "--list-raw", path)
      case "wav":
        try Tool.run("env", "/usr/bin/python3", "-c", Self.waveTags, path)
      case "opus": try Tool.run("opusinfo", path)
      default: try Tool.run("vorbiscomment", "-l", "-R", path)
      }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
      var line = line.trimmingCharacters(in: .whitespaces)
      // mid3v2 shows frames as Python writes them.
      if ending == "mp3", let description = line.split(separator: "desc='").last?.split(separator: "'").first,
        let value = line.split(separator: "text=['").last?.split(separator: "'").first
      {
        line = "\(description)=\(value)"
      }
      let parts = line.split(separator: "=", maxSplits: 1)
      let name = parts[0].uppercased()
      return parts.count == 2 && ["REPLAYGAIN_", "R128_"].contains { name.hasPrefix($0) } ? "\(name)=\(parts[1])" : nil
    }.sorted()
  }

  @Test func `the tags of each format are written as they were shown, and nothing the second time`() async throws {
    let before = try TreeDigest(of: music.url)
    let promised = try await deadwax.must(["tags", "write", "--replaygain", "--all"])
    #expect(promised.text.contains("  replaygain_track_gain: +9.99 dB → "), "\(promised)")
    #expect(promised.errorText.contains("would write tags of 5 files"), "\(promised)")
    #expect(try TreeDigest(of: music.url) == before)

    let written = try await deadwax.must(["tags", "write", "--replaygain", "--all", "--yes"])
    #expect(written.text == promised.text && written.errorText.contains("wrote tags of 5 files"), "\(written)")
    for (index, ending) in ["flac", "mp3", "ogg", "opus", "wav"].enumerated() {
      let (track, album) = (try await shown(index).measures, try await shown(index).album)
      let found = try tags(ending)
      func gain(_ loudness: Double) -> String { String(format: "%.2f dB", -18 - loudness) }
      func peak(_ level: Double) -> String { String(format: "%.6f", pow(10, level / 20)) }
      let expected =
        ending == "opus"
        ? [
          "R128_ALBUM_GAIN=\(Int((256 * (-23 - album.loudness_lufs)).rounded()))",
          "R128_TRACK_GAIN=\(Int((256 * (-23 - track.loudness_lufs)).rounded()))",
        ]
        : [
          "REPLAYGAIN_ALBUM_GAIN=\(gain(album.loudness_lufs))", "REPLAYGAIN_ALBUM_PEAK=\(peak(album.true_peak_dbtp))",
          "REPLAYGAIN_REFERENCE_LOUDNESS=-18.00 LUFS", "REPLAYGAIN_TRACK_GAIN=\(gain(track.loudness_lufs))",
          "REPLAYGAIN_TRACK_PEAK=\(peak(track.true_peak_dbtp))",
        ]
      #expect(found == expected, "\(ending)")
    }
    // The tag keeps its version, and the sound is the same.
    #expect(try Data(contentsOf: URL(filePath: file("mp3"))).prefix(4) == Data([0x49, 0x44, 0x33, 3]))
    let after = try TreeDigest(of: music.url)
    #expect(after != before)
    let again = try await deadwax.must(["tags", "write", "--replaygain", "--all", "--yes"])
    #expect(again.text.isEmpty && again.errorText.contains("nothing to write"), "\(again)")
    #expect(try TreeDigest(of: music.url) == after)
    struct Scan: Decodable { var changed, decoded_files: Int }
    let scan: Scan = try await deadwax.must(["scan", music.path, "--json"]).document()
    #expect(scan.changed == 0 && scan.decoded_files == 0)
    #expect(
      try await deadwax.must(["ls", "replaygain_track_gain:9.99", "--count", "--format", "csv"]).text == "count\n0\n")
    // What the journal has before it is not undone instead.
    let undone = try await deadwax.run(["undo"])
    #expect(undone.status == 1 && undone.errorText.contains("deadwax tags undo"), "\(undone)")
    #expect(try await deadwax.must(["tags", "undo"]).text.contains("5 files as before"))
    #expect(try await deadwax.run(["undo"]).errorText.contains("no change to undo"))
    #expect(try TreeDigest(of: music.url).entries.mapValues(\.content) == before.entries.mapValues(\.content))
  }

  @Test func `a file that is gone is told of, and the others are written`() async throws {
    let gone = try file("flac")
    try FileManager.default.removeItem(atPath: gone)
    let outcome = try await deadwax.run(["tags", "write", "--replaygain", "--all", "--yes", "--strict"])
    #expect(outcome.status == 3 && outcome.errorText.contains("[missing]"), "\(outcome)")
    #expect(try tags("ogg").count == 5)
  }

  @Test func `the table has the same numbers`() async throws {
    struct Row: Decodable { var path: String, track_gain_db, track_peak, album_gain_db, album_peak: Double }
    let rows: [Row] = try await deadwax.must(["export", "--what", "replaygain", "title+", "--format", "jsonl"]).lines()
    try #require(rows.count == 5)
    for (index, row) in rows.enumerated() {
      let (track, album) = (try await shown(index).measures, try await shown(index).album)
      #expect(abs(row.track_gain_db + 18 + track.loudness_lufs) < 1e-6)
      #expect(abs(row.album_gain_db + 18 + album.loudness_lufs) < 1e-6)
      #expect(abs(20 * log10(row.album_peak) - album.true_peak_dbtp) < 1e-6)
    }
    let csv = try await deadwax.must(["export", "--what", "replaygain", "title+"]).text
    #expect(csv.hasPrefix("path,track_gain_db,track_peak,album_gain_db,album_peak\n"))
  }

  @Test func `an album has the loudness and the peak of all its files, not of each`() async throws {
    try Tool.run(
      "ffmpeg",
      arguments: [
        "-v", "error", "-i", file("flac"), "-af", "volume=-9dB", "-metadata", "title=9", music.file("quiet.flac").path,
      ])
    try await deadwax.must(["scan", "-q", music.path])
    struct Row: Decodable { var track_gain_db, track_peak, album_gain_db, album_peak: Double }
    let rows: [Row] = try await deadwax.must(
      ["export", "--what", "replaygain", "ext:flac title+", "--format", "jsonl"]
    ).lines()
    try #require(rows.count == 2)
    #expect(rows[1].track_gain_db > rows[0].track_gain_db + 8 && rows[1].track_peak < rows[0].track_peak / 2)
    for row in rows {
      #expect(row.album_peak == rows[0].track_peak, "\(row)")
      #expect(row.album_gain_db > rows[0].track_gain_db + 1 && row.album_gain_db < rows[1].track_gain_db - 1, "\(row)")
    }
  }

  @Test func `what has no loudness is counted`() async throws {
    try music.addSilence(seconds: 1, as: "silence.wav")
    try await deadwax.must(["scan", "-q", music.path])
    let outcome = try await deadwax.must(["export", "--what", "replaygain"])
    #expect(outcome.errorText == "deadwax: 1 file without a loudness\n" && !outcome.text.contains("silence"))
  }
}
