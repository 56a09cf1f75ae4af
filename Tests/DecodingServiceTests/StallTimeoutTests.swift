import Base
@testable import DecodingService
import Foundation
import Glibc
import MediaModel
import Testing
import TestSupport

// Faults: 153
/// When a worker is given up, by a clock that the test sets.
struct StallTimeoutTests {
  private static let running = ProcessStatus(isStopped: false, cpuSeconds: 0)

  /// Seconds until a worker without a sign of life is given up; nil if it is not.
  private func ending(
    _ timeout: StallTimeout, times: [Double], status: (Double) -> ProcessStatus? = { _ in running }
  ) -> (seconds: Double, reason: String)? {
    var ticks = TickSource(intervalInSeconds: timeout.tickInSeconds, now: 0)
    var stall = StallCounter()
    for time in times where ticks.isTick(at: time) {
      if let reason = stall.tick(status(time), timeout: timeout) { return (time, reason) }
    }
    return nil
  }

  private static let everyTenth = (1...1000).map { Double($0) / 10 }

  @Test(arguments: [1, 2, 20]) func `a worker is given up after its deadline, and within two ticks`(limit: Double)
    throws
  {
    let end = try #require(ending(StallTimeout(limitInSeconds: limit), times: Self.everyTenth))
    #expect(end.seconds >= limit && end.seconds <= limit + 1.01)
    #expect(end.reason == "no progress for \(Int(limit)).0 s" || end.reason == "no progress for \(Int(limit)) s")
  }

  @Test func `a pause of any length is one tick`() {
    // 19 seconds, then a freezer, then 0.4 seconds.
    let times = Self.everyTenth.filter { $0 <= 19 } + [86_400, 86_400.4]
    #expect(ending(StallTimeout(limitInSeconds: 20), times: times) == nil)
  }

  @Test func `pauses alone end nothing before as many ticks as the deadline has`() {
    let hours = (1...40).map { Double($0) * 3600 }
    #expect(ending(StallTimeout(limitInSeconds: 20), times: hours) == nil)
    #expect(ending(StallTimeout(limitInSeconds: 20), times: hours + [200_000]) != nil)
  }

  @Test func `a stopped worker is not judged, and begins again when it continues`() throws {
    let end = try #require(
      ending(StallTimeout(limitInSeconds: 2), times: Self.everyTenth) { time in
        ProcessStatus(isStopped: (1..<50).contains(time), cpuSeconds: 0)
      })
    #expect(end.seconds >= 51.9)
  }

  @Test func `processor time counts even if ticks are late`() throws {
    let hours = (1...40).map { Double($0) * 3600 }
    let end = try #require(
      ending(StallTimeout(limitInSeconds: 20), times: hours) { ProcessStatus(isStopped: false, cpuSeconds: $0 / 360) })
    #expect(end.seconds == 3 * 3600)
    #expect(end.reason == "no progress for 20 s")
  }

  @Test func `a worker whose state cannot be read is judged by ticks`() {
    #expect(ending(StallTimeout(limitInSeconds: 2), times: Self.everyTenth) { _ in nil } != nil)
  }

  @Test func `a sign of life starts the count again`() {
    var stall = StallCounter()
    let timeout = StallTimeout(limitInSeconds: 1)
    for _ in 0..<100 {
      #expect(stall.tick(Self.running, timeout: timeout) == nil)
      #expect(stall.tick(Self.running, timeout: timeout) == nil)
      stall.noteSign()
    }
  }

  @Test(arguments: [0.1, 0.3, 0.5, 1, 20, 86_400]) func `signs of life are closer than any deadline`(limit: Double) {
    let timeout = StallTimeout(limitInSeconds: limit)
    #expect(timeout.tickInSeconds <= limit / 4 && timeout.tickInSeconds <= 0.5)
  }

  @Test func `the line of a process is read whatever its name is`() throws {
    let rest = " 1 2 3 4 5 6 7 8 9 10 250 50 0 0 20 0 1 0 100 200 300"
    let stopped = try #require(ProcessStatus(stat: "17 (a ) T b) T" + rest, ticksPerSecond: 100))
    #expect(stopped == ProcessStatus(isStopped: true, cpuSeconds: 3))
    #expect(try #require(ProcessStatus(stat: "17 (x) R" + rest, ticksPerSecond: 100)).isStopped == false)
    #expect(try #require(ProcessStatus(stat: "17 (x) t" + rest, ticksPerSecond: 100)).isStopped == false)
    #expect(ProcessStatus(stat: "17 (x) R 1 2", ticksPerSecond: 100) == nil)
    #expect(ProcessStatus(stat: "", ticksPerSecond: 100) == nil)
    let own = try #require(ProcessStatus(processID: getpid()))
    #expect(!own.isStopped && own.cpuSeconds >= 0)
  }
}

/// The same with real workers.
struct PausedWorkerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func extraction(
    seconds: Int, deadline: Double, whenIdentified: @escaping (pid_t) -> Void
  ) throws -> Extraction {
    var configuration = WorkerPool.Configuration(executable: DeadwaxCommand.executable.path, workerCount: 1)
    configuration.stallLimitInSeconds = deadline
    try MusicFolder.writeSilence(seconds: seconds, to: folder.appending("a.wav"))
    let pool = WorkerPool(configuration)
    return try ConfinedWorkerTests.extraction(
      of: folder.appending("a.wav"), kinds: [.waveform, .spectrum, .measures], in: pool
    ) { whenIdentified(pool.workerIDs[0]) }
  }

  @Test(.timeLimit(.minutes(1))) func `a worker that was stopped for longer than its deadline reads its file`() throws {
    let start = monotonicSeconds()
    let extraction = try extraction(seconds: 60, deadline: 2) { worker in
      kill(worker, SIGSTOP)
      Thread {
        sleep(3)
        kill(worker, SIGCONT)
      }.start()
    }
    #expect(extraction.state == .ok, "\(extraction.problem?.reason ?? "")")
    #expect(monotonicSeconds() - start > 2.5)
  }

  @Test(.timeLimit(.minutes(1))) func `a pause of the parent costs no file`() throws {
    let extraction = try extraction(seconds: 60, deadline: 1.5) { worker in
      // As a freezer does it: both stop, and the worker is the one that continues last.
      kill(worker, SIGSTOP)
      sleep(2)
      Thread {
        usleep(300_000)
        kill(worker, SIGCONT)
      }.start()
    }
    #expect(extraction.state == .ok, "\(extraction.problem?.reason ?? "")")
  }

  /// A worker that gets no processor for so long is given up rightly, so one of several attempts must succeed. One without signs of
  /// life never does: reading this file takes longer than the deadline.
  @Test(.timeLimit(.minutes(5))) func `a deadline that is shorter than half a second ends no good file`() throws {
    var extraction = try extraction(seconds: 900, deadline: 0.4) { _ in }
    for _ in 0..<9 where extraction.state != .ok {
      extraction = try self.extraction(seconds: 900, deadline: 0.4) { _ in }
    }
    #expect(extraction.state == .ok, "\(extraction.problem?.reason ?? "")")
  }
}
