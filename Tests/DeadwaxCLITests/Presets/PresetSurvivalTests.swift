import Foundation
import Testing
import TestSupport

/// A track keeps its preset, whatever happens to its file, to the command that assigned it, and to the power.
struct PresetSurvivalTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand.called()
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
    #expect(said.contains("the list entries, ratings and attributes of 1 recording are kept"))
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
    #expect(again.status == 0 && again.errorText.contains("1 file is back"), "\(again)")
    #expect(try await presets().keys.sorted() == ["slow.flac"])
  }

  @Test func `a link in the place of a file is no file that came back`() async throws {
    try music.remove("slow.flac")
    try FileManager.default.createSymbolicLink(
      at: music.file("slow.flac"), withDestinationURL: music.file("sweep.flac"))
    try await scan()
    let outcome = try await deadwax.run(["prune", "--yes"])
    #expect(outcome.status == 0 && !outcome.errorText.contains("is back"), "\(outcome)")
    #expect(try await presets().keys.sorted() == ["sweep.flac"])
  }
}
