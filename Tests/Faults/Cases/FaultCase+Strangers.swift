import Foundation
import TestSupport

extension FaultCase {
  /// A library with two names, each of which would have a log of its own.
  static var fileAliases: [FaultCase] {
    [
      FaultCase(150, named: "a library with a hard link, and two writers") { trial in
        try await writeUnderTwoNames(trial) { deadwax, other in
          try FileManager.default.linkItem(at: deadwax.library, to: other)
          return { try FileManager.default.removeItem(at: other) }
        }
      },
      FaultCase(151, named: "a library that is mounted under a second name, and two writers") { trial in
        try NotRun.unlessRoot()
        try await writeUnderTwoNames(trial) { deadwax, other in
          try Data().write(to: other)
          guard (try? Tool.run("mount", "--bind", deadwax.library.path, other.path)) != nil else {
            throw NotRun("no bind mounts")
          }
          return { try Tool.run("umount", other.path) }
        }
      },
    ]
  }

  /// Writes under both names at the same time: under a second name nothing may be said to be done.
  ///
  /// - Parameter name: Gives the library a second name, and returns how to take it away.
  private static func writeUnderTwoNames(
    _ trial: Trial, name: @Sendable (DeadwaxCommand, URL) throws -> () throws -> Void
  ) async throws {
    let stage = try await Stage.shared.value
    let deadwax = try stage.copy()
    let folder = try deadwax.home.makeFolder("other")
    let other = deadwax.with(folder.appending(path: "library.sqlite"))
    let remove = try name(deadwax, other.library)
    for index in 0..<trial.count(10) {
      async let first = deadwax.run(["preset", "create", "a\(index)", "--gain", "-1"])
      async let second = other.run(["preset", "create", "b\(index)", "--gain", "-1"])
      let outcomes = try await (first, second)
      trial.countAttempt()
      trial.expect(outcomes.1.status == 5 && !outcomes.1.errorText.isEmpty, "the second name: \(outcomes.1)")
      trial.expect([0, 5].contains(outcomes.0.status), "the first name: \(outcomes.0)")
    }
    trial.expect(try await other.run(["ls"]).status == 0, "under the second name nothing is read")
    try remove()
    let listed = try await deadwax.must(["preset", "ls"]).text
    trial.expect(!listed.contains("b0"), "the second name was written to: \(listed)")
    let users = try await UserDump(deadwax)
    trial.expectNone(
      try await stage.invariants.violations(of: deadwax, users: users, equals: stage.fresh), after: "two names")
  }

  /// Libraries with objects of strangers, which SQLite would run on each write.
  static var strangers: [FaultCase] {
    [
      "CREATE TRIGGER other AFTER INSERT ON preset_assignment BEGIN DELETE FROM preset_assignment; END",
      "CREATE TRIGGER other AFTER INSERT ON scan_run BEGIN UPDATE root SET path = CAST('/etc' AS BLOB); END",
      "CREATE VIEW other AS SELECT * FROM preset",
    ].map { sql in
      let name = sql.split(separator: " BEGIN").first.map(String.init) ?? sql
      return FaultCase(152, named: "a library with an object of a stranger: \(name)") { trial in
        try NotRun.unless(has: "sqlite3")
        let stage = try await Stage.shared.value
        let (strange, own) = (try stage.copy(), try stage.copy())
        try Tool.run("sqlite3", strange.library.path, sql)
        let before = try Data(contentsOf: strange.library)
        for (deadwax, arguments) in [
          (strange, ["preset", "assign", "other", "filename:tagged"]), (strange, ["scan", "--deep"]),
          (strange, ["merge", own.library.path]), (own, ["merge", strange.library.path]),
          (own, ["restore", strange.library.path]),
        ] {
          let outcome = try await deadwax.run(arguments)
          trial.countAttempt()
          trial.expect([4, 5].contains(outcome.status), "\(arguments): \(outcome)")
          trial.expect(outcome.errorText.contains("other is not part of Deadwax"), "\(arguments): \(outcome)")
        }
        trial.expect(try Data(contentsOf: strange.library) == before, "the library of a stranger was written to")
        trial.expect(try await UserDump(strange) == stage.users, "what users decided is not readable")
        trial.expectNone(
          try await stage.invariants.violations(of: own, users: stage.users, equals: stage.fresh), after: "refusals")
      }
    }
  }

  /// Everything stops for longer than a worker's deadline, as when a machine is suspended.
  static var pauses: [FaultCase] {
    [
      FaultCase(153, named: "a scan and its workers are stopped for 25 seconds") { trial in
        let (deadwax, music) = (try DeadwaxCommand(), try MusicFolder())
        for number in 0..<4 { try music.addSilence(seconds: 300 + number, as: "\(number).wav") }
        let users = try await deadwax.decide()
        let scan = try deadwax.start(["scan", "--jobs", "2", music.path])
        guard try await scan.worker(after: 0.1) != nil else { throw UnexpectedOutcome(try await scan.outcome()) }
        let stopped = scan.workers.map(\.processID) + [scan.processID]
        for id in stopped { kill(id, SIGSTOP) }
        try await Task.sleep(for: .seconds(25))
        for id in stopped.reversed() { kill(id, SIGCONT) }
        let outcome = try await scan.outcome()
        trial.expect(outcome.status == 0, "\(outcome)")
        let problems = try await deadwax.must(["problems", "--jsonl"]).text
        trial.expect(problems.isEmpty, "a pause became a problem: \(problems)")
        trial.expectNone(try await Invariants(music.url).violations(of: deadwax, users: users), after: "the pause")
      },
      FaultCase(154, named: "the program is deleted while it scans, and its workers are killed") { trial in
        let (deadwax, music) = (try DeadwaxCommand(), try MusicFolder())
        for number in 0..<3 { try music.addSilence(seconds: 200 + number, as: "\(number).wav") }
        let users = try await deadwax.decide()
        let program = deadwax.beside("program")
        try FileManager.default.copyItem(at: DeadwaxCommand.executable, to: program)
        let scan = try deadwax.start(executable: program, ["scan", "--jobs", "1", music.path])
        guard let worker = try await scan.worker(after: 0.1) else {
          throw UnexpectedOutcome(try await scan.outcome())
        }
        try FileManager.default.removeItem(at: program)
        try Data("#!/bin/sh\n".utf8).write(to: program)
        kill(worker.processID, SIGKILL)
        let outcome = try await scan.outcome()
        trial.expect(outcome.status == 0, "\(outcome)")
        trial.expect(try await deadwax.must(["problems", "--jsonl"]).text.isEmpty, "a file was blamed")
        trial.expectNone(try await Invariants(music.url).violations(of: deadwax, users: users), after: "the upgrade")
      },
    ]
  }
}
