import Base
import Foundation
import MediaStore
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing

/// How threads are shared out; no test depends on how fast they are.
struct WorkQueueTests {
  private struct Refused: Error {}

  private let ana = Client.person("ana")
  private let ben = Client.person("ben")

  private static func queue(
    width: Int, longWidth: Int = 0, ofClient: Int = 0, waiting: Int = 100, waitingOfClient: Int = 100,
    now: @escaping @Sendable () -> Double = { monotonicSeconds() }
  ) -> WorkQueue {
    WorkQueue(
      .init(
        width: width, longWidth: longWidth, longWidthOfClient: ofClient, waiting: waiting,
        waitingOfClient: waitingOfClient), now: now)
  }

  /// A value that several tasks change.
  private final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) { mutex = Mutex(value) }

    func withLock<Result: Sendable>(_ body: (inout sending Value) -> sending Result) -> Result { mutex.withLock(body) }
  }

  /// Occupies threads until it is opened.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    let arrived = Mutex(0)

    func wait() {
      arrived.withLock { $0 += 1 }
      semaphore.wait()
    }

    func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }

    func untilArrived(_ count: Int) async throws {
      while arrived.withLock({ $0 }) < count { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  @Test func `results and errors arrive`() async throws {
    let queue = Self.queue(width: 2)
    #expect(try await queue.run(for: ana) { 7 } == 7)
    await #expect(throws: Refused.self) { try await queue.run(for: ana) { throw Refused() } }
  }

  @Test func `never more than the width run at once`() async throws {
    let queue = Self.queue(width: 3)
    let counts = Shared((now: 0, most: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          try await queue.run(for: number.isMultiple(of: 2) ? .owner : .person("\(number % 5)")) {
            counts.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            usleep(500)
            counts.withLock { $0.now -= 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect((1...3).contains(counts.withLock { $0.most }))
  }

  // Faults: 210
  @Test func `a client that asks for much does not delay another one`() async throws {
    let queue = Self.queue(width: 1)
    let gate = Gate()
    let order = Shared<[String]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await queue.run(for: .owner) { gate.wait() } }
      try await gate.untilArrived(1)
      for number in 0..<50 {
        group.addTask { try await queue.run(for: .person("ana")) { order.withLock { $0.append("ana \(number)") } } }
      }
      while queue.waitingCallCount < 50 { try await Task.sleep(for: .milliseconds(5)) }
      group.addTask { try await queue.run(for: .person("ben")) { order.withLock { $0.append("ben") } } }
      while queue.waitingCallCount < 51 { try await Task.sleep(for: .milliseconds(5)) }
      gate.open(1)
      try await group.waitForAll()
    }
    #expect(order.withLock { $0 }.firstIndex(of: "ben") == 1)
  }

  @Test func `what is too much of one client is refused to that client alone`() async throws {
    let queue = Self.queue(width: 1, waiting: 10, waitingOfClient: 4)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await queue.run(for: .owner) { gate.wait() } }
      try await gate.untilArrived(1)
      for _ in 0..<4 { group.addTask { try await queue.run(for: .person("ana")) {} } }
      while queue.waitingCallCount < 4 { try await Task.sleep(for: .milliseconds(5)) }
      await #expect(throws: HTTPProblem.self) { try await queue.run(for: ana) {} }
      group.addTask { try await queue.run(for: .person("ben")) {} }
      while queue.waitingCallCount < 5 { try await Task.sleep(for: .milliseconds(5)) }
      gate.open(1)
      try await group.waitForAll()
    }
  }

  @Test func `calls that take long give their places to others`() async throws {
    let queue = Self.queue(width: 2, longWidth: 4, ofClient: 4)
    let gate = Gate()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { try await queue.run(for: .person("ana")) { gate.wait() } } }
      // Six long calls are more than the width: all of them begin.
      try await gate.untilArrived(6)
      gate.open(6)
      try await group.waitForAll()
    }
    #expect(try await queue.run(for: ben) { 1 } == 1)
  }

  // Faults: 211
  @Test func `long calls of one client that are too many end, so that others are answered`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path.appending(BytePath("library.sqlite"))
    try MediaStore(at: path, access: .createIfMissing).close()
    let access = try LibraryAccess(at: path, canWrite: false)
    let seconds = Shared(0.0)
    let queue = Self.queue(width: 2, longWidth: 8, ofClient: 2) { seconds.withLock { $0 } }
    let isOver = Shared(false)
    let begun = Shared(0)
    let outcomes = Shared((ended: 0, finished: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<12 {
        group.addTask {
          do {
            try await queue.run(for: .person("ana")) {
              begun.withLock { $0 += 1 }
              // A query without an end, as far as the library lets it.
              while !isOver.withLock({ $0 }) { _ = try access.reading { try $0.revision() } }
            }
            outcomes.withLock { $0.finished += 1 }
          } catch let problem as HTTPProblem {
            #expect(problem.status == 503)
            outcomes.withLock { $0.ended += 1 }
          }
        }
      }
      func wait(untilWaiting count: Int) async throws {
        while queue.waitingCallCount != count { try await Task.sleep(for: .milliseconds(5)) }
      }
      while begun.withLock({ $0 }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
      try await wait(untilWaiting: 10)
      // Two long ones, two that would be, and the others.
      seconds.withLock { $0 = 1 }
      try await wait(untilWaiting: 8)
      async let answer = queue.run(for: .person("ben")) { try access.reading { try $0.revision() } }
      try await wait(untilWaiting: 9)
      seconds.withLock { $0 = 2 }
      #expect(try await answer.isEmpty == false)
      // Some had to end for it: all places were hers.
      while outcomes.withLock({ $0.ended }) == 0 { try await Task.sleep(for: .milliseconds(5)) }
      isOver.withLock { $0 = true }
      try await group.waitForAll()
    }
    #expect(outcomes.withLock { $0.finished + $0.ended } == 12)
    #expect(outcomes.withLock { $0.finished } >= 2)
    // Without anybody else nothing of hers ends.
    #expect(outcomes.withLock { $0.ended } <= 2)
  }

  // Faults: 212
  @Test func `a call that has waited too long is refused, not run`() async throws {
    let seconds = Shared(0.0)
    let queue = WorkQueue(.init(width: 1, waiting: 10, waitingOfClient: 10, longestWaitInSeconds: 8)) {
      seconds.withLock { $0 }
    }
    let gate = Gate()
    let hasRun = Shared(false)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await queue.run(for: .owner) { gate.wait() } }
      try await gate.untilArrived(1)
      group.addTask {
        await #expect(throws: HTTPProblem.self) {
          try await queue.run(for: .person("ana")) { hasRun.withLock { $0 = true } }
        }
      }
      while queue.waitingCallCount < 1 { try await Task.sleep(for: .milliseconds(5)) }
      seconds.withLock { $0 = 9 }
      gate.open(1)
      try await group.waitForAll()
    }
    #expect(!hasRun.withLock { $0 })
  }
}

struct InFlightLimiterTests {
  @Test func `what is held is bounded in all and for each client`() {
    let budget = InFlightLimiter(capacity: 100, ofClient: 60)
    let first = budget.share(of: 50, for: .owner)
    #expect(first != nil)
    #expect(budget.share(of: 20, for: .owner) == nil)
    let second = budget.share(of: 50, for: .person("ana"))
    #expect(second != nil)
    #expect(budget.share(of: 1, for: .person("ben")) == nil)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `a share grows as far as there is room, and gives all of it back`() throws {
    let budget = InFlightLimiter(capacity: 100, ofClient: 60)
    do {
      let share = try #require(budget.share(of: 10, for: .owner))
      #expect(share.grow(by: 50))
      #expect(!share.grow(by: 1))
      #expect(budget.byteCount == 60)
    }
    #expect(budget.byteCount == 0)
    #expect(budget.share(of: 60, for: .owner) != nil)
  }

  @Test func `one share alone has room, however large it is`() {
    let budget = InFlightLimiter(capacity: 100, ofClient: 60)
    #expect(budget.share(of: 1000, for: .owner) != nil)
  }
}
