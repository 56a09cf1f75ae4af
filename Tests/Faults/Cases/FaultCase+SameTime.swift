import Foundation
import TestSupport

extension FaultCase {
  /// Several processes with one library.
  static var sameTime: [FaultCase] { [load, scans, editors, longReader, backups] }

  private static let scans = FaultCase(90, 91, named: "two scans at once") { trial in
    let stage = try await Stage.shared.value
    for number in 0..<trial.count(50) {
      let deadwax = try DeadwaxCommand()
      // Every other library is created by the two scans.
      let users = try await number.isMultiple(of: 2) ? UserDump.empty : deadwax.decide()
      let runs = try [deadwax.start(["scan", stage.music.path]), deadwax.start(["scan", stage.music.path])]
      var statuses: [Int32] = []
      for run in runs {
        let outcome = try await run.outcome()
        statuses.append(outcome.status)
        trial.expect(outcome.status != 75 || outcome.errorText.contains("already running"), "\(outcome)")
      }
      trial.countAttempt()
      trial.expect(statuses.contains(0) && statuses.allSatisfy { [0, 75].contains($0) }, "\(statuses)")
      trial.expectNone(
        try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "two scans")
    }
  }

  private static let editors = FaultCase(93, named: "two editors of one preset") { trial in
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    for number in 1...trial.count(50) {
      let runs = try [
        deadwax.start(["preset", "edit", "mine", "--gain", "-\(Double(number) / 10)"]),
        deadwax.start(["preset", "edit", "mine", "--pitch", "\(number)"]),
      ]
      for run in runs {
        let outcome = try await run.outcome()
        trial.expect(outcome.status == 0, "\(outcome)")
      }
      trial.countAttempt()
      let shown = try await deadwax.must(["preset", "show", "mine", "--json"]).document(PresetDocument.self)
      trial.expect(
        shown.gain_db == -Double(number) / 10 && shown.pitch_cents == Double(number), "one edit was lost: \(shown)")
    }
    let users = try await UserDump(deadwax)
    let changes = users.lines.count { $0.hasPrefix("change |") }
    let before = stage.users.lines.count { $0.hasPrefix("change |") }
    trial.expect(changes - before == 2 * trial.count(50), "\(changes - before) changes are in the journal")
    trial.expectNone(
      try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "the editors")
  }

  private static let longReader = FaultCase(96, named: "a reader that does not end during a scan") { trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
    let users = try await UserDump(deadwax)
    let reader = try LongReader(deadwax.library)
    let scan = try deadwax.start(["scan", music.path])
    var most = 0
    while scan.isRunning {
      let log = try? FileManager.default.attributesOfItem(atPath: deadwax.library.path + "-wal")
      most = max(most, (log?[.size] as? NSNumber)?.intValue ?? 0)
      try await Task.sleep(for: .milliseconds(50))
    }
    let outcome = try await scan.outcome()
    withExtendedLifetime(reader) {}
    trial.expect(outcome.status == 0, "\(outcome)")
    let library = try FileManager.default.attributesOfItem(atPath: deadwax.library.path)[.size] as? NSNumber
    trial.note("log of \(most >> 10) KiB for a library of \((library?.intValue ?? 0) >> 10) KiB")
    trial.expect((1..<256 << 20).contains(most), "the log grew to \(most) bytes")
    trial.expect(try await UserDump(deadwax) == users, "what users decided has changed")
    trial.expect(try await deadwax.run(["doctor", "--deep"]).status == 0, "the library is not sound")
  }

  private static let backups = FaultCase(97, named: "backups while a scan and a user write") { trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
    let library = deadwax.library
    let scan = try deadwax.start(["scan", music.path])
    let writes = SteadyLoad(every: 0.05, threadCount: 1) {
      try QuickRun(["preset", "edit", "mine", "-q", "--gain", "-\(Double($0 % 200 + 1) / 10)"], library: library)
    }
    var kept = deadwax
    kept.library = deadwax.backup
    repeat {
      try await deadwax.must(["backup", deadwax.backup.path])
      trial.countAttempt()
      let check = try await kept.run(["doctor", "--deep"])
      trial.expect(check.status == 0, "\(check)")
    } while scan.isRunning
    try await writes.stop()
    for failure in writes.failures { trial.fail(failure) }
    trial.expect(writes.runCount > 0, "nothing was written")
    let outcome = try await scan.outcome()
    trial.expect(outcome.status == 0, "\(outcome)")
  }
}

extension FaultCase {
  static let load = FaultCase(92, named: "a scan, fifty queries and ten writes a second") { trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
    let library = deadwax.library
    // Quietly: until the first files are stored, nothing is found.
    let questions = [
      ["--limit", "20"], ["duration:>10", "--limit", "50"], ["--sort", "lufs+", "--limit", "20"],
      ["--format", "jsonl", "--limit", "100"], ["no such word"],
    ]
    let until = ContinuousClock.now + trial.duration(minutes: 10)
    let before = try ProcessorTimes()
    var scan = try deadwax.start(["scan", music.path])
    let queries = SteadyLoad(every: 0.02, threadCount: 4) {
      try QuickRun(["ls", "-q"] + questions[$0 % questions.count], library: library)
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
    trial.expect(queries.runCount > 0 && writes.runCount > 0, "there was no load")
    // Ratios, because machines differ: waiting for a processor that a scan, four readers and a writer share.
    trial.expect(queries.waiting(0.99) < 6, "p99 of ls is \(queries.waiting(0.99)) times its own processor time")
    trial.expect(writes.waiting(0.99) < 10, "p99 of a write is \(writes.waiting(0.99)) times its own processor time")
    let changes = try await UserDump(deadwax).lines.filter { $0.hasPrefix("change |") }
    trial.expect(
      changes.count == writes.runCount + 1, "\(changes.count - 1) of \(writes.runCount) acknowledged writes are there")
    trial.expect(try await deadwax.run(["doctor", "--deep"]).status == 0, "the library is not sound")
  }

  static let stress = FaultCase(98, named: "two processes write and checkpoint all the time") { trial in
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
    let users = try await UserDump(deadwax)
    let changes = users.lines.count { $0.hasPrefix("change |") }
    let before = stage.users.lines.count { $0.hasPrefix("change |") }
    trial.expect(
      count > 0 && changes - before == count, "\(changes - before) of \(count) acknowledged writes are there")
    trial.expectNone(
      try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "the stress")
  }
}
