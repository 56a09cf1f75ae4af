import Foundation
import TestSupport

extension FaultCase {
  /// Migrations that are killed, fail or find the disk full.
  static var migrations: [FaultCase] {
    OlderStage.versions.flatMap { version in
      [
        FaultCase(101, named: "killed at the N-th call: migration of schema \(version)") { trial in
          let calls = ["pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "openat"]
          try await OlderStage(version: version).operation
            .attempts(trial, under: calls.map { Injection(call: $0, effect: .kill) })
        },
        FaultCase(101, named: "the N-th call fails: migration of schema \(version)") { trial in
          try await OlderStage(version: version).operation.attempts(
            trial,
            under: [
              Injection(call: "pwrite64", effect: .error("ENOSPC")), Injection(call: "fsync", effect: .error("EIO")),
              Injection(call: "fdatasync", effect: .error("EIO")), Injection(call: "rename", effect: .error("EIO")),
              Injection(call: "openat", effect: .error("EMFILE")),
            ])
        },
        FaultCase(101, named: "the disk is full: migration of schema \(version)") { trial in
          try await OlderStage(version: version).operation.attemptsOnSmallDisks(trial)
        },
      ]
    }
  }

  /// Migrations of a library that others have open.
  static var migrationsBesideOthers: [FaultCase] {
    [
      FaultCase(99, named: "eight processes migrate one library at once") { trial in
        let stage = try await OlderStage(version: 1)
        for _ in 0..<trial.count(20) {
          let deadwax = try stage.copy()
          let runs = try (0..<8).map { _ in try deadwax.start(["ls", "--format", "paths"]) }
          var texts: Set<String> = []
          for run in runs {
            let outcome = try await run.outcome()
            trial.expect(outcome.status == 0, "\(outcome)")
            texts.insert(outcome.text)
          }
          trial.countAttempt()
          trial.expect(texts.count == 1, "they saw different libraries")
          trial.expectNone(try await stage.violations(in: deadwax), after: "eight at once")
        }
      },
      FaultCase(99, named: "a migration while another process reads") { trial in
        let stage = try await OlderStage(version: 2)
        let deadwax = try stage.copy()
        let reader = try deadwax.start(
          executable: URL(filePath: "/usr/bin/sqlite3"),
          [
            deadwax.library.path, "PRAGMA journal_mode = WAL", "BEGIN", "SELECT count(*) FROM file", ".shell sleep 3",
            "SELECT count(*) FROM file", "COMMIT",
          ])
        try await Task.sleep(for: .seconds(1))
        let during = try await deadwax.run(["ls", "--format", "paths"])
        trial.note("meanwhile status \(during.status)")
        trial.expect(
          during.status == 0 || (during.status == 5 && during.errorText.contains("locked by")), "\(during)")
        let read = try await reader.outcome()
        trial.expect(read.status == 0 && Set(read.text.split(separator: "\n").dropFirst()).count == 1, "\(read)")
        trial.expectNone(try await stage.violations(in: deadwax), after: "a reader")
      },
    ]
  }
}
