internal import Foundation
internal import Synchronization

/// Runs a command at fixed times, from threads of its own, and keeps how long each took.
final class SteadyLoad: Sendable {
  private struct Findings {
    var seconds: [Double] = []
    var processorSeconds = 0.0
    var failures: [String] = []
    var isStopped = false
    var runningCount = 0
  }

  private let findings = Mutex(Findings())

  /// Begins at once.
  ///
  /// - Parameters:
  ///   - interval: Between two runs, of all threads together.
  ///   - threadCount: How many may run at a time.
  ///   - body: Gets the number of the run.
  init(every interval: Double, threadCount: Int, _ body: @escaping @Sendable (Int) throws -> QuickRun) {
    findings.withLock { $0.runningCount = threadCount }
    let start = ContinuousClock.now
    for thread in 0..<threadCount {
      Thread.detachNewThread { [self] in
        var number = thread
        while !findings.withLock({ $0.isStopped }) {
          let pause = Double(number) * interval - (ContinuousClock.now - start) / .seconds(1)
          if pause > 0 { Thread.sleep(forTimeInterval: pause) }
          do {
            let run = try body(number)
            note(run)
          } catch {
            findings.withLock { $0.failures.append("\(error)") }
          }
          number += threadCount
        }
        findings.withLock { $0.runningCount -= 1 }
      }
    }
  }

  private func note(_ run: QuickRun) {
    findings.withLock {
      $0.seconds.append(run.seconds)
      $0.processorSeconds += run.processorSeconds
      if run.status != 0 || !run.errorText.isEmpty { $0.failures.append("status \(run.status): \(run.errorText)") }
    }
  }

  func stop() async throws {
    findings.withLock { $0.isStopped = true }
    while findings.withLock({ $0.runningCount > 0 }) { try await Task.sleep(for: .milliseconds(20)) }
  }

  var failures: [String] { findings.withLock { $0.failures } }

  var runCount: Int { findings.withLock { $0.seconds.count } }

  /// The time that a share of the runs took at most, in milliseconds.
  func milliseconds(_ share: Double) -> Double {
    let sorted = findings.withLock { $0.seconds }.sorted()
    guard !sorted.isEmpty else { return 0 }
    return 1000 * sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }

  var figures: String {
    let processorSeconds = findings.withLock { $0.processorSeconds }
    return "\(runCount) with a median of \(Int(milliseconds(0.5))) ms, p99 \(Int(milliseconds(0.99))) ms, at most"
      + " \(Int(milliseconds(1))) ms, each \(Int(1000 * processorSeconds / Double(max(runCount, 1)))) ms of a processor"
  }
}
