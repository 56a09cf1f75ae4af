import Foundation
import TestSupport
import Testing

/// A library of version 0.1.0, which knew recordings by another hash, loses nothing that its user decided.
@Suite(
  .serialized, .enabled(if: LibraryDump.isPossible && Tool.exist("gzip"), "sqlite3 or gzip is not installed"))
struct OldLibraryTests {
  private let music: OldMusic
  private let deadwax: DeadwaxCommand
  private let before: Decisions

  init() async throws {
    music = try OldMusic()
    deadwax = try await music.library()
    before = try await Decisions(deadwax)
    try #require(before.files.count == 21)
  }

  /// All that it takes to bring an old library up to date.
  ///
  /// - Returns: what both commands say about recordings.
  @discardableResult
  private func bringUpToDate(_ deadwax: DeadwaxCommand) async throws -> String {
    let scan = try await deadwax.must(["scan", "--deep"])
    return try await scan.errorText + deadwax.must(["reanalyze", "--missing"]).errorText
  }

  /// Everything but the pair that became one recording is as it was, by path.
  private func expectKept(_ deadwax: DeadwaxCommand, _ step: String) async throws {
    let after = try await Decisions(deadwax)
    for (path, old) in before.files.sorted(by: { $0.key < $1.key }) where !OldMusic.level.contains(path) {
      #expect(after[path]?.decided == old.decided, "\(step): \(path)")
    }
    let doctor = try await deadwax.run(["doctor", "--deep"])
    #expect(doctor.status == 0 && doctor.text.contains(": intact"), "\(step): \(doctor)")
  }

