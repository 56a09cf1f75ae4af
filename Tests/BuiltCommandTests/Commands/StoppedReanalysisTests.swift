import Foundation
import Glibc
import Testing
import TestSupport

/// What a stopped or killed reanalysis leaves, what is left to do for the next one, and what must wait for it.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct StoppedReanalysisTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio/Lathe & Lantern", "audio/The Locked Grooves", "damaged/clean.mp3")
    try await deadwax.must(["scan", music.path])
  }

  // Faults: 74
  @Test(arguments: [[], ["--force"]])
  func `stopped five times, it decodes nothing twice but what was in work`(mode: [String]) async throws {
    for index in 0..<6 { try music.addSilence(seconds: 500 + index, as: "long\(index).wav") }
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let fresh = try await LibraryDump(deadwax)
    let count = try #require(Int(await deadwax.sqlite("SELECT count(*) FROM audio")))
    try await deadwax.sqlite("UPDATE product SET version = version - 1 WHERE kind = 'spectrogram'")
    var decodedCount = 0
    var interruptedCount = 0
    var isComplete = false
    while !isComplete {
      let run = try deadwax.start(["reanalyze", "--json", "--jobs", "2", "--product", "spectrogram"] + mode)
      if interruptedCount < 5 {
        _ = try await run.worker(after: 0.15)
        run.send(SIGINT)
      }
      let outcome = try await run.outcome()
      let report = try outcome.document(ReanalysisDocument.self)
      #expect(outcome.status == (report.interrupted ? 128 + SIGINT : 0), "\(outcome)")
      #expect(report.resumed_recordings == (mode.isEmpty ? 0 : decodedCount))
      decodedCount += report.decoded_files
      interruptedCount += report.interrupted ? 1 : 0
      isComplete = !report.interrupted
    }
    #expect(interruptedCount > 0)
    #expect((count...count + 5 * 2).contains(decodedCount))
    let dump = try await LibraryDump(deadwax)
    #expect(dump == fresh, "\(dump.difference(from: fresh))")
  }

  // Faults: 74
  @Test func `killed at any moment, it leaves a sound library and is finished by the next one`() async throws {
    let fresh = try await LibraryDump(deadwax)
    let makeStale = "UPDATE product SET version = 0"
    try await deadwax.sqlite(makeStale)
    let duration = try await ContinuousClock().measure { try await deadwax.must(["reanalyze"]) }
    try await deadwax.sqlite(makeStale)
    var random = RepeatableRandom(seed: 76)
    var killedCount = 0
    for number in 0..<8 {
      let run = try deadwax.start(["reanalyze"])
      // Spread over the run, so that the first kills come early in one that is faster than the one that was measured.
      try await Task.sleep(for: duration * (Double(number) + Double.random(in: 0...1, using: &random)) / 8)
      run.send(SIGKILL)
      let isKilled = try await run.outcome().status == 128 + SIGKILL
      #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
      if isKilled { killedCount += 1 } else { try await deadwax.sqlite(makeStale) }
    }
    #expect(killedCount > 0)
    try await deadwax.must(["reanalyze"])
    let dump = try await LibraryDump(deadwax)
    #expect(dump == fresh, "\(dump.difference(from: fresh))")
  }

  @Test func `while it runs a scan steps back, and the other way round`() async throws {
    try music.addSilence(seconds: 1800, as: "long.wav")
    let scan = try deadwax.start(["scan", music.path])
    try #require(try await scan.worker(after: 0.25) != nil)
    let second = try await deadwax.run(["reanalyze", "--force"])
    #expect(second.status == 75 && second.errorText.contains("\(scan.processID)"), "\(second)")
    // Its roots cannot be changed either.
    for arguments in [["remove", music.path], ["relocate", music.path, deadwax.home.url.path]] {
      let roots = try await deadwax.run(["roots"] + arguments)
      #expect(roots.status == 75, "\(roots)")
    }
    #expect(try await scan.outcome().status == 0)
    let run = try deadwax.start(["reanalyze", "--force"])
    try #require(try await run.worker(after: 0.25) != nil)
    let other = try await deadwax.run(["scan", music.path])
    #expect(other.status == 75 && other.errorText.contains("\(run.processID)"), "\(other)")
    #expect(try await run.outcome().status == 0)
  }

  @Test func `an interrupted run goes on for the folder that was meant, not for one of the same name`() async throws {
    for (folder, seconds) in [("a", 1200), ("b", 1300)] {
      try music.add(fixture: "damaged/clean.mp3", as: "\(folder)/live/1.mp3")
      for number in 2...3 { try music.addSilence(seconds: seconds + number, as: "\(folder)/live/\(number).wav") }
    }
    try await deadwax.must(["scan", music.path])
    func start(in folder: String) throws -> RunningCommand {
      let command = "cd '\(music.file(folder).path)' && exec '\(DeadwaxCommand.executable.path)'"
      return try deadwax.start(
        executable: URL(filePath: "/bin/bash"), ["-c", command + " reanalyze --force --json --jobs 1 ./live"])
    }
    func reanalyze(in folder: String) async throws -> ReanalysisDocument {
      try await start(in: folder).outcome().document()
    }
    let run = try start(in: "a")
    _ = try await run.worker(after: 0.3)
    run.send(SIGINT)
    let interrupted = try await run.outcome()
    try #require(interrupted.status == 128 + SIGINT, "\(interrupted)")
    let done = try interrupted.document(ReanalysisDocument.self).decoded_files
    // The first file of both folders is the same recording.
    try #require(done > 0)
    #expect(try await reanalyze(in: "b").resumed_recordings == 0)
    #expect(try await reanalyze(in: "a").resumed_recordings == done)
  }
}
