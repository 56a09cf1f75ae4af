import Synchronization
import Testing

@testable import HTTPServing

// Faults: 215
struct LoginRateLimiterTests {
  private final class Clock: Sendable {
    let seconds = Mutex(1000.0)
  }

  private let clock = Clock()
  private let limit: LoginRateLimiter
  private let ana = LoginRateLimiter.Key(address: NetworkAddress("192.0.2.1"), user: "ana")

  init() {
    limit = LoginRateLimiter { [clock] in clock.seconds.withLock { $0 } }
  }

  private func guess(_ key: LoginRateLimiter.Key) -> Double? {
    guard case .after(let seconds) = limit.noteWrong(key) else { return nil }
    limit.noteAnswer(to: key)
    return seconds
  }

  @Test func `the first mistakes cost nothing, later ones more and more, and never more than five seconds`() {
    let delays = (0..<20).compactMap { _ in guess(ana) }
    #expect(delays.count == 20)
    #expect(delays.prefix(3).allSatisfy { $0 == 0 })
    #expect(zip(delays, delays.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(delays.last == 5)
  }

  @Test func `neither other addresses nor other users of the same address are delayed`() {
    for _ in 0..<100 { _ = guess(ana) }
    #expect(guess(LoginRateLimiter.Key(address: NetworkAddress("192.0.2.2"), user: "ana")) == 0)
    #expect(guess(LoginRateLimiter.Key(address: NetworkAddress("192.0.2.1"), user: "ben")) == 0)
  }

  @Test func `who lets many answers wait gets no more of them, and others do`() {
    for _ in 0..<8 { _ = limit.noteWrong(ana) }
    #expect(limit.noteWrong(ana) == .tooMany)
    #expect(guess(LoginRateLimiter.Key(address: NetworkAddress("192.0.2.1"), user: "ben")) == 0)
    limit.noteAnswer(to: ana)
    #expect(limit.noteWrong(ana) != .tooMany)
  }

  @Test func `a right password and time make a count begin anew`() {
    for _ in 0..<10 { _ = guess(ana) }
    limit.forget(ana)
    #expect(guess(ana) == 0)
    for _ in 0..<10 { _ = guess(ana) }
    clock.seconds.withLock { $0 += 301 }
    #expect(guess(ana) == 0)
  }

  @Test func `invented users cost no memory and free nobody who waits`() {
    for _ in 0..<8 { _ = limit.noteWrong(ana) }
    for number in 0..<25_000 {
      _ = guess(LoginRateLimiter.Key(address: NetworkAddress("192.0.2.7"), user: "user \(number)"))
    }
    #expect(limit.noteWrong(ana) == .tooMany)
    #expect(limit.keyCount <= 10_001)
  }
}

struct NetworkAddressTests {
  @Test func `addresses of IPv6 count with their network of 64 bits, however they are written`() {
    #expect(NetworkAddress("2001:db8:1:2:3::4") == NetworkAddress("2001:db8:1:2:ffff::9"))
    #expect(NetworkAddress("2001:db8:1:2:3::4") != NetworkAddress("2001:db8:1:3:3::4"))
    #expect(NetworkAddress("2001:db8::1") == NetworkAddress("2001:db8::2"))
    #expect(NetworkAddress("fe80::1%eth0") == NetworkAddress("fe80::2"))
  }

  @Test func `addresses of IPv4 count alone, also inside IPv6`() {
    #expect(NetworkAddress("192.0.2.1") != NetworkAddress("192.0.2.2"))
    #expect(NetworkAddress("::ffff:192.0.2.1") == NetworkAddress("192.0.2.1"))
  }

  @Test(arguments: ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"])
  func `this computer is one address`(text: String) { #expect(NetworkAddress(text) == .loopback) }

  @Test(arguments: [nil, "", "localhost", "1.2.3", "::1::2"])
  func `anything else is unknown`(text: String?) { #expect(NetworkAddress(text) == .unknown) }
}
