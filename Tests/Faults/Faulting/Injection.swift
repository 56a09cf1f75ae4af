import Foundation
import TestSupport

/// Lets the N-th system call of a kind fail, or kills the process at it, by strace.
struct Injection: Sendable, CustomStringConvertible {
  enum Effect: Sendable {
    case error(String)
    case kill
  }

  let call: String
  let effect: Effect

  var description: String {
    switch effect {
    case .error(let name): "\(name) at \(call)"
    case .kill: "killed at \(call)"
    }
  }

  /// A process that gets no memory may end at once, if nothing is lost.
  var mayDie: Bool {
    switch effect {
    case .error(let name): name == "ENOMEM"
    case .kill: true
    }
  }

  /// Throws if strace is not installed or may not trace.
  static func requireTracer() throws {
    try NotRun.unless(has: "strace")
    if !CallTracer.isPossible { throw NotRun("strace may not trace here") }
  }

  /// Runs the command with the fault in its first thread, which does all the writing; workers are left alone.
  ///
  /// - Returns: `wasHit` is false if the command makes fewer such calls.
  func run(_ deadwax: DeadwaxCommand, _ arguments: [String], at number: Int) async throws -> (
    outcome: CommandOutcome, wasHit: Bool
  ) {
    let log = deadwax.home.appending("strace.log")
    let what: String =
      switch effect {
      case .error(let name): "error=\(name)"
      case .kill: "signal=KILL"
      }
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/strace"),
      [
        "-qq", "-o", log.path, "-e", "trace=\(call)", "-e", "signal=none", "-e",
        "inject=\(call):\(what):when=\(number)",
        DeadwaxCommand.executable.path,
      ] + arguments)
    let lines = try String(decoding: Data(contentsOf: log), as: UTF8.self)
    return (outcome, lines.contains("(INJECTED)") || outcome.status == 128 + SIGKILL)
  }
}

extension Operation {
  /// Repeats the operation, with the fault one call later each time, until it meets no fault.
  func attempts(_ trial: Trial, under injections: [Injection]) async throws {
    try Injection.requireTracer()
    let effect = try await effect()
    var hitCount = 0
    for injection in injections {
      var number = 1
      while true {
        let wasHit = Flag()
        try await attempt(trial, effect, at: "\(injection) \(number)", mayDie: injection.mayDie) { deadwax, arguments in
          let run = try await injection.run(deadwax, arguments, at: number)
          wasHit.isSet = run.wasHit
          return run.outcome
        }
        guard wasHit.isSet else { break }
        hitCount += 1
        number = trial.next(after: number)
      }
    }
    trial.expect(hitCount > 0, "\(name): there was no such call to fail")
  }
}

/// Set by a closure.
private final class Flag {
  var isSet = false
}
