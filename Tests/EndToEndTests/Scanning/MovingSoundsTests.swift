import Foundation
import Glibc
import Testing
import TestSupport

/// Files are moved, renamed, retagged, copied and replaced: no recording is decoded twice, and what moved keeps its rows.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct MovingSoundsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  private static let slow = "slow.flac"
  private static let sweep = "sweep.flac"
  private static let kick = "deep/down/kick.wav"

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let echoes = "audio/Émilie Søndergård/Les Échos"
    try music.add(fixture: "\(echoes)/01 Marée lente.flac", as: Self.slow)
    try music.add(fixture: "\(echoes)/02 Balayage.flac", as: Self.sweep)
    try music.add(fixture: "audio/The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", as: Self.kick)
  }

  /// Scans, changes the folder, and scans again; checks that nothing was decoded the second time and that the library equals
  /// a new one of the changed folder.
  private func change(
    decodingAgain decodedCount: Int = 0, _ body: () throws -> Void
  ) async throws -> (before: LibraryRows, after: LibraryRows, report: ScanDocument) {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    try #require(before.rows.values.allSatisfy { $0.state == "ok" && $0.audio_id != nil })
    try body()
    let invariants = try Invariants(music.url)
    let scan = try await deadwax.run(["scan", "--json", music.path])
    #expect(scan.status == 0, "\(scan)")
    let report = try scan.document(ScanDocument.self)
    #expect(report.decoded_files == decodedCount)
    let after = try await LibraryRows(deadwax)
    try await invariants.check(deadwax, users: users)
    return (before, after, report)
  }

  /// Puts another title into a file as taggers do that write a new file: another inode, the same recording.
  private func retag(_ name: String, _ old: String, _ new: String, to target: String? = nil) throws {
    var bytes = try Data(contentsOf: music.file(name))
    let place = try #require(bytes.range(of: Data(old.utf8)))
    try #require(old.utf8.count == new.utf8.count)
    bytes.replaceSubrange(place, with: Data(new.utf8))
    try music.write(bytes, to: "new")
    try music.remove(name)
    try music.move("new", to: target ?? name)
  }

  @Test func `nothing happened`() async throws {
    let (before, after, report) = try await change {}
    #expect(before == after)
    #expect(report.unchanged == 3)
  }

  // Faults: 67
  @Test func `a file is renamed`() async throws {
    let (before, after, report) = try await change { try music.move(Self.slow, to: "renamed.flac") }
    #expect(report.moved == 1)
    #expect(after["renamed.flac"]?.id == before[Self.slow]?.id)
    #expect(after.rows.count == 3)
  }

  // Faults: 68
  @Test func `a name changes its case only`() async throws {
    let (before, after, report) = try await change { try music.move(Self.slow, to: "SLOW.flac") }
    #expect(report.moved == 1)
    #expect(after["SLOW.flac"]?.id == before[Self.slow]?.id)
    #expect(after[Self.slow] == nil)
  }

  // Faults: 67
  @Test func `a folder moves, and a link to it stays in its place`() async throws {
    let (before, after, report) = try await change {
      try music.move("deep/down", to: "elsewhere")
      try FileManager.default.createSymbolicLink(
        at: music.file("deep/down"), withDestinationURL: music.file("elsewhere"))
    }
    #expect(report.moved == 1 && report.new == 0 && report.missing == 0)
    #expect(after["elsewhere/kick.wav"]?.id == before[Self.kick]?.id)
    #expect(after.rows.count == 3)
  }

  @Test func `a file is retagged`() async throws {
    let (before, after, report) = try await change { try retag(Self.sweep, "Balayage", "Brossage") }
    #expect(report.changed == 1)
    #expect(after[Self.sweep]?.title == "Brossage")
    #expect(after[Self.sweep]?.id == before[Self.sweep]?.id)
    #expect(after[Self.sweep]?.audio_id == before[Self.sweep]?.audio_id)
  }

  @Test func `a file is retagged and renamed`() async throws {
    let (before, after, report) = try await change {
      try retag(Self.sweep, "Balayage", "Brossage", to: "elsewhere.flac")
    }
    #expect(report.moved == 1)
    #expect(report.new == 0)
    #expect(report.missing == 0)
    #expect(after["elsewhere.flac"]?.title == "Brossage")
    #expect(after["elsewhere.flac"]?.id == before[Self.sweep]?.id)
    #expect(after["elsewhere.flac"]?.audio_id == before[Self.sweep]?.audio_id)
    #expect(after.rows.count == 3)
  }

  // Faults: 67
  @Test func `two files swap their names`() async throws {
    let (before, after, report) = try await change {
      try music.move(Self.slow, to: "x")
      try music.move(Self.sweep, to: Self.slow)
      try music.move("x", to: Self.sweep)
    }
    #expect(report.moved == 2)
    #expect(after[Self.slow]?.id == before[Self.sweep]?.id)
    #expect(after[Self.sweep]?.id == before[Self.slow]?.id)
    #expect(after[Self.slow]?.title == before[Self.sweep]?.title)
  }

  @Test func `of files that swapped their names no scan says that they hold another sound`() async throws {
    try await deadwax.must(["scan", music.path])
    _ = try await deadwax.decide()
    // Contents, so that neither file moves.
    let (slow, sweep) = try (Data(contentsOf: music.file(Self.slow)), Data(contentsOf: music.file(Self.sweep)))
    try music.write(sweep, to: Self.slow)
    try music.write(slow, to: Self.sweep)
    let scan = try await deadwax.must(["scan", music.path])
    #expect(!scan.errorText.contains("another recording"), "\(scan)")
    #expect(try await deadwax.must(["preset", "orphans", "--json"]).text.contains("\"orphans\": []"))
  }

  @Test func `three files change places in a ring, one of them retagged`() async throws {
    let (before, after, _) = try await change {
      try retag(Self.sweep, "Balayage", "Brossage", to: "x.flac")
      try music.move(Self.slow, to: Self.sweep)
      try music.move("x.flac", to: Self.slow)
    }
    for (new, old) in [(Self.sweep, Self.slow), (Self.slow, Self.sweep)] {
      #expect(after[new]?.audio_id == before[old]?.audio_id)
    }
    #expect(after[Self.slow]?.title == "Brossage")
    #expect(after.rows.count == 3)
  }

  // Faults: 67
  @Test func `a folder is renamed`() async throws {
    let (before, after, report) = try await change { try music.move("deep", to: "shallow") }
    #expect(report.moved == 1)
    #expect(after["shallow/down/kick.wav"]?.id == before[Self.kick]?.id)
  }

  // Faults: 38
  @Test func `a file is copied`() async throws {
    let (before, after, report) = try await change { try music.add(music.file(Self.slow), as: "copy.flac") }
    #expect(report.new == 1)
    #expect(after["copy.flac"]?.audio_id == before[Self.slow]?.audio_id)
    #expect(after[Self.slow]?.id == before[Self.slow]?.id)
    #expect(after.rows.count == 4)
  }

  @Test func `a copy has other tags`() async throws {
    let (before, after, _) = try await change {
      try music.add(music.file(Self.sweep), as: "source.flac")
      try retag("source.flac", "Balayage", "Brossage", to: "copy.flac")
    }
    #expect(after["copy.flac"]?.audio_id == before[Self.sweep]?.audio_id)
    #expect(after["copy.flac"]?.title == "Brossage")
    #expect(after[Self.sweep]?.title == "Balayage")
  }

  // Faults: 62
  @Test func `a file gets a second name by a hard link`() async throws {
    let (before, after, report) = try await change {
      try FileManager.default.linkItem(at: music.file(Self.slow), to: music.file("link.flac"))
    }
    #expect(report.new == 1)
    #expect(after["link.flac"]?.audio_id == before[Self.slow]?.audio_id)
    #expect(after[Self.slow]?.id == before[Self.slow]?.id)
  }

  @Test func `a folder is copied elsewhere and the original removed`() async throws {
    let (before, after, report) = try await change {
      try music.add(music.file(Self.kick), as: "again/kick.wav")
      try music.remove("deep")
    }
    #expect(report.moved == 1)
    #expect(report.missing == 0)
    #expect(after["again/kick.wav"]?.id == before[Self.kick]?.id)
    #expect(after.rows.count == 3)
  }

  // Faults: 67
  @Test func `another sound takes the place of one`() async throws {
    let (before, after, report) = try await change(decodingAgain: 1) {
      try music.remove(Self.slow)
      try music.add(fixture: "audio/Émilie Søndergård/Les Échos/04 Six haut-parleurs.flac", as: Self.slow)
    }
    #expect(report.changed == 1)
    #expect(after[Self.slow]?.id == before[Self.slow]?.id)
    #expect(after[Self.slow]?.audio_id != before[Self.slow]?.audio_id)
    #expect(after[Self.slow]?.title == "Six haut-parleurs")
  }

  @Test func `a file is overwritten in place`() async throws {
    let (before, after, _) = try await change(decodingAgain: 1) {
      let other = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/04 Six haut-parleurs.flac")
      let handle = try FileHandle(forWritingTo: music.file(Self.slow))
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: try Data(contentsOf: other))
      try handle.close()
    }
    #expect(after[Self.slow]?.id == before[Self.slow]?.id)
    #expect(after[Self.slow]?.audio_id != before[Self.slow]?.audio_id)
  }

  @Test func `a file becomes damaged, and whole again`() async throws {
    let whole = try Data(contentsOf: music.file(Self.slow))
    let (before, after, _) = try await change(decodingAgain: 1) {
      try music.write(whole.prefix(whole.count / 2), to: Self.slow)
    }
    #expect(after[Self.slow]?.state == "damaged")
    try music.write(whole, to: Self.slow)
    _ = try await deadwax.run(["scan", music.path])
    let healed = try await LibraryRows(deadwax)
    #expect(healed[Self.slow]?.state == "ok")
    #expect(healed[Self.slow]?.audio_id == before[Self.slow]?.audio_id)
  }

  // Faults: 68
  @Test func `a file moves from one root to another`() async throws {
    let other = try MusicFolder("damaged/clean.mp3")
    _ = try await deadwax.run(["scan", music.path, other.path])
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    try FileManager.default.moveItem(at: music.file(Self.slow), to: other.file("arrived.flac"))
    let report = try await deadwax.run(["scan", "--json"]).document(ScanDocument.self)
    let after = try await LibraryRows(deadwax)
    #expect(report.moved == 1)
    #expect(report.decoded_files == 0)
    #expect(after["arrived.flac"]?.id == before[Self.slow]?.id)
    #expect(after.rows.count == 4)
    try await Invariants(music.url, other.url).check(deadwax, users: users)
  }

  // Faults: 68
  @Test func `a file is away for a while`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    let elsewhere = try TemporaryFolder()
    try FileManager.default.moveItem(at: music.file(Self.slow), to: elsewhere.appending("slow"))
    #expect(try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self).missing == 1)
    #expect(try await LibraryRows(deadwax)[Self.slow]?.state == "missing")
    // What is missing already is not counted again.
    #expect(try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self).missing == 0)
    // It comes back under another name, and as another file of the file system.
    try music.add(elsewhere.appending("slow"), as: "back.flac")
    let report = try await deadwax.run(["scan", "--json", music.path]).document(ScanDocument.self)
    #expect(report.decoded_files == 0)
    #expect(report.moved == 1)
    let after = try await LibraryRows(deadwax)
    #expect(after["back.flac"]?.id == before[Self.slow]?.id)
    #expect(after.rows.count == 3)
    try await Invariants(music.url).check(deadwax, users: users)
  }
}
