import Base
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing

struct SessionFileTests {
  private final class Clock: Sendable {
    let seconds = Mutex<Int64>(1_800_000_000)
  }

  private let folder: TemporaryFolder
  private let accounts: AccountFile
  private let clock = Clock()
  private let ana: Account
  private var path: URL { folder.appending("serve-sessions") }
  private var file: SessionFile {
    SessionFile(folder.file("serve-sessions"), of: accounts) { [clock] in clock.seconds.withLock { $0 } }
  }

  init() throws {
    folder = try TemporaryFolder()
    accounts = AccountFile(folder.file("serve-users"))
    ana = try accounts.change {
      try $0.add(user: "ana", purpose: "browser", right: .rate, hearing: .raw, gain: .off, isOwner: false)
    }
  }

  private func pass(_ seconds: Int64) { clock.seconds.withLock { $0 += seconds } }

  @Test func `the file holds neither the secret nor the password, and only its user may read it`() throws {
    let secret = try file.begin(with: ana, from: .loopback, browser: "Mozilla\u{1B}[2J")
    let text = try String(contentsOf: path, encoding: .utf8)
    #expect(!text.contains(secret) && !text.contains(ana.password))
    let mode = try FileManager.default.attributesOfItem(atPath: path.path)
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let known = try #require(try file.session(of: secret))
    #expect(known.account == ana && known.session.browser == "Mozilla[2J")
    #expect(try file.session(of: secret + "0") == nil && file.session(of: "") == nil)
  }

  @Test func `a session ends after ninety days, however often it is used`() throws {
    let secret = try file.begin(with: ana, from: .loopback, browser: "")
    pass(90 * 86_400 - 1)
    let session = try #require(try file.session(of: secret)?.session)
    try file.noteUse(of: session, from: .loopback)
    #expect(try file.all(of: "ana").count == 1)
    pass(1)
    #expect(try file.session(of: secret) == nil)
    #expect(try file.all(of: "ana").isEmpty)
    #expect(try !file.end(session.id, of: nil))
    // The next one takes it out of the file.
    _ = try file.begin(with: ana, from: .loopback, browser: "")
    #expect(try String(contentsOf: path, encoding: .utf8).components(separatedBy: "\"digest\"").count == 2)
  }

  @Test func `the last use and its place are written down now and then`() throws {
    let secret = try file.begin(with: ana, from: NetworkAddress("192.0.2.7"), browser: "")
    func used() throws -> (Int64, String) {
      let session = try #require(try file.all(of: "ana").first)
      return (session.usedAt, session.address)
    }
    let start = clock.seconds.withLock { $0 }
    func use(_ address: String) throws {
      try file.noteUse(of: try #require(try file.session(of: secret)?.session), from: NetworkAddress(address))
    }
    pass(299)
    try use("192.0.2.7")
    #expect(try used() == (start, "192.0.2.7"))
    pass(1)
    try use("192.0.2.7")
    #expect(try used() == (start + 300, "192.0.2.7"))
    pass(1)
    try use("2001:db8::1")
    #expect(try used() == (start + 301, "2001:db8:0:0::/64"))
  }

  @Test func `one person has at most fifty, and those that are used stay`() throws {
    let first = try file.begin(with: ana, from: .loopback, browser: "")
    var others: [String] = []
    for _ in 0..<49 {
      pass(1)
      others.append(try file.begin(with: ana, from: .loopback, browser: ""))
    }
    pass(300)
    try file.noteUse(of: try #require(try file.session(of: first)?.session), from: .loopback)
    _ = try file.begin(with: ana, from: .loopback, browser: "")
    #expect(try file.all(of: "ana").count == 50)
    #expect(try file.session(of: first) != nil)
    #expect(try file.session(of: others[0]) == nil && file.session(of: others[1]) != nil)
  }

  @Test func `a file that is none of sessions is not taken for one without any`() throws {
    try Data("{}".utf8).write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
    #expect(throws: AccountError.self) { try file.session(of: "x") }
  }
}
