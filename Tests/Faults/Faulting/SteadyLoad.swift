import Foundation
import Synchronization
import TestSupport

/// Runs a command at fixed intervals, from its own threads, and keeps how long each run took.
final class SteadyLoad: Sendable {
  private struct Findings {
    var seconds: [Double] = []
    var processorSeconds = 0.0
    var failures: [String] = []
    var isStopped = false
    var runningCount = 0
  }

  private let findings = Mutex(Findings())

  /// Starts at once.
  ///
  /// - Parameters:
  ///   - interval: Seconds between two runs, counting those of all threads.
  ///   - threadCount: How many may run at the same time.
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

  /// The time that `share` of the runs did not exceed, in milliseconds.
  func milliseconds(_ share: Double) -> Double {
    let sorted = findings.withLock { $0.seconds }.sorted()
    guard !sorted.isEmpty else { return 0 }
    return 1000 * sorted[min(sorted.count - 1, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }

  /// The time that `share` of the runs did not exceed, as a multiple of the processor time that a run takes.
  func waiting(_ share: Double) -> Double { milliseconds(share) / (1000 * max(processorSecondsPerRun, 1e-6)) }

  private var processorSecondsPerRun: Double {
    findings.withLock { $0.processorSeconds / Double(max($0.seconds.count, 1)) }
  }

  var figures: String {
    "\(runCount) with a median of \(Int(milliseconds(0.5))) ms, p99 \(Int(milliseconds(0.99))) ms, at most"
      + " \(Int(milliseconds(1))) ms, each \(Int(1000 * processorSecondsPerRun)) ms of a processor"
  }
}

/// A cheap run of the command, for thousands of them: its output is discarded, its errors are kept.
struct QuickRun: Sendable {
  var status: Int32
  /// From before the process was started until it was reaped.
  var seconds: Double
  /// Processor time, in user mode and in the kernel.
  var processorSeconds: Double
  var errorText: String

  /// Waits for the end of the process; call this from a thread that may block.
  init(_ arguments: [String], library: URL) throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard in Int32(0)...1 { posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    var words: [UnsafeMutablePointer<CChar>?] = (["deadwax"] + arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("DEADWAX_LIBRARY=\(library.path)"), strdup("LANG=C.UTF-8"), strdup("HOME=/"), nil,
    ]
    defer { for text in words + environment { free(text) } }

    let start = ContinuousClock.now
    var child: pid_t = 0
    let code = posix_spawn(&child, DeadwaxCommand.executable.path, &actions, nil, &words, &environment)
    close(ends[1])
    guard code == 0 else { throw CocoaError(.executableLoad) }
    errorText = String(
      decoding: (try? FileHandle(fileDescriptor: ends[0], closeOnDealloc: false).readToEnd()) ?? Data(), as: UTF8.self)
    var state: Int32 = 0
    var usage = rusage()
    while wait4(child, &state, 0, &usage) < 0 && errno == EINTR {}
    seconds = (ContinuousClock.now - start) / .seconds(1)
    processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    // wait(2): the low seven bits are the signal, the next eight the exit status.
    status = state & 0x7F == 0 ? state >> 8 & 0xFF : 128 + (state & 0x7F)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}

/// What the processors of this machine have done since its start: figures of a load mean little without it.
struct ProcessorTimes {
  /// In ticks, all processors together.
  private let total: Int
  private let idle: Int
  /// Time that the host of a virtual machine gave to others while something here was ready to run.
  private let stolen: Int

  /// proc(5), the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal, and two that user and
  /// nice contain.
  init() throws {
    let text = try String(contentsOfFile: "/proc/stat", encoding: .utf8)
    let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { throw CocoaError(.fileReadCorruptFile) }
    total = ticks.reduce(0, +)
    idle = ticks[3] + ticks[4]
    stolen = ticks[7]
  }

  func figures(since start: ProcessorTimes) -> String {
    let elapsed = Double(max(total - start.total, 1))
    func percent(_ ticks: Int) -> String { "\(Int((100 * Double(ticks) / elapsed).rounded())) %" }
    let busy = total - start.total - (idle - start.idle) - (stolen - start.stolen)
    return "processors \(percent(busy)) busy, \(percent(stolen - start.stolen)) taken by the host"
  }
}

/// Music whose scan takes long: the tester's own, or hours of silence.
struct LongMusic: Sendable {
  let url: URL
  private let silence: MusicFolder?

  var path: String { url.path }

  init(_ trial: Trial) throws {
    if let real = trial.music {
      (url, silence) = (real, nil)
      return
    }
    let music = try MusicFolder()
    for number in 0..<20 { try music.addSilence(seconds: 1200, as: "\(number).wav") }
    (url, silence) = (music.url, music)
  }

  /// A library that has the folder as a root, none of its files, and one preset.
  func library() async throws -> DeadwaxCommand {
    let deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", "--exclude", "*", path])
    try await deadwax.must(["preset", "create", "mine", "--gain", "0"])
    return deadwax
  }
}
