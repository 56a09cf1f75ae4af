import Foundation
import Glibc
import Testing
import TestSupport

/// A track keeps its preset, whatever happens to its file, to the command that assigned it, and to the power.
struct PresetSurvivalTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let echoes = "audio/Émilie Søndergård/Les Échos"
    try music.add(fixture: "\(echoes)/01 Marée lente.flac", as: "slow.flac")
    try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "sweep.flac")
    try await scan()
    let outcome = try await deadwax.run(["preset", "assign", "Voice", "filename:slow"])
    try #require(outcome.status == 0, "\(outcome)")
  }

  private func scan() async throws {
    let outcome = try await deadwax.run(["scan", "--accept-missing", music.path])
    try #require(outcome.status == 0, "\(outcome)")
  }

  /// The preset of each file, by name.
  private func presets() async throws -> [String: String] {
    let rows = try await deadwax.run(["ls", "--format", "jsonl", "--fields", "filename,preset"]).lines(FieldRow.self)
    return Dictionary(
      rows.map { ($0.filename ?? "no name", $0.preset ?? "none") }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `moving, renaming and retagging keep it`() async throws {
    try FileManager.default.createDirectory(at: music.file("new"), withIntermediateDirectories: true)
    try music.move("slow.flac", to: "new/other.flac")
    var bytes = try Data(contentsOf: music.file("new/other.flac"))
    let place = try #require(bytes.range(of: Data("Marée lente".utf8)))
    bytes.replaceSubrange(place, with: Data("Marée LENTE".utf8))
    try music.write(bytes, to: "new/other.flac")
    try await scan()
    #expect(try await presets() == ["other.flac": "Voice", "sweep.flac": "none"])
  }

  @Test func `pruning the missing file and its return a scan later keep it`() async throws {
    let elsewhere = deadwax.home.appending("away.flac")
    try FileManager.default.moveItem(at: music.file("slow.flac"), to: elsewhere)
    try await scan()
    let dry = try await deadwax.run(["prune"])
    #expect(dry.status == 0 && dry.text.hasSuffix("/slow.flac\n"), "\(dry)")
    #expect(try await presets().count == 2, "a dry run deletes nothing")
    let pruned = try await deadwax.run(["prune", "--yes", "--json"])
    let report = try pruned.document(PruneDocument.self)
    #expect(report.files == 1 && report.recordings == 1 && report.kept_assignments == 1)
    #expect(try await presets() == ["sweep.flac": "none"])
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    try await scan()
    try FileManager.default.moveItem(at: elsewhere, to: music.file("back again.flac"))
    try await scan()
    #expect(try await presets() == ["back again.flac": "Voice", "sweep.flac": "none"])
  }

  @Test func `pruning keeps a track's place in a list, says so before, and its return makes it whole`() async throws {
    let playlist = deadwax.home.appending("one.m3u8")
    try Data("#EXTM3U\n\(music.path)/slow.flac\n".utf8).write(to: playlist)
    #expect(try await deadwax.run(["list", "import", playlist.path, "--name", "one"]).status == 0)
    let copy = deadwax.home.appending("copy.sqlite").path
    #expect(try await deadwax.run(["backup", copy]).status == 0)
    let elsewhere = deadwax.home.appending("away.flac")
    try FileManager.default.moveItem(at: music.file("slow.flac"), to: elsewhere)
    try await scan()
    let dry = try await deadwax.run(["prune", "--json"]).document(PruneDocument.self)
    #expect(dry.files == 1 && dry.recordings == 1 && dry.kept_recordings == 1 && dry.product_bytes > 0)
    let said = try await deadwax.run(["prune"]).errorText
    #expect(said.contains("the list entries, ratings and attributes of 1 recording stay"))
    var expected = dry
    expected.done = true
    #expect(try await deadwax.run(["prune", "--yes", "--json"]).document(PruneDocument.self) == expected)
    #expect(try await deadwax.run(["backup", copy]).status == 0, "nothing that was decided is gone")
    let doctor = try await deadwax.run(["doctor", "--deep"])
    #expect(doctor.status == 0 && doctor.text.contains("recordings without a file: 1 "), "\(doctor)")
    let rest = try await deadwax.run(["prune"])
    #expect(rest.errorText.contains("would forget 0 files and the analyses of 0 recordings"), "\(rest)")
    try FileManager.default.moveItem(at: elsewhere, to: music.file("back again.flac"))
    try await scan()
    #expect(try await deadwax.run(["reanalyze", "--missing", "--dry-run"]).text == "nothing to recompute\n")
    let listed = try await deadwax.run(["list", "export", "one"])
    #expect(listed.text.contains("back again.flac"), "\(listed)")
    #expect(try await presets() == ["back again.flac": "Voice", "sweep.flac": "none"])
  }

  @Test func `prune believes a folder that is not there no more than a scan does`() async throws {
    try music.remove("slow.flac")
    try await scan()
    try FileManager.default.moveItem(at: music.url, to: deadwax.home.appending("unplugged"))
    let outcome = try await deadwax.run(["prune", "--yes"])
    #expect(outcome.status == 4 && outcome.errorText.contains("--accept-missing"), "\(outcome)")
    #expect(try await presets().count == 2)
    #expect(try await deadwax.run(["prune", "--yes", "--accept-missing"]).status == 0)
    #expect(try await presets() == ["sweep.flac": "none"])
  }

  @Test func `prune leaves what came back, and what a query does not find`() async throws {
    let bytes = try Data(contentsOf: music.file("slow.flac"))
    try music.remove("slow.flac")
    try music.remove("sweep.flac")
    try await scan()
    try music.write(bytes, to: "slow.flac")
    #expect(try await deadwax.run(["prune", "--yes", "filename:sweep"]).status == 0)
    #expect(try await presets().keys.sorted() == ["slow.flac"])
    let again = try await deadwax.run(["prune", "--yes"])
    #expect(again.status == 0 && again.errorText.contains("1 file is there again"), "\(again)")
    #expect(try await presets().keys.sorted() == ["slow.flac"])
  }

  @Test func `a link in the place of a file is no file that came back`() async throws {
    try music.remove("slow.flac")
    try FileManager.default.createSymbolicLink(
      at: music.file("slow.flac"), withDestinationURL: music.file("sweep.flac"))
    try await scan()
    let outcome = try await deadwax.run(["prune", "--yes"])
    #expect(outcome.status == 0 && !outcome.errorText.contains("there again"), "\(outcome)")
    #expect(try await presets().keys.sorted() == ["sweep.flac"])
  }

  @Test func `what was acknowledged is there after kill -9 at any moment`() async throws {
    func create(_ name: String) throws -> RunningCommand {
      try deadwax.start(["preset", "create", name, "--band", "pk 100 3"])
    }
    var random = RepeatableRandom(seed: 136)
    var (acknowledgedCount, killedCount) = (0, 0)
    let duration = try await ContinuousClock().measure { _ = try await create("Undisturbed").outcome() }
    for number in 0..<24 {
      let name = "P\(number)"
      let command = try create(name)
      try await Task.sleep(for: duration * Double.random(in: 0...2, using: &random))
      command.send(SIGKILL)
      let outcome = try await command.outcome()
      let isAcknowledged = outcome.text == "\(name): 1 band\n"
      acknowledgedCount += isAcknowledged ? 1 : 0
      killedCount += outcome.status == 128 + SIGKILL ? 1 : 0
      let show = try await deadwax.run(["preset", "show", name, "--json"])
      // If it was killed after writing and before saying so, the preset is there; otherwise it is whole or not there.
      #expect(show.status == 0 || show.status == 64 && !isAcknowledged, "\(show)")
    }
    #expect(acknowledgedCount > 0 && killedCount > 0, "\(acknowledgedCount) acknowledged, \(killedCount) killed")
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    #expect(try await presets()["slow.flac"] == "Voice")
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a change is on the disk before the command says so`() async throws {
    let log = deadwax.home.appending("calls")
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      ["-y", "-o", log.path, "-e", "trace=write,pwrite64,fsync,fdatasync", DeadwaxCommand.executable.path]
        + ["preset", "assign", "Bass", "filename:sweep"])
    #expect(outcome.status == 0, "\(outcome)")
    let calls = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let said = try #require(calls.firstIndex { $0.contains("Bass assigned") })
    let written = try #require(calls[..<said].lastIndex { $0.hasPrefix("pwrite64(") && $0.contains("sqlite-wal>") })
    #expect(calls[written..<said].contains { $0.contains("sync(") && $0.contains("sqlite-wal>") })
    // The folder was also synced, for the name of the log.
    #expect(calls[..<said].contains { $0.contains("sync(") && $0.contains("<\(deadwax.home.url.path)>") })
  }
}
