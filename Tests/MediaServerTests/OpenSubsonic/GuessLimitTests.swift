import Synchronization
import Testing

@testable import MediaServer

struct GuessLimitTests {
  private final class Clock: Sendable {
    let seconds = Mutex(1000.0)
  }

  private let clock = Clock()
  private let limit: GuessLimit

  init() {
    limit = GuessLimit { [clock] in clock.seconds.withLock { $0 } }
  }

  private func guess(from address: GuessLimit.Address) -> Double {
    defer { limit.noteAnswer(to: address) }
    return limit.delay(afterWrongPasswordFrom: address)
  }

  @Test func `the first mistakes cost nothing, later ones more and more, and never more than five seconds`() {
    let address = GuessLimit.Address("192.0.2.1")
    let delays = (0..<20).map { _ in guess(from: address) }
    #expect(delays.prefix(3).allSatisfy { $0 == 0 })
    #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(delays.last == 5)
  }

  @Test func `others are not delayed`() {
    for _ in 0..<100 { _ = guess(from: GuessLimit.Address("192.0.2.1")) }
    #expect(guess(from: GuessLimit.Address("192.0.2.2")) == 0)
    #expect(!limit.refuses(GuessLimit.Address("192.0.2.2")))
  }

  @Test func `who lets many answers wait gets no more tries until they were given`() {
    let address = GuessLimit.Address("192.0.2.1")
    for _ in 0..<8 { _ = limit.delay(afterWrongPasswordFrom: address) }
    #expect(limit.refuses(address))
    limit.noteAnswer(to: address)
    #expect(!limit.refuses(address))
  }

  @Test func `a right password and time make an address begin anew`() {
    let address = GuessLimit.Address("192.0.2.1")
    for _ in 0..<10 { _ = guess(from: address) }
    limit.forget(address)
    #expect(guess(from: address) == 0)
    for _ in 0..<10 { _ = guess(from: address) }
    clock.seconds.withLock { $0 += 301 }
    #expect(guess(from: address) == 0)
  }

  @Test func `addresses of IPv6 count with their network`() {
    #expect(GuessLimit.Address("2001:db8:1:2:3::4") == GuessLimit.Address("2001:db8:1:2:ffff::9"))
    #expect(GuessLimit.Address("2001:db8:1:2:3::4") != GuessLimit.Address("2001:db8:1:3:3::4"))
  }
}
