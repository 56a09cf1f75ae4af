internal import Foundation
internal import TestSupport

extension FaultCase {
  static let load = FaultCase(92, named: "a scan, fifty queries and ten writes a second") { trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
    let library = deadwax.library
    let questions = [
      ["ls", "--limit", "20"], ["ls", "duration:>10", "--limit", "50"], ["ls", "--sort", "lufs+", "--limit", "20"],
      ["ls", "--format", "jsonl", "--limit", "100"], ["ls", "-q", "no such word"],
    ]
    let until = ContinuousClock.now + trial.duration(minutes: 10)
    let before = try ProcessorTimes()
    var scan = try deadwax.start(["scan", music.path])
    let queries = SteadyLoad(every: 0.02, threadCount: 4) {
      try QuickRun(questions[$0 % questions.count], library: library)
    }
    let writes = SteadyLoad(every: 0.1, threadCount: 1) {
      try QuickRun(["preset", "edit", "mine", "-q", "--gain", "-\(Double($0 % 200 + 1) / 10)"], library: library)
    }
    var scanCount = 0
    while ContinuousClock.now < until {
      while scan.isRunning, ContinuousClock.now < until { try await Task.sleep(for: .milliseconds(50)) }
      if scan.isRunning { scan.send(SIGINT) }
      let outcome = try await scan.outcome()
      trial.expect([0, 130].contains(outcome.status), "\(outcome)")
      scanCount += 1
      if ContinuousClock.now < until { scan = try deadwax.start(["reanalyze", "--force", "--restart"]) }
    }
    try await queries.stop()
    try await writes.stop()
    trial.note("\(scanCount) scans; ls: \(queries.figures); writes: \(writes.figures)")
    trial.note(try ProcessorTimes().figures(since: before))
    for failure in queries.failures + writes.failures { trial.fail(failure) }
    trial.expect(queries.milliseconds(0.99) < 100, "p99 of ls is \(Int(queries.milliseconds(0.99))) ms, not under 100")
    trial.expect(
      writes.milliseconds(0.99) < 200, "p99 of a write is \(Int(writes.milliseconds(0.99))) ms, not under 200")
    let changes = try await UserDump(deadwax).lines.filter { $0.hasPrefix("preset_change |") }
    trial.expect(
      changes.count == writes.runCount + 1, "\(changes.count - 1) of \(writes.runCount) acknowledged writes are there")
    trial.expect(try await deadwax.run(["doctor", "--deep"]).status == 0, "the library is not sound")
  }

  static let stress = FaultCase(98, named: "two processes write and fold the log in, all the time") { trial in
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    let library = deadwax.library
    let until = ContinuousClock.now + trial.duration(minutes: 30)
    let writers = ["mine", "other"].map { name in
      SteadyLoad(every: 0, threadCount: 1) {
        try QuickRun(["preset", "edit", name, "-q", "--gain", "-\(Double($0 % 200 + 1) / 10)"], library: library)
      }
    }
    var checkCount = 0
    while ContinuousClock.now < until {
      let rest = until - ContinuousClock.now
      try await Task.sleep(for: min(rest, .seconds(60)))
      let outcome = try await deadwax.run(["doctor", "--deep"])
      trial.expect(outcome.status == 0, "\(outcome)")
      checkCount += 1
    }
    for writer in writers { try await writer.stop() }
    let count = writers.reduce(0) { $0 + $1.runCount }
    trial.note("\(count) writes, \(checkCount) checks")
    for failure in writers.flatMap(\.failures) { trial.fail(failure) }
    let changes = try await UserDump(deadwax).lines.count { $0.hasPrefix("preset_change |") }
    let before = stage.users.lines.count { $0.hasPrefix("preset_change |") }
    trial.expect(changes - before == count, "\(changes - before) of \(count) acknowledged writes are there")
    trial.expectNone(try await stage.invariants.violations(of: deadwax, equals: stage.fresh), after: "the stress")
  }
}
