import Foundation
import Glibc
import Testing
import TestSupport

/// What a killed merge leaves.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct KilledMergesTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio", "damaged")
  }

  private func with(_ name: String) -> DeadwaxCommand { deadwax.with(deadwax.home.appending(name)) }

  private func scan(_ library: DeadwaxCommand, without globs: [String] = []) async throws {
    try await library.must(["scan", music.path] + globs.flatMap { ["--exclude", $0] })
  }

  @Test func `a merge that is killed at any moment leaves whole parts, and the next one completes it`() async throws {
    let (half, whole) = (with("half.sqlite"), with("whole.sqlite"))
    try await scan(whole)
    try await scan(deadwax, without: ["/damaged"])
    try await scan(half, without: ["/audio"])
    for library in [deadwax, half, whole] {
      _ = try await library.run(["preset", "create", "mine", "--gain", "-2"])
      _ = try await library.run(["list", "save", "quiet", "lufs:<-20"])
    }
    _ = try await half.run(["preset", "assign", "mine", "state:damaged"])
    _ = try await whole.run(["preset", "assign", "mine", "path:damaged state:damaged"])
    let bytes = try Data(contentsOf: deadwax.library)
    let before = try await LibraryDump(deadwax)
    let after = try await LibraryDump(whole)
    let decided = try await assignments(whole)
    let clock = ContinuousClock()
    // The shortest of three: one that was held up would let every kill come too late.
    var duration = Duration.seconds(60)
    for number in 0..<3 {
      let new = with("new\(number).sqlite")
      let time = try await clock.measure { _ = try await new.run(["merge", half.library.path]) }
      duration = min(duration, time)
    }
    var random = RepeatableRandom(seed: 112)
    var (killedCount, laterCount) = (0, 0)
    for _ in 0..<20 {
      for name in try deadwax.home.names() where name.hasPrefix("library.sqlite") {
        try FileManager.default.removeItem(at: deadwax.home.appending(name))
      }
      try bytes.write(to: deadwax.library)
      let run = try deadwax.start(["merge", half.library.path])
      try await Task.sleep(for: duration * Double.random(in: 0...1.1, using: &random))
      run.send(SIGKILL)
      let isKilled = try await run.outcome().status == 128 + SIGKILL
      killedCount += isKilled ? 1 : 0
      // On a machine with other work a merge does not take as long as the last one.
      duration = duration * (isKilled ? 1.1 : 0.7)
      #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
      let dump = try await LibraryDump(deadwax)
      #expect(dump == before || dump == after, "\(dump.difference(from: before))")
      // What was decided comes last, and as a whole.
      let assigned = try await assignments(deadwax)
      #expect(assigned.isEmpty || dump == after && assigned == decided)
      laterCount += dump == after ? 1 : 0
      try await deadwax.must(["merge", half.library.path, "--no-backup"])
      let dumpAtEnd = try await LibraryDump(deadwax)
      #expect(dumpAtEnd == after, "\(dumpAtEnd.difference(from: after))")
      #expect(try await assignments(deadwax) == decided)
      #expect(try deadwax.home.names().filter { $0.contains(".new-") }.isEmpty)
    }
    #expect(killedCount > 0 && laterCount < 20)
  }

  private func assignments(_ library: DeadwaxCommand) async throws -> Set<String> {
    let outcome = try await library.run(["ls", "preset:mine", "--fields", "path,preset", "--format", "jsonl"])
    return Set(outcome.text.split(separator: "\n").map(String.init))
  }
}
