internal import Foundation
internal import Synchronization
internal import TestSupport

/// One run of a case: how long it may take, and what it found.
final class Trial: Sendable {
  private struct Findings {
    var attemptCount = 0
    var failures: [String] = []
    var notes: [String] = []
  }

  /// 1 for as long and as often as a release is tried.
  let scale: Double
  /// Real music, where the tester gave some.
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

  /// One more time that the fault was done to the program.
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

  /// The numbers of the calls to let fail: each of the first, then ever larger steps, as thousands of reads are alike.
  func next(after number: Int) -> Int {
    let dense = count(24)
    return number < dense ? number + 1 : number + max(1, number / 6)
  }
}
