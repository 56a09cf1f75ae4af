import Foundation
import TestSupport

extension FaultCase {
  /// Processes that are killed at each call that changes a file.
  static var killsAtCalls: [FaultCase] {
    killed.map { operation in
      FaultCase(number(of: operation), named: "killed at the N-th call: \(operation)") { trial in
        let calls = [
          "pwrite64", "fsync", "fdatasync", "ftruncate", "mkdir", "link", "linkat", "rename", "unlink", "rmdir",
        ]
        try await Operation.named(operation).attempts(trial, under: calls.map { Injection(call: $0, effect: .kill) })
      }
    }
  }

  /// Processes that are killed at random moments.
  static var killsAtMoments: [FaultCase] {
    killed.map { operation in
      FaultCase(number(of: operation), named: "killed at random moments: \(operation)") { trial in
        try await Operation.named(operation).kills(trial, count: operation.hasSuffix("scan") ? 200 : 50)
      }
    }
  }

  private static var killed: [String] {
    (Operation.names + Operation.namesWithLog).filter { !["export", "render"].contains($0) }
  }

  private static func number(of operation: String) -> Int { operation.hasPrefix("backup") ? 97 : 74 }
}

extension Operation {
  /// Kills the command after random times, none longer than it takes.
  func kills(_ trial: Trial, count: Int) async throws {
    let effect = try await effect()
    let clock = ContinuousClock()
    var duration = try await clock.measure { _ = try await self.effect() }
    var random = RepeatableRandom(seed: 74)
    var killCount = 0
    for index in 0..<trial.count(count) {
      let pause = duration * Double.random(in: 0...0.8, using: &random)
      try await attempt(trial, effect, at: "kill \(index)", mayDie: true) { deadwax, arguments in
        let start = clock.now
        let run = try deadwax.start(arguments)
        try await Task.sleep(for: pause)
        run.send(SIGKILL)
        let outcome = try await run.outcome()
        if outcome.status == 128 + SIGKILL {
          killCount += 1
        } else {
          // The machine was busier when the duration was measured.
          duration = min(duration, await run.endInstant - start)
        }
        return outcome
      }
    }
    trial.note("\(killCount) killed before their end")
    trial.expect(killCount > 0, "every run ended before it was killed")
  }
}
