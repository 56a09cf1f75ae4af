import Foundation
import Glibc
import Testing
import TestSupport

/// A file that cannot be read now is not missing: it keeps its state, and the scan says so.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct UnreadableFoldersTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let sample = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
    for (index, name) in ["a/1.wav", "a/2.wav", "b/3.wav", "b/deep/4.wav", "c/5.wav"].enumerated() {
      try music.write(sample.dropLast() + [UInt8(index)], to: name)
    }
  }

  /// Scans while system calls on a path below the music fail.
  private func scan(failing call: String, with error: String, at name: String, _ options: String...) async throws
    -> CommandOutcome
  {
    try await deadwax.run(
      executable: CallTracer.executable,
      [
        "-o", "/dev/null", "-P", music.file(name).path, "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
        DeadwaxCommand.executable.path, "scan", "--json", music.path,
      ] + options)
  }

  // Faults: 56
  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"), arguments: ["EIO", "ESTALE", "EACCES"])
  func `a folder that cannot be listed keeps its files`(error: String) async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    let outcome = try await scan(failing: "getdents64", with: error, at: "b")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.errorText.contains("b:"))
    let report = try outcome.document(ScanDocument.self)
    #expect(report.found == 3)
    #expect(report.missing == 0)
    #expect(try await LibraryRows(deadwax) == before)

    #expect(try await scan(failing: "getdents64", with: error, at: "b", "--strict").status == 3)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a file in a folder that cannot be listed is not taken for one that moved`() async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    let before = try await LibraryRows(deadwax)
    try music.add(music.file("b/3.wav"), as: "c/copy.wav")
    let outcome = try await scan(failing: "getdents64", with: "EIO", at: "b")
    #expect(outcome.status == 0, "\(outcome)")
    let after = try await LibraryRows(deadwax)
    #expect(after["b/3.wav"] == before["b/3.wav"])
    #expect(after["c/copy.wav"]?.audio_id == before["b/3.wav"]?.audio_id)
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 57, 59
  /// The call fails once, or from then on, as on a disk that is gone.
  @Test(
    .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"),
    arguments: (1...6).flatMap { ["\($0)", "\($0)+"] })
  func `no listing that breaks off makes a file missing`(count: String) async throws {
    _ = try await deadwax.run(["scan", music.path])
    let before = try await LibraryRows(deadwax)
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      [
        "-o", "/dev/null", "-e", "trace=getdents64", "-e", "inject=getdents64:error=EIO:when=\(count)",
        DeadwaxCommand.executable.path, "scan", "--json", music.path,
      ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try outcome.document(ScanDocument.self).missing == 0)
    #expect(try await LibraryRows(deadwax) == before)
  }

  // Faults: 58
  @Test(
    .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"), arguments: ["EIO", "ESTALE", "ENODEV"],
    ["openat", "newfstatat"])
  func `a file that cannot be opened or looked at keeps its row and is tried again`(
    error: String, call: String
  ) async throws {
    _ = try await deadwax.run(["scan", music.path])
    let users = try await deadwax.decide()
    // Other bytes of the same length, so that the scan reads it again.
    let sample = try Data(contentsOf: music.file("c/5.wav"))
    try music.write(sample.dropLast() + [99], to: "c/5.wav")
    let before = try await LibraryRows(deadwax)
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      [
        // The name as the call has it, relative to an open folder.
        "-o", "/dev/null", "-P", "5.wav", "-P", "c/5.wav", "-e", "trace=\(call)", "-e", "inject=\(call):error=\(error)",
        DeadwaxCommand.executable.path, "scan", "--json", music.path,
      ])
    #expect(outcome.status == 0, "\(outcome)")
    let report = try outcome.document(ScanDocument.self)
    #expect(report.missing == 0 && report.decoded_files == 0)
    let after = try await LibraryRows(deadwax)
    #expect(after["c/5.wav"]?.state != "missing" && after["c/5.wav"]?.audio_id == before["c/5.wav"]?.audio_id)
    #expect(after.rows.filter { $0.key != "c/5.wav" } == before.rows.filter { $0.key != "c/5.wav" })
    if call == "openat" { #expect(after["c/5.wav"]?.state == "unreadable") }
    try await Invariants(music.url).check(deadwax, users: users)
  }

  // Faults: 34, 95
  @Test(.timeLimit(.minutes(2)))
  func `a file that is written to while it is read waits for the next scan`() async throws {
    try music.addSilence(seconds: 1800, as: "growing.wav")
    let scan = try deadwax.start(["scan", "--jobs", "1", music.path])
    try #require(try await scan.worker(after: 0.25) != nil)
    let handle = try FileHandle(forWritingTo: music.file("growing.wav"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(count: 4))
    try handle.close()
    let outcome = try await scan.outcome()
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await LibraryRows(deadwax)["growing.wav"]?.state == "pending")

    let next = try await deadwax.run(["scan", "--json", music.path])
    #expect(try next.document(ScanDocument.self).decoded_files == 1)
    #expect(try await LibraryRows(deadwax)["growing.wav"]?.state == "ok")
  }

  // Faults: 58
  @Test(.enabled(if: getuid() != 0, "the administrator may open everything"))
  func `a file that this user may not open is tried again`() async throws {
    let users = try await deadwax.decide()
    let locked = music.file("a/1.wav")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: locked.path)
    let outcome = try await deadwax.run(["scan", "--json", music.path])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await LibraryRows(deadwax)["a/1.wav"]?.state == "unreadable")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: locked.path)
    try await Invariants(music.url).check(deadwax, users: users)
  }
}
