import Foundation
import TestSupport

extension FaultCase {
  static let mixedLoad = FaultCase(187, named: "scans, questions, writes, merges, backups, kills and pauses at once") {
    trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
    try await deadwax.must(["preset", "create", "load", "--gain", "0"])
    let (library, guest) = (deadwax.library, try await Stage.shared.value.copy())
    let before = try ProcessorTimes()
    let queries = SteadyLoad(every: 0.02, threadCount: 4) { number in
      // Quietly: until the first files are stored, nothing is found.
      let questions = [["--limit", "20"], ["lufs:>-20", "--limit", "50"], ["no such word"]]
      return try QuickRun(["ls", "-q"] + questions[number % questions.count], library: library)
    }
    let writes = SteadyLoad(every: 0.1, threadCount: 1) {
      try QuickRun(["preset", "edit", "load", "-q", "--gain", "-\(Double($0 % 200 + 1) / 10)"], library: library)
    }
    var crowd = Crowd([
      .init(["scan", "-q", "--deep", music.path], slots: 5, pause: 4),
      .init(["merge", "-q", guest.library.path], slots: 1, pause: 5),
      .init(["backup", "-q", deadwax.backup.path], slots: 1, pause: 10),
    ])
    let end = ContinuousClock.now + trial.duration(minutes: 60)
    while ContinuousClock.now < end {
      try await crowd.step(deadwax, trial)
      try await Task.sleep(for: .milliseconds(100))
    }
    try await crowd.disperse(trial)
    try await queries.stop()
    try await writes.stop()

    trial.note("\(crowd.figures); ls: \(queries.figures); writes: \(writes.figures)")
    trial.note(try ProcessorTimes().figures(since: before))
    for failure in queries.failures + writes.failures { trial.fail(failure) }
    trial.expect(queries.runCount > 0 && writes.runCount > 0, "there was no load")
    let stored = try await UserDump(deadwax).lines.count { $0.hasPrefix("change |") && $0.contains("load") }
    trial.expect(stored == writes.runCount + 1, "\(stored - 1) of \(writes.runCount) acknowledged writes are there")
    trial.expect(try await deadwax.run(["doctor", "--deep"]).status == 0, "the library is not sound")
    var kept = deadwax
    kept.library = deadwax.backup
    trial.expect(try await kept.run(["doctor", "--deep"]).status == 0, "the backup is not sound")
    let list = try await deadwax.run(["scan", music.path, "--json"])
    trial.expect(list.status == 0, "\(list)")
    let timeouts = try await deadwax.must(["ls", "state:timeout", "--format", "paths"]).text
    trial.expect(timeouts.isEmpty, "timeouts: \(timeouts)")
  }
}

/// Commands that run again and again, of which one is killed from time to time, and all are stopped for a while.
private struct Crowd {
  struct Member {
    let arguments: [String]
    let slots: Int
    /// Seconds after the end of a run.
    let pause: Double

    init(_ arguments: [String], slots: Int, pause: Double) {
      (self.arguments, self.slots, self.pause) = (arguments, slots, pause)
    }
  }

  private struct Slot {
    let member: Member
    var run: RunningCommand?
    var wasKilled = false
    var nextStart = ContinuousClock.now
    var counts: [Int32: Int] = [:]
  }

  private var slots: [Slot]
  private var nextKill = ContinuousClock.now + .seconds(20)
  private var nextStop = ContinuousClock.now + .seconds(60)
  private var continueAt: ContinuousClock.Instant?
  private var (killCount, stopCount) = (0, 0)

  init(_ members: [Member]) {
    slots = members.flatMap { member in (0..<member.slots).map { _ in Slot(member: member) } }
  }

  /// Starts what is due, reaps what has ended, kills and stops.
  mutating func step(_ deadwax: DeadwaxCommand, _ trial: Trial) async throws {
    let now = ContinuousClock.now
    for number in slots.indices {
      if let run = slots[number].run, !run.isRunning { try await reap(number, run, trial) }
      if slots[number].run == nil, now >= slots[number].nextStart {
        slots[number].run = try deadwax.start(slots[number].member.arguments)
      }
    }
    if now >= nextKill, let victim = slots.indices.filter({ slots[$0].run != nil }).randomElement() {
      slots[victim].wasKilled = true
      slots[victim].run?.send(SIGKILL)
      killCount += 1
      nextKill = now + .seconds(20)
    }
    if now >= nextStop {
      for slot in slots { slot.run?.send(SIGSTOP) }
      stopCount += 1
      (nextStop, continueAt) = (now + .seconds(60), now + .seconds(3))
    }
    if let continueAt, now >= continueAt { resume() }
  }

  /// Ends all that still runs, as a user would.
  mutating func disperse(_ trial: Trial) async throws {
    resume()
    for number in slots.indices {
      guard let run = slots[number].run else { continue }
      run.send(SIGINT)
      slots[number].wasKilled = true
      try await reap(number, run, trial)
    }
  }

  private mutating func resume() {
    for slot in slots { slot.run?.send(SIGCONT) }
    continueAt = nil
  }

  /// Another one may have been first (75), or the end was ours.
  private mutating func reap(_ number: Int, _ run: RunningCommand, _ trial: Trial) async throws {
    let outcome = try await run.outcome()
    trial.expect([0, 75].contains(outcome.status) || slots[number].wasKilled && outcome.status > 128, "\(outcome)")
    slots[number].counts[outcome.status, default: 0] += 1
    slots[number].run = nil
    slots[number].wasKilled = false
    slots[number].nextStart = .now + .seconds(slots[number].member.pause)
  }

  var figures: String {
    let members = Dictionary(grouping: slots) { $0.member.arguments[0] }
    let parts = members.sorted { $0.key < $1.key }.map { name, slots in
      let done = slots.reduce(0) { $0 + ($1.counts[0] ?? 0) }
      let refused = slots.reduce(0) { $0 + ($1.counts[75] ?? 0) }
      return "\(name): \(done) done, \(refused) refused"
    }
    return (parts + ["\(killCount) kills, \(stopCount) pauses"]).joined(separator: "; ")
  }
}
