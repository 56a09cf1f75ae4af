import Foundation
import Testing
import TestSupport

extension DeadwaxCommand {
  fileprivate func reanalyze(_ arguments: String..., status: Int32 = 0) async throws -> ReanalysisDocument {
    let outcome = try await run(["reanalyze", "--json"] + arguments)
    #expect(outcome.status == status, "\(outcome)")
    return try outcome.document(ReanalysisDocument.self)
  }

  fileprivate func recordingCount() async throws -> Int {
    try #require(Int(await sqlite("SELECT count(*) FROM audio")))
  }
}

/// A reanalysis recomputes what is stale, missing or asked for, goes on where it was stopped, and touches nothing else.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ReanalysisTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("audio/Lathe & Lantern", "audio/The Locked Grooves", "damaged/clean.mp3")
      .library().called
  }

  /// Every row of every table with all its bytes and times, except for those that say what was run.
  private func everything() async throws -> String {
    try await deadwax.sqlite(
      """
      SELECT quote(id), quote(audio_id), kind, version, parameters, byte_count, made_at FROM product ORDER BY id;
      SELECT product_id, checksum, quote(bytes) FROM product_blob ORDER BY product_id;
      SELECT * FROM measures ORDER BY audio_id;
      SELECT id, hex(hash), state, decoded_frames, added_at FROM audio ORDER BY id;
      SELECT id, hex(path), mtime_ns, ctime_ns, last_state, attempts, extracted_at FROM file ORDER BY id;
      SELECT * FROM file_tag ORDER BY 1, 2, 3;
      SELECT * FROM preset; SELECT scope, hex(hash), preset_id, built_in, assigned_at FROM preset_assignment;
      SELECT * FROM product_tally ORDER BY 1, 2, 3
      """)
  }

  @Test func `where everything is as it should be nothing is made`() async throws {
    let report = try await deadwax.reanalyze()
    #expect(report.recordings == 0 && report.decoded_files == 0 && report.causes.isEmpty)
    #expect(try await deadwax.reanalyze("--missing").decoded_files == 0)
  }

  @Test func `a dry run says what is made and why, and changes no byte`() async throws {
    try await deadwax.sqlite(
      """
      UPDATE product SET version = version - 1 WHERE kind = 'spectrum';
      UPDATE product SET parameters = 'bits=4' WHERE kind = 'waveform' AND audio_id = 1;
      DELETE FROM product WHERE kind = 'loudness' AND audio_id IN (1, 2)
      """)
    let count = try await deadwax.recordingCount()
    let before = try Data(contentsOf: deadwax.library)
    let stale = try await deadwax.reanalyze("--dry-run")
    #expect(
      stale.causes == [
        .init(kind: "spectrum", reason: "older version", recordings: count),
        .init(kind: "waveform", reason: "other parameters", recordings: 1),
      ])
    #expect(stale.recordings == count && stale.estimated_seconds != nil && stale.decoded_files == 0)
    let missing = try await deadwax.reanalyze("--dry-run", "--missing")
    #expect(missing.causes == [.init(kind: "loudness", reason: "missing", recordings: 2)])
    let both = try await deadwax.reanalyze(
      "--dry-run", "--missing", "--stale", "--product", "loudness", "--product", "waveform")
    #expect(both.causes.map(\.kind) == ["loudness", "waveform"])
    let forced = try await deadwax.reanalyze("--dry-run", "--force", "--product", "loudness")
    #expect(forced.causes.map(\.reason).sorted() == ["forced", "missing"])
    #expect(try Data(contentsOf: deadwax.library) == before)
  }

  // Faults: 110
  @Test func `what was stale or missing is afterwards as a scan makes it`() async throws {
    let fresh = try await LibraryDump(deadwax)
    try await deadwax.sqlite(
      """
      UPDATE product SET version = version - 1 WHERE kind IN ('spectrum', 'spectrogram');
      UPDATE product_blob SET bytes = x'00', checksum = 0
       WHERE product_id IN (SELECT id FROM product WHERE kind = 'spectrum');
      UPDATE measures SET version = 1, rms_dbfs = 3;
      DELETE FROM product WHERE kind = 'waveform-energy'
      """)
    #expect(try await LibraryDump(deadwax) != fresh)
    let count = try await deadwax.recordingCount()
    let stale = try await deadwax.reanalyze()
    #expect(stale.decoded_files == count && stale.changed_products == 3 * count && stale.skipped.isEmpty)
    let missing = try await deadwax.reanalyze("--missing")
    #expect(missing.decoded_files == count && missing.changed_products == count)
    let dump = try await LibraryDump(deadwax)
    #expect(dump == fresh, "\(dump.difference(from: fresh))")
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `a query chooses what is made`() async throws {
    try await deadwax.sqlite("UPDATE product SET version = 0 WHERE kind = 'loudness'")
    let report = try await deadwax.reanalyze("title:Lacquer")
    #expect(report.recordings == 1 && report.decoded_files == 1)
    #expect(try await deadwax.reanalyze("--dry-run").recordings == deadwax.recordingCount() - 1)
  }

  @Test func `forced without need, no row changes, and presets stay`() async throws {
    _ = try await deadwax.run(["preset", "create", "mine", "--gain", "-2"])
    _ = try await deadwax.run(["preset", "assign", "mine", "title:Lacquer"])
    // Times are in seconds: what was written long ago and is touched now shows.
    try await deadwax.sqlite(
      """
      UPDATE product SET made_at = made_at - 9; UPDATE file SET extracted_at = extracted_at - 9;
      UPDATE preset SET created_at = created_at - 9, changed_at = changed_at - 9;
      UPDATE preset_assignment SET assigned_at = assigned_at - 9
      """)
    let before = try await everything()
    let report = try await deadwax.reanalyze("--force")
    #expect(report.decoded_files == (try await deadwax.recordingCount()))
    #expect(report.products > 0 && report.changed_products == 0)
    #expect(try await everything() == before)
    #expect(try await deadwax.sqlite("SELECT count(*) FROM forced_run") == "0")
  }

  @Test(arguments: ["gone", "another disk", "empty"])
  func `a forced run waits for a folder that is not there`(state: String) async throws {
    let isGone = state == "gone"
    let other = try MusicFolder("damaged/length-unknown.flac")
    try #require(try await deadwax.run(["scan", other.path]).status == 0)
    let count = try await deadwax.recordingCount()
    let elsewhere = deadwax.home.appending("elsewhere")
    try FileManager.default.moveItem(at: other.url, to: elsewhere)
    if !isGone {
      try FileManager.default.createDirectory(at: other.url, withIntermediateDirectories: false)
      if state == "another disk" {
        try await deadwax.sqlite("UPDATE root SET volume = 'another' WHERE path_text = '\(other.path)'")
      }
    }
    let first = try await deadwax.reanalyze("--force", status: 4)
    #expect(first.decoded_files == count - 1 && first.skipped.count == 1 && first.away == 1)
    #expect(try await deadwax.sqlite("SELECT count(*) FROM forced_run") == "1")
    let said = try await deadwax.run(["reanalyze", "--force"]).text
    #expect(
      said.contains("1 recording left, because the folder or disk is missing;"))
    #expect(said.contains("continues the run of") && said.contains("\(count - 1) recordings done"), "\(said)")
    if !isGone { try FileManager.default.removeItem(at: other.url) }
    try FileManager.default.moveItem(at: elsewhere, to: other.url)
    let last = try await deadwax.reanalyze("--force")
    #expect(last.resumed_recordings == count - 1 && last.decoded_files == 1 && last.away == 0)
    #expect(try await deadwax.sqlite("SELECT count(*) FROM forced_run") == "0")
  }

  @Test(arguments: [
    ["--restart"], ["--force", "--stale"], ["--force", "--damaged"], ["--jobs", "0"], ["--product", "nonsense"],
    ["nofield:1"],
  ])
  func `a mistake in the words is status 64`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(["reanalyze"] + arguments)
    #expect(outcome.status == 64, "\(outcome)")
  }
}

