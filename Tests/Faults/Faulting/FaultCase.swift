import Foundation
import Synchronization
import TestSupport

/// A fault, or several of a kind, and the check of whether the program survives it.
struct FaultCase: Sendable {
  /// Rows of docs/reliability.md.
  let numbers: [Int]
  let name: String
  private let body: @Sendable (Trial) async throws -> Void

  init(_ numbers: Int..., named name: String, body: @escaping @Sendable (Trial) async throws -> Void) {
    self.numbers = numbers
    self.name = name
    self.body = body
  }

  var title: String { numbers.map(String.init).joined(separator: " ") + " " + name }

  func verdict(_ trial: Trial) async -> Verdict {
    do {
      try await body(trial)
    } catch let reason as NotRun {
      return .notRun(reason.why)
    } catch {
      trial.fail("\(error)")
    }
    return trial.failures.isEmpty ? .survived(trial.figures) : .failed(trial.failures, trial.figures)
  }
}

/// The result of a case.
enum Verdict: Sendable {
  case survived(_ figures: String)
  case failed(_ reasons: [String], _ figures: String)
  /// Something that the case needs is missing.
  case notRun(_ why: String)
}

/// Thrown by a case that this machine or user cannot run.
struct NotRun: Error {
  let why: String

  init(_ why: String) { self.why = why }

  /// Throws unless all programs are installed.
  static func unless(has programs: String...) throws {
    for program in programs
    where !["/usr/bin", "/bin", "/usr/sbin", "/sbin"].contains(where: {
      FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
    }) {
      throw NotRun("\(program) is not installed")
    }
  }

  static func unlessRoot() throws {
    if getuid() != 0 { throw NotRun("needs root") }
  }
}

/// One run of a case: how long it may take, and what it found.
final class Trial: Sendable {
  private struct Findings {
    var attemptCount = 0
    var failures: [String] = []
    var notes: [String] = []
  }

  /// 1 for a release; less for shorter times and fewer repetitions.
  let scale: Double
  /// Real music, if the tester gave some.
  let music: URL?
  private let findings = Mutex(Findings())

  init(scale: Double, music: URL?) {
    self.scale = scale
    self.music = music
  }

  func expect(_ holds: Bool, _ reason: @autoclosure () -> String) {
    if !holds { fail(reason()) }
  }

  func expectNone(_ violations: [Invariants.Violation], after what: @autoclosure () -> String) {
    for violation in violations { fail("\(what()): \(violation)") }
  }

  func fail(_ reason: String) { findings.withLock { $0.failures.append(reason) } }

  /// Counts one run of the program under the fault.
  func countAttempt() { findings.withLock { $0.attemptCount += 1 } }

  /// A figure for the line of the case.
  func note(_ text: String) { findings.withLock { $0.notes.append(text) } }

  var failures: [String] { findings.withLock { $0.failures } }

  var figures: String {
    findings.withLock { ($0.attemptCount > 0 ? ["\($0.attemptCount) times"] : []) + $0.notes }.joined(separator: ", ")
  }

  /// A number of repetitions, at least 1.
  func count(_ full: Int) -> Int { max(1, Int((Double(full) * scale).rounded())) }

  /// A time that a long case takes, at least some seconds.
  func duration(minutes: Double) -> Duration { .seconds(max(6, minutes * 60 * scale)) }

  /// The next number of a call to let fail: at first one by one, then in growing steps, because thousands of reads are alike.
  func next(after number: Int) -> Int {
    let dense = count(24)
    return number < dense ? number + 1 : number + max(1, number / 6)
  }
}
