import Foundation
import Testing
import TestSupport

/// If files vanish as if a disk were missing, nothing is marked, and the scan ends with status 4.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct SafetyStopTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder
  private static let fileCount = 40

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let sample = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
    // Each is a recording of its own.
    for index in 0..<Self.fileCount {
      try music.write(sample.dropLast() + [UInt8(index)], to: "album \(index % 4)/\(index).wav")
    }
  }

  private func remove(_ count: Int) throws {
    for index in 0..<count { try music.remove("album \(index % 4)/\(index).wav") }
  }

  private func missingCount() async throws -> Int {
    try await LibraryRows(deadwax).rows.values.count { $0.state == "missing" }
  }

  @Test func `a few files that vanished are missing`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    try remove(7)
    let outcome = try await deadwax.run(["scan", "--json", music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).missing == 7)
    #expect(try await missingCount() == 7)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 55
  @Test func `more than a fifth is not believed until it is confirmed`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    try remove(12)
    let outcome = try await deadwax.run(["scan", "--json", music.path])
    #expect(outcome.status == 4)
    #expect(try outcome.document(ScanDocument.self).missing == 0)
    #expect(outcome.errorText.contains("12 of 40"))
    #expect(outcome.errorText.contains("--accept-missing"))
    #expect(try await missingCount() == 0)

    let confirmed = try await deadwax.run(["scan", "--accept-missing", "--json", music.path])
    #expect(confirmed.status == 0, "\(confirmed)")
    #expect(try confirmed.document(ScanDocument.self).missing == 12)
    #expect(try await missingCount() == 12)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test func `a folder that has moved is found where it is, and its command is told`() async throws {
    try await deadwax.must(["scan", "-q", music.path])
    let new = deadwax.home.appending("moved")
    try FileManager.default.moveItem(at: music.url, to: new)
    defer { try? FileManager.default.moveItem(at: new, to: music.url) }
    let gone = try await deadwax.run(["scan"])
    #expect(gone.status == 4 && gone.errorText.contains("roots relocate"), "\(gone)")
    let other = try deadwax.home.makeFolder("other")
    try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/clean.mp3")).write(
      to: other.appending(path: "a.mp3"))
    let unrelated = try await deadwax.run(["scan", "--dry-run", other.path])
    #expect(unrelated.status == 0 && unrelated.errorText.isEmpty, "\(unrelated)")
    let found = try await deadwax.run(["scan", "--dry-run", new.path])
    #expect(found.errorText.contains("`deadwax roots relocate '\(music.path)' '\(new.path)'`"), "\(found)")
    try await deadwax.must(["roots", "relocate", music.path, new.path])
    #expect(try await deadwax.must(["scan", "--json"]).document(ScanDocument.self).new == 0)
  }

  @Test func `what is new is stored although the scan stopped for safety`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    try remove(12)
    try music.add(fixture: "damaged/clean.mp3", as: "new.mp3")
    let outcome = try await deadwax.run(["scan", "--json", music.path])
    #expect(outcome.status == 4)
    #expect(try await LibraryRows(deadwax)["new.mp3"]?.state == "ok")
    #expect(try await missingCount() == 0)
  }

  // Faults: 52
  @Test func `a root that was renamed away is unavailable, with and without naming it`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    let away = music.url.deletingLastPathComponent().appending(path: "away")
    try FileManager.default.moveItem(at: music.url, to: away)
    for arguments in [["scan"], ["scan", music.path], ["scan", music.path + "/album 1"]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 4, "\(arguments): \(outcome)")
      #expect(outcome.errorText.contains(music.path))
    }
    #expect(try await missingCount() == 0)
    try FileManager.default.moveItem(at: away, to: music.url)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 53
  @Test func `an empty root is not believed, whatever it held`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    try FileManager.default.removeItem(at: music.url)
    try FileManager.default.createDirectory(at: music.url, withIntermediateDirectories: false)
    let outcome = try await deadwax.run(["scan"])
    #expect(outcome.status == 4)
    #expect(outcome.errorText.contains("empty"))
    #expect(try await missingCount() == 0)
    #expect(try await deadwax.run(["scan", "--accept-missing"]).status == 0)
    #expect(try await missingCount() == Self.fileCount)
  }

  // Faults: 53, 54
  /// As if another volume were mounted in the place of the one that was scanned.
  @Test(arguments: [false, true]) func `another volume is not believed, empty or not`(isEmpty: Bool) async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    try Tool.run(
      "sqlite3", deadwax.library.path, "UPDATE file SET device = device + 1; UPDATE root SET volume = 'another'")
    try remove(Self.fileCount)
    if !isEmpty { try music.add(fixture: "damaged/clean.mp3", as: "new.mp3") }
    let outcome = try await deadwax.run(["scan"])
    #expect(outcome.status == 4 && outcome.errorText.contains("different volume: 40 of 40"), "\(outcome)")
    #expect(outcome.errorText.contains("--accept-missing"), "\(outcome)")
    #expect(try await missingCount() == 0)
    #expect(try await deadwax.run(["scan", "--accept-missing"]).status == 0)
    #expect(try await missingCount() == Self.fileCount)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  /// Copies all files into a folder that is scanned afterwards, and removes them, as if their disk were unplugged.
  private func unplug(into other: MusicFolder, leavesAnotherVolume: Bool) async throws -> LibraryRows {
    _ = try await deadwax.run(["scan", music.path])
    for index in 0..<4 {
      try FileManager.default.copyItem(at: music.file("album \(index)"), to: other.file("copy \(index)"))
    }
    try remove(Self.fileCount)
    if leavesAnotherVolume {
      try Tool.run("sqlite3", deadwax.library.path, "UPDATE root SET volume = 'another'")
      try music.add(fixture: "damaged/clean.mp3", as: "new.mp3")
    }
    return try await LibraryRows(deadwax)
  }

  // Faults: 53
  @Test(arguments: [false, true])
  func `copies of what is on a disk that is not there are files of their own`(leavesAnotherVolume: Bool) async throws {
    let other = try MusicFolder()
    let before = try await unplug(into: other, leavesAnotherVolume: leavesAnotherVolume)
    let outcome = try await deadwax.run(["scan", "--json", music.path, other.path])
    #expect(outcome.status == 4, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).moved == 0)
    let after = try await LibraryRows(deadwax)
    #expect(before.rows.allSatisfy { after[$0.key] == $0.value })
    #expect(after.rows.count == 2 * Self.fileCount + (leavesAnotherVolume ? 1 : 0))
  }

  @Test func `nor do copies take what a relocated root may have once its disk is there`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let (place, other) = (try MusicFolder("damaged/clean.mp3"), try MusicFolder())
    #expect(try await deadwax.run(["roots", "relocate", music.path, place.path]).status == 0)
    let before = try await LibraryRows(deadwax)
    for index in 0..<4 {
      try FileManager.default.copyItem(at: music.file("album \(index)"), to: other.file("copy \(index)"))
    }
    let outcome = try await deadwax.run(["scan", "--json", place.path, other.path])
    #expect(outcome.status == 4, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).moved == 0)
    let after = try await LibraryRows(deadwax)
    #expect(before.rows.allSatisfy { after[$0.key] == $0.value } && after.rows.count == 2 * Self.fileCount + 1)
  }

  @Test func `a disk that is really gone leaves its rows to the copies`() async throws {
    let other = try MusicFolder()
    let before = try await unplug(into: other, leavesAnotherVolume: false)
    let report = try await deadwax.run(["scan", "--accept-missing", "--json", music.path, other.path])
      .document(ScanDocument.self)
    #expect(report.moved == Self.fileCount && report.new == 0 && report.missing == 0)
    let after = try await LibraryRows(deadwax)
    #expect(after["copy 3/7.wav"]?.id == before["album 3/7.wav"]?.id)
    #expect(after.rows.count == Self.fileCount)
  }

  /// What a scan compares with before it believes that files are gone.
  private func volume() throws -> String {
    let answer = try Tool.run("sqlite3", deadwax.library.path, "SELECT coalesce(volume, 'none') FROM root")
    return String(decoding: answer, as: UTF8.self)
  }

  // Faults: 54
  /// As if a copy of the disk took its place.
  @Test func `another volume with all the files is believed from then on`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let known = try volume()
    try Tool.run("sqlite3", deadwax.library.path, "UPDATE root SET volume = 'another'")
    #expect(try await deadwax.run(["scan", "--dry-run"]).status == 0)
    #expect(try volume() == "another\n")
    #expect(try await deadwax.run(["scan"]).status == 0)
    #expect(try volume() == known)
    try remove(1)
    #expect(try await deadwax.run(["scan"]).status == 0)
    #expect(try await missingCount() == 1)
  }

  // Faults: 54
  @Test func `a root that was relocated gets the volume on which its files are found`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let known = try volume()
    // As if a disk were not mounted yet.
    let place = try deadwax.home.makeFolder("disk")
    #expect(try await deadwax.run(["roots", "relocate", music.path, place.path]).status == 0)
    #expect(try await deadwax.run(["scan"]).status == 4)
    #expect(try volume() == "none\n")
    try FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: music.url, to: place)
    #expect(try await deadwax.run(["scan", "--dry-run"]).status == 0)
    #expect(try volume() == "none\n")
    #expect(try await deadwax.run(["scan"]).status == 0)
    #expect(try volume() == known && known != "none\n")
    #expect(try await missingCount() == 0)
  }

  // Faults: 55
  /// As after a restart: the kernel numbers disks in the order in which it finds them.
  @Test func `files that vanish while their disk gets another number are asked about each time`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    try Tool.run("sqlite3", deadwax.library.path, "UPDATE file SET device = device + 1")
    try remove(12)
    for _ in 0..<2 {
      let outcome = try await deadwax.run(["scan"])
      #expect(outcome.status == 4 && outcome.errorText.contains("12 of 40"), "\(outcome)")
    }
    #expect(try await missingCount() == 0)
    #expect(try await deadwax.run(["scan", "--accept-missing"]).status == 0)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 55
  @Test(arguments: ["-a", "-r"])
  func `files that a copied root lacks are asked about each time`(option: String) async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    try Tool.run("sqlite3", deadwax.library.path, "UPDATE file SET device = device + 1")
    let place = deadwax.home.appending("disk")
    // With and without the times of the files.
    try Tool.run("cp", option, music.path, place.path)
    for index in 0..<12 {
      try FileManager.default.removeItem(at: place.appending(path: "album \(index % 4)/\(index).wav"))
    }
    #expect(try await deadwax.run(["roots", "relocate", music.path, place.path]).status == 0)
    for _ in 0..<2 {
      let outcome = try await deadwax.run(["scan"])
      #expect(outcome.status == 4 && outcome.errorText.contains("12 of 40"), "\(outcome)")
    }
    #expect(try await missingCount() == 0)
    #expect(try await deadwax.run(["scan", "--accept-missing"]).status == 0)
    #expect(try await missingCount() == 12)
    try await Invariants(place).check(deadwax, users: users)
  }

  // Faults: 54
  @Test func `a disk below the root that is not mounted takes its files with it for a time`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    try Tool.run(
      "sqlite3", deadwax.library.path, "UPDATE file SET device = device + 1 WHERE path_text LIKE 'album 1/%'")
    for index in stride(from: 1, to: Self.fileCount, by: 4) { try music.remove("album 1/\(index).wav") }
    let outcome = try await deadwax.run(["scan", "--json"])
    #expect(try outcome.status == 0 && outcome.document(ScanDocument.self).missing == 0, "\(outcome)")
    #expect(outcome.errorText.contains("a disk with 10 files is missing"), "\(outcome)")
    #expect(try await deadwax.run(["scan", "--strict"]).status == 3)
    #expect(try await missingCount() == 0)
    #expect(try await deadwax.run(["scan", "--accept-missing"]).status == 0)
    #expect(try await missingCount() == Self.fileCount / 4)
  }

  @Test func `one root that is gone does not keep another from being scanned`() async throws {
    let other = try MusicFolder("damaged/clean.mp3")
    _ = try await deadwax.run(["scan", music.path, other.path])
    try FileManager.default.removeItem(at: music.url)
    try other.add(fixture: "damaged/length-unknown.flac", as: "new.flac")
    let outcome = try await deadwax.run(["scan"])
    #expect(outcome.status == 4)
    #expect(try await LibraryRows(deadwax)["new.flac"]?.state == "ok")
    #expect(try await missingCount() == 0)
  }

  @Test func `a folder that was never a root is a mistake when it is not there`() async throws {
    let outcome = try await deadwax.run(["scan", music.path + "/nowhere"])
    #expect(outcome.status == 4)
    #expect(outcome.errorText.contains("nowhere"))
  }
}
