import Foundation
import Glibc
import Testing
import TestSupport

/// What a stopped or killed reanalysis leaves, and what is left to do for the next one.
extension ReanalysisTests {
  @Test(arguments: [[], ["--force"]])
  func `stopped five times, it decodes nothing twice but what was in work`(mode: [String]) async throws {
    for index in 0..<6 { try music.addSilence(seconds: 500 + index, as: "long\(index).wav") }
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let fresh = try await LibraryDump(deadwax)
    let count = try await recordingCount()
    try await sqlite("UPDATE product SET version = version - 1 WHERE kind = 'spectrogram'")
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

  @Test func `killed at any moment, it leaves a sound library and is finished by the next one`() async throws {
    let fresh = try await LibraryDump(deadwax)
    let makeStale = "UPDATE product SET version = 0"
    try await sqlite(makeStale)
    let duration = try await ContinuousClock().measure { _ = try await reanalyze() }
    try await sqlite(makeStale)
    var random = RepeatableRandom(seed: 76)
    var killedCount = 0
    for _ in 0..<8 {
      let run = try deadwax.start(["reanalyze"])
      try await Task.sleep(for: duration * Double.random(in: 0...1, using: &random))
      run.send(SIGKILL)
      let isKilled = try await run.outcome().status == 128 + SIGKILL
      #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
      if isKilled { killedCount += 1 } else { try await sqlite(makeStale) }
    }
    #expect(killedCount > 0)
    _ = try await reanalyze()
    let dump = try await LibraryDump(deadwax)
    #expect(dump == fresh, "\(dump.difference(from: fresh))")
  }
}
