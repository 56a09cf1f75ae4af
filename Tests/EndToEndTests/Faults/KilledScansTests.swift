import Foundation
import Glibc
import Testing
import TestSupport

/// A scan that is killed at any moment leaves a consistent library, and the next one goes on where it stopped.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct KilledScansTests {
  /// Tagged, damaged and longer files.
  private static func makeMusic() throws -> MusicFolder {
    let music = try MusicFolder("audio/Lathe & Lantern", "damaged")
    if let corpora = Corpora.root {
      for name in ["speech-mono.wav", "stereo.flac", "stereo.mp3", "stereo.ogg", "stereo.opus", "stereo.wav"] {
        try music.add(corpora.appending(path: "waveforms/\(name)"), as: "waveforms/\(name)")
      }
    }
    return music
  }

  /// How often to kill; more on request, because each time costs some scans.
  private static let killCount = TestSize.count(6, slow: 200)

  // Faults: 74, 81
  @Test func `a scan that is killed at any moment is finished by the next one`() async throws {
    let music = try Self.makeMusic()
    let invariants = try Invariants(music.url)
    let fresh = try await invariants.freshDump()
    let clock = ContinuousClock()
    let duration = try await clock.measure { _ = try await DeadwaxCommand().run(["scan", music.path]) }
    var random = RepeatableRandom(seed: 74)
    var killedCount = 0
    for number in 0..<Self.killCount {
      let deadwax = try DeadwaxCommand()
      // Every other library is created by the scan that is killed.
      let users = try await number.isMultiple(of: 2) ? UserDump.empty : deadwax.decide()
      let scan = try deadwax.start(["scan", music.path])
      // Spread over the scan, so that the first kills come early in one that is faster than the one that was measured.
      let share = (Double(number) + Double.random(in: 0...1, using: &random)) / Double(Self.killCount)
      try await Task.sleep(for: duration * 0.9 * share)
      scan.send(SIGKILL)
      killedCount += try await scan.outcome().status == 128 + SIGKILL ? 1 : 0
      try await invariants.check(deadwax, users: users, equals: fresh)
    }
    // The duration was measured while other tests ran, so some scans end before they are killed.
    #expect(killedCount > 0, "many scans must have been killed before their end")
  }

  @Test func `what a killed scan left while it made the library is cleaned away, but not that of a running one`()
    async throws
  {
    let music = try MusicFolder("damaged/clean.mp3")
    let deadwax = try DeadwaxCommand()
    // No process has the largest number; this one runs.
    for owner in ["\(Int32.max)", "\(getpid())"] {
      for suffix in ["", "-journal"] {
        try Data().write(to: deadwax.home.appending("library.sqlite.new-\(owner)-0\(suffix)"))
      }
    }
    let others = [
      "library.sqlite.new", "library.sqlite.new-", "library.sqlite.new-1", "library.sqlite.new-x-0", "mine.new-1-0",
    ]
    for name in others { try Data().write(to: deadwax.home.appending(name)) }
    #expect(try await deadwax.run(["scan", music.path]).status == 0)
    let running = ["library.sqlite.new-\(getpid())-0", "library.sqlite.new-\(getpid())-0-journal"]
    #expect(try deadwax.home.names() == (others + running + ["library.sqlite"]).sorted())

    // The same if the library was complete already.
    let second = deadwax.home.appending("library.sqlite.new-\(Int32.max)-1")
    try FileManager.default.linkItem(at: deadwax.library, to: second)
    #expect(try await deadwax.run(["scan", music.path]).status == 0)
    #expect(try deadwax.home.names() == (others + running + ["library.sqlite"]).sorted())
    try await requireSound(deadwax)
  }

  private func requireSound(_ deadwax: DeadwaxCommand) async throws {
    let outcome = try await deadwax.run(["doctor", "--deep"])
    #expect(outcome.status == 0, "\(outcome)")
  }

  // Faults: 74
  @Test func `one library survives being killed again and again`() async throws {
    let music = try Self.makeMusic()
    let invariants = try Invariants(music.url)
    let deadwax = try DeadwaxCommand()
    let users = try await deadwax.decide()
    var random = RepeatableRandom(seed: 75)
    for _ in 0..<TestSize.count(3, slow: 10) {
      let scan = try deadwax.start(["scan", music.path])
      try await Task.sleep(for: .milliseconds(Int.random(in: 20...400, using: &random)))
      scan.send(SIGKILL)
      _ = try await scan.outcome()
    }
    try await invariants.check(deadwax, users: users)
  }
}