  /// Two presets, two ratings and two places of one recording.
  private func expectJoined(_ deadwax: DeadwaxCommand, _ step: String) async throws {
    let after = try await Decisions(deadwax)
    #expect(after[OldMusic.level[0]]?.hash == after[OldMusic.level[1]]?.hash, "\(step)")
    for path in OldMusic.level {
      #expect(after[path]?.preset == "Bright" && after[path]?.placeCount == 2, "\(step): \(path)")
      #expect(
        ["rating=1, rating_2=2", "rating=2, rating_2=1"].contains(after[path]?.attributes ?? ""), "\(step): \(path)")
    }
  }

  @Test func `the dump has every kind of decision`() {
    #expect(before["mpeg/lead-in.mp3"]?.decided == ["Warm", "rating=2", "2 places"])
    #expect(before["mpeg/broadcast.mp2"]?.decided == ["Bright (off)", "rating=3", "0 places"])
    #expect(before["flac/sweep.flac"]?.decided == ["nothing (off)", "mood=mood 6, rating=2", "0 places"])
    #expect(before["pcm/kick.wav"]?.preset == "Bass" && before["pcm/core.caf"]?.preset == "My Bass")
    #expect(before[OldMusic.missing]?.decided == ["Final", "rating=1", "1 places"])
    #expect(before[OldMusic.level[0]]?.preset == "Bright" && before[OldMusic.level[1]]?.preset == "Warm")
    for pair in OldMusic.sharing {
      #expect(before[pair[0]]?.hash == before[pair[1]]?.hash && before[pair[0]]?.preset != nil)
    }
  }

  @Test func `a library of version 0.1.0 loses nothing`() async throws {
    let said = try await bringUpToDate(deadwax)
    try await expectKept(deadwax, "brought up to date")
    try await expectJoined(deadwax, "brought up to date")
    let after = try await Decisions(deadwax)
    for pair in OldMusic.sharing { #expect(after[pair[0]]?.hash != after[pair[1]]?.hash, "\(pair)") }
    let hashes = after.files.filter { $0.key != OldMusic.missing }.mapValues(\.hash)
    #expect(hashes.allSatisfy { $0.value != before[$0.key]?.hash || $0.key.hasSuffix(".mp2") }, "\(hashes)")

    // Both places of the pair that is one, and a place for each of those that were one.
    let pairs = OldMusic.sharing.map { [[$0[0]], [$0[1]]] }
    let entries = try await Decisions.entries(of: "evening", deadwax)
    let expected =
      [["mpeg/lead-in.mp3"], OldMusic.level] + pairs[1] + [
        OldMusic.level, ["mpeg/lead-in.mp3"], [OldMusic.missing], [],
      ]
      + pairs[0] + [["flac/slow-tide.flac"]]
    // Which of a pair comes first depends on which file was read first.
    func inOrder(_ entries: [[String]]) -> [[String]] {
      var entries = entries
      for (index, pair) in [(2, 1), (8, 0)] where entries.count == expected.count {
        #expect(Set(entries[index...index + 1]) == Set(pairs[pair]))
        entries.replaceSubrange(index...index + 1, with: pairs[pair])
      }
      return entries
    }
    #expect(inOrder(entries) == expected)

    // What became of recordings is said, and nothing that did not happen.
    let split = said.split(separator: "\n").filter { $0.contains("is now a separate recording") }
    #expect(split.count == 2 && split.contains { $0.contains("配線図") }, "\(said)")
    #expect(split.contains { $0.contains("'slow.flac'") || $0.contains("'fast.flac'") }, "\(said)")
    #expect(said.contains("2 recordings turned out to be the same: 'level."), "\(said)")
    #expect(said.contains("the preset Warm was dropped"), "\(said)")
    #expect(!said.contains("contains another recording") && !said.contains("contain another recording"), "\(said)")

    // Nothing is left to do.
    let again = try await deadwax.must(["scan", "--json"]).document(ScanDocument.self)
    #expect(again.decoded_files == 0 && again.unchanged == 20, "\(again)")
    // A recording whose only file is away lacks the products that are newer than the library, until it is back.
    try music.add(OldMusic.missing)
    try await deadwax.must(["scan"])
    try await deadwax.must(["reanalyze", "--missing"])
    #expect(try await deadwax.must(["reanalyze", "--missing", "--dry-run"]).text == "nothing to recompute\n")
  }

  @Test(arguments: [false, true])
  func `files that come back have what was decided about them`(isUpToDate: Bool) async throws {
    if isUpToDate { try await bringUpToDate(deadwax) }
    for name in [OldMusic.missing, OldMusic.pruned, OldMusic.prunedButListed] { try music.add(name) }
    try await deadwax.must(["scan"])
    for _ in 0..<2 {
      let after = try await Decisions(deadwax)
      #expect(after[OldMusic.missing]?.decided == before[OldMusic.missing]?.decided)
      #expect(after[OldMusic.pruned]?.decided == ["Final", "", "0 places"])
      #expect(after[OldMusic.prunedButListed]?.decided == ["none", "rating=3", "1 places"])
      try await bringUpToDate(deadwax)
    }
    try await expectKept(deadwax, "with all files")
    try await expectJoined(deadwax, "with all files")
  }

  /// One of two files that shared a hash is away while the other one is read, and its row may even be deleted.
  @Test(arguments: [false, true])
  func `a file that shared its hash comes back later`(isPruned: Bool) async throws {
    let away = try MusicFolder()
    let names = OldMusic.sharing.map { $0[0] }
    for name in names { try away.add(music.folder.file(name), as: name) }
    for name in names { try music.folder.remove(name) }
    try await deadwax.must(["scan", "--accept-missing"])
    try await bringUpToDate(deadwax)
    if isPruned { for name in names { try await deadwax.must(["prune", "--yes", "path:\(name)"]) } }
    for name in names { try music.folder.add(away.file(name), as: name) }
    try await deadwax.must(["scan"])
    try await bringUpToDate(deadwax)
    try await expectKept(deadwax, "back again")
    let after = try await Decisions(deadwax)
    for pair in OldMusic.sharing { #expect(after[pair[0]]?.hash != after[pair[1]]?.hash, "\(pair)") }
  }

  @Test func `a playlist with the old hashes still finds its tracks`() async throws {
    // As version 0.1.0 wrote it, when the files had other names.
    let names = [
      ("2dfd88b25ebf4a7162ba2834ccd583a0", "mpeg/lead-in.mp3"), ("e1b07544d61f3e537c79dc27da8868e7", "made/level.wav"),
      ("b52655ae26e7be06418550cc8edac0ab", "flac/slow-tide.flac"),
    ]
    let text = "#EXTM3U\n" + names.map { "#DEADWAX-HASH:\($0.0)\n/nowhere/\($0.0).bin\n" }.joined()
    try deadwax.home.write(text.utf8, to: "old.m3u8")
    try await bringUpToDate(deadwax)
    try await deadwax.must(["list", "import", deadwax.home.appending("old.m3u8").path])
    let entries = try await Decisions.entries(of: "old", deadwax)
    #expect(entries.count == 3 && zip(entries, names).allSatisfy { $0.contains($1.1) }, "\(entries)")
  }

  @Test func `what a join replaced comes back with undo`() async throws {
    try await bringUpToDate(deadwax)
    try await expectJoined(deadwax, "before undo")
    // The changes of splits, which add rows, may be later than that of the join.
    for _ in 0..<6 where try await Decisions(deadwax)[OldMusic.level[0]]?.preset == "Bright" {
      try await deadwax.must(["preset", "undo"])
    }
    let after = try await Decisions(deadwax)
    #expect(after[OldMusic.level[0]]?.preset == "Warm" && after[OldMusic.level[0]]?.placeCount == 2)
    // A change of the time of version 0.1.0 is undone, too, although the recording has another hash now.
    for _ in 0..<40 where try await Decisions(deadwax)["pcm/kick.wav"]?.preset != nil {
      try await deadwax.must(["preset", "undo"])
    }
    #expect(try await Decisions(deadwax)["pcm/kick.wav"]?.preset == nil)
    #expect(try await Decisions(deadwax)["mpeg/no-xing.mp3"]?.preset == "Voice")
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `backup and restore keep it`() async throws {
    try await bringUpToDate(deadwax)
    let users = try await UserDump(deadwax)
    let backup = deadwax.home.appending("backup.sqlite")
    try await deadwax.must(["backup", backup.path])
    try await deadwax.must(["preset", "delete", "--force", "Warm"])
    try await deadwax.must(["restore", backup.path])
    let restored = try await UserDump(deadwax)
    #expect(restored == users, "\(restored.difference(from: users))")
    // The backup that version 0.1.0 made, years later.
    let old = try await music.library()
    try await deadwax.must(["restore", old.library.path])
    try await bringUpToDate(deadwax)
    try await expectKept(deadwax, "restored from an old backup")
    try await expectJoined(deadwax, "restored from an old backup")
  }

  @Test func `a repair keeps it`() async throws {
    try await bringUpToDate(deadwax)
    let users = try await UserDump(deadwax)
    let repaired = deadwax.home.appending("repaired.sqlite")
    try await deadwax.must(["doctor", "--repair", "-o", repaired.path])
    let saved = try await UserDump(deadwax.with(repaired))
    #expect(saved == users, "\(saved.difference(from: users))")
    try await deadwax.must(["restore", repaired.path])
    for name in [OldMusic.missing, OldMusic.pruned, OldMusic.prunedButListed] { try music.add(name) }
    try await deadwax.must(["scan", "--deep"])
    try await expectKept(deadwax, "repaired")
    try await expectJoined(deadwax, "repaired")
    #expect(try await Decisions(deadwax)[OldMusic.pruned]?.preset == "Final")
  }

  @Test func `an old library is merged into one that is up to date`() async throws {
    try await bringUpToDate(deadwax)
    let users = try await Decisions(deadwax)
    let old = try await music.library()
    try await deadwax.must(["merge", old.library.path])
    let merged = try await Decisions(deadwax)
    for (path, file) in users.files.sorted(by: { $0.key < $1.key }) {
      #expect(merged[path]?.preset == file.preset && merged[path]?.attributes == file.attributes, "\(path)")
    }
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `an old library is merged into a new one that has only scanned`() async throws {
    let new = try DeadwaxCommand()
    try await new.must(["scan", music.folder.path])
    try await new.must(["merge", deadwax.library.path])
    for step in ["merged", "scanned again"] {
      let after = try await Decisions(new)
      for (path, old) in before.files.sorted(by: { $0.key < $1.key })
      where !OldMusic.level.contains(path) && path != OldMusic.missing {
        #expect(after[path]?.preset == old.preset && after[path]?.attributes == old.attributes, "\(step): \(path)")
      }
      #expect(after[OldMusic.level[0]]?.preset == "Bright", "\(step)")
      try await bringUpToDate(new)
    }
    for name in [OldMusic.missing, OldMusic.pruned, OldMusic.prunedButListed] { try music.add(name) }
    try await new.must(["scan"])
    let after = try await Decisions(new)
    #expect(after[OldMusic.missing]?.decided == before[OldMusic.missing]?.decided)
    #expect(after[OldMusic.pruned]?.preset == "Final")
    #expect(after[OldMusic.prunedButListed]?.decided == ["none", "rating=3", "1 places"])
    #expect(try await new.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `a library that is up to date is merged into an old one`() async throws {
    let new = try deadwax.copy()
    try await bringUpToDate(new)
    try await new.must(["preset", "assign", "Voice", music.folder.path + "/pcm/long.rf64"])
    try await deadwax.must(["merge", new.library.path])
    try await bringUpToDate(deadwax)
    let after = try await Decisions(deadwax)
    #expect(after["pcm/long.rf64"]?.preset == "Voice")
    for (path, old) in before.files.sorted(by: { $0.key < $1.key })
    where !OldMusic.level.contains(path) && path != "pcm/long.rf64" {
      #expect(after[path]?.preset == old.preset && after[path]?.attributes == old.attributes, "\(path)")
    }
    #expect(after[OldMusic.level[0]]?.preset == "Bright")
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }
}
