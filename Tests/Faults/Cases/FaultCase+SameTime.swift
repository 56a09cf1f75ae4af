internal import Foundation
internal import TestSupport

extension FaultCase {
  /// Several processes at one library.
  static var sameTime: [FaultCase] { [load, scans, editors, longReader, backups] }

  private static let scans = FaultCase(90, 91, named: "two scans at once") { trial in
    let stage = try await Stage.shared.value
    for _ in 0..<trial.count(50) {
      let deadwax = try DeadwaxCommand()
      let runs = try [deadwax.start(["scan", stage.music.path]), deadwax.start(["scan", stage.music.path])]
      var statuses: [Int32] = []
      for run in runs {
        let outcome = try await run.outcome()
        statuses.append(outcome.status)
        trial.expect(outcome.status != 75 || outcome.errorText.contains("already running"), "\(outcome)")
      }
      trial.countAttempt()
      trial.expect(statuses.contains(0) && statuses.allSatisfy { [0, 75].contains($0) }, "\(statuses)")
      trial.expectNone(try await stage.invariants.violations(of: deadwax, equals: stage.fresh), after: "two scans")
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
      let shown = try await deadwax.must(["preset", "show", "mine", "--json"]).document(EditedPreset.self)
      trial.expect(
        shown == EditedPreset(gain_db: -Double(number) / 10, pitch_cents: Double(number)), "one edit was lost: \(shown)"
      )
    }
    trial.expectNone(try await stage.invariants.violations(of: deadwax, equals: stage.fresh), after: "the editors")
  }

  private struct EditedPreset: Decodable, Equatable {
    var gain_db: Double
    var pitch_cents: Double
  }

  private static let longReader = FaultCase(96, named: "a reader that does not end during a scan") { trial in
    let music = try LongMusic(trial)
    let deadwax = try await music.library()
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
    trial.expect(most < 256 << 20, "the log grew to \(most) bytes")
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
    let outcome = try await scan.outcome()
    trial.expect(outcome.status == 0, "\(outcome)")
  }
}
