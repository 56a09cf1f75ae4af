import Foundation
import Glibc
import Testing
import TestSupport

/// A backup is whole or not there, whatever happens meanwhile.
struct InterruptedBackupsTests {
  private let deadwax: DeadwaxCommand
  private let backup: URL

  init() async throws {
    deadwax = try await ScannedMusic.of("audio/Lathe & Lantern").library()
    backup = deadwax.home.appending("kept/library.backup")
    try FileManager.default.createDirectory(
      at: backup.deletingLastPathComponent(), withIntermediateDirectories: true)
    try await deadwax.must(["preset", "create", "mine", "--gain", "-2"])
    try await deadwax.must(["preset", "assign", "mine", "title:Lacquer"])
  }

  // Faults: 97
  @Test func `a backup during a scan is consistent`() async throws {
    let music = try MusicFolder()
    try music.addSilence(seconds: 7200, as: "long.wav")
    let scan = try deadwax.start(["scan", "--jobs", "1", music.path])
    try #require(try await scan.worker(after: 0.25) != nil)
    for _ in 0..<3 {
      #expect(try await deadwax.run(["backup", backup.path]).status == 0)
      #expect(try await deadwax.with(backup).run(["doctor", "--deep"]).status == 0)
    }
    // A library that a scan writes to is not taken away from it.
    #expect(try await deadwax.run(["restore", backup.path]).status != 0)
    #expect(try await scan.outcome().status == 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    withExtendedLifetime(music) {}
  }

  // Faults: 97
  @Test func `killed at any moment, there is the old backup or the new one`() async throws {
    let duration = try await ContinuousClock().measure { _ = try await deadwax.run(["backup", backup.path]) }
    var random = RepeatableRandom(seed: 77)
    var killedCount = 0
    for number in 0..<10 {
      let run = try deadwax.start(["backup", backup.path, "--keep", "1"])
      // Spread over the run, so that the first kills come early in one that is faster than the one that was measured.
      try await Task.sleep(for: duration * (Double(number) + Double.random(in: 0...1, using: &random)) / 10)
      run.send(SIGKILL)
      killedCount += try await run.outcome().status == 128 + SIGKILL ? 1 : 0
      #expect(try await deadwax.with(backup).run(["doctor", "--deep"]).status == 0)
    }
    #expect(killedCount > 0)
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
    let names = try FileManager.default
      .contentsOfDirectory(atPath: backup.deletingLastPathComponent().path).sorted()
    #expect(names == ["library.backup", "library.backup.1"])
  }
}