/// A reanalysis of music that changed since its scan.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ReanalysisOfChangedMusicTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder("audio/Lathe & Lantern", "audio/The Locked Grooves", "damaged/clean.mp3")
    try await deadwax.must(["scan", "-q", music.path])
  }

  @Test func `files that are gone or hold something else are skipped, and what is known of them stays`() async throws {
    try await deadwax.sqlite("UPDATE product SET version = 0 WHERE kind = 'loudness'")
    let paths = try await deadwax.run(["ls", "--format", "paths"]).text.split(separator: "\n").map(String.init)
    try FileManager.default.removeItem(atPath: paths[0])
    try Data("no music".utf8).write(to: URL(filePath: paths[1]))
    let outcome = try await deadwax.run(["reanalyze", "--json", "--strict"])
    #expect(outcome.status == 3, "\(outcome)")
    let report = try outcome.document(ReanalysisDocument.self)
    #expect(Set(report.skipped.compactMap(\.path)) == Set(paths[0...1]))
    #expect(report.skipped.allSatisfy { !$0.reason.isEmpty })
    #expect(report.decoded_files == report.recordings - 2)
    #expect(try await deadwax.sqlite("SELECT count(*) FROM product WHERE kind = 'loudness' AND version = 0") == "2")
    #expect(try await deadwax.reanalyze("--dry-run").recordings == 2)
  }

  @Test func `a folder that is not there is named, and nothing is lost`() async throws {
    try await deadwax.sqlite("UPDATE product SET version = 0 WHERE kind = 'loudness'")
    let elsewhere = music.url.deletingLastPathComponent().appending(path: "elsewhere")
    try FileManager.default.moveItem(at: music.url, to: elsewhere)
    let report = try await deadwax.reanalyze(status: 4)
    #expect(report.skipped.count == report.recordings && report.decoded_files == 0)
    #expect(report.skipped.allSatisfy { $0.reason.contains("is missing") })
    let lines = try await deadwax.run(["reanalyze"]).errorText.split(separator: "\n")
    #expect(
      lines.count == 1 && lines[0].contains("\(report.recordings) recordings skipped: \(music.path) is missing"))
  }

  @Test func `a forced run does not wait for a file that is gone from its folder`() async throws {
    try music.remove("clean.mp3")
    let report = try await deadwax.reanalyze("--force")
    #expect(report.skipped.count == 1 && report.away == 0)
    #expect(try await deadwax.sqlite("SELECT count(*) FROM forced_run") == "0")
  }

  @Test func `the channel of a mono sound is made from its mix without the file`() async throws {
    try music.add(fixture: "damaged/one-sample.wav", as: "mono.wav")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let fresh = try await LibraryDump(deadwax)
    let monoCount = try #require(Int(await deadwax.sqlite("SELECT count(*) FROM audio WHERE channels = 1")))
    let count = try await deadwax.recordingCount()
    #expect(monoCount > 0)
    try await deadwax.sqlite("DELETE FROM product WHERE kind = 'waveform-channels'")
    let report = try await deadwax.reanalyze("--missing")
    #expect(report.recordings_without_decoding == monoCount && report.decoded_files == count - monoCount)
    let dump = try await LibraryDump(deadwax)
    #expect(dump == fresh, "\(dump.difference(from: fresh))")
  }
}
