import Foundation
import Glibc
import Testing
import TestSupport

/// What a command said that it did is on the disk, even if it is killed or the power fails.
struct KilledPresetCommandsTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedFixtures.audio.value.deadwax.copy()
    try await deadwax.must(["preset", "assign", "Voice", "title:Lacquer"])
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
      // Spread over twice the run, so that the first kills come early in one that is faster than the one that was measured.
      try await Task.sleep(for: duration * 2 * (Double(number) + Double.random(in: 0...1, using: &random)) / 24)
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
    #expect(try await deadwax.must(["preset", "of", "title:Lacquer"]).text.hasPrefix("Voice"))
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `a change is on the disk before the command says so`() async throws {
    let log = deadwax.home.appending("calls")
    let outcome = try await deadwax.run(
      executable: CallTracer.executable,
      ["-y", "-o", log.path, "-e", "trace=write,pwrite64,fsync,fdatasync", DeadwaxCommand.executable.path]
        + ["preset", "assign", "Bass", "title:Balayage"])
    #expect(outcome.status == 0, "\(outcome)")
    let calls = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    let said = try #require(calls.firstIndex { $0.contains("Bass assigned") })
    let written = try #require(calls[..<said].lastIndex { $0.hasPrefix("pwrite64(") && $0.contains("sqlite-wal>") })
    #expect(calls[written..<said].contains { $0.contains("sync(") && $0.contains("sqlite-wal>") })
    // The folder was also synced, for the name of the log.
    #expect(calls[..<said].contains { $0.contains("sync(") && $0.contains("<\(deadwax.home.url.path)>") })
  }
}
