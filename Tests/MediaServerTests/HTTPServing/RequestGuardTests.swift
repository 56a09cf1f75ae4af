import Testing

@testable import HTTPServing

struct RequestGuardTests {
  private func status(
    _ authority: String?, _ method: String = "GET", _ headers: [String: String] = [:], isPage: Bool = false
  ) -> Int? {
    RequestGuard(names: ["music.example.org"], isPage: isPage).refusal(
      of: Call(method: method, path: "/api/v1/status", headers: headers), authority: authority
    )?.status
  }

  @Test(arguments: [
    "localhost:4646", "127.0.0.1:4646", "[::1]:4646", "192.168.1.5", "LOCALHOST", "localhost.", "music.example.org:443",
  ])
  func `own names and addresses are let in`(authority: String) { #expect(status(authority) == nil) }

  // Faults: 120, 194
  @Test(arguments: [
    "evil.example:4646", "127.0.0.1.evil.example", "localhost.evil.example", "1.2.3", "[::1", "", ":4646", "[zz]:1",
    "0x7f000001", "300.1.1.1", "+1.+2.+3.+4", "[abcdef.:]:1", "[::1]evil.example", "[::1]evil.example:80", "[::1].",
    "localhost:evil", "localhost:80:evil", "127.0.0.1:4646evil", "evil@localhost", "localhost/evil",
  ])
  func `any other name is misdirected, as after DNS rebinding`(authority: String) { #expect(status(authority) == 421) }

  // Faults: 120, 194
  @Test func `a second Host is refused`() {
    #expect(status("localhost", "GET", ["host": "evil.example"]) == 400)
    #expect(status("localhost", "GET", ["host": "localhost"]) == nil)
  }

  // Faults: 120
  @Test func `a request without a Host is refused`() { #expect(status(nil) == 421) }

  // Faults: 122
  @Test(arguments: ["cross-site", "same-site"])
  func `requests of other sites are refused, but a link to the page is not`(site: String) {
    #expect(status("localhost", "GET", ["sec-fetch-site": site]) == 403)
    #expect(status("localhost", "POST", ["sec-fetch-site": site]) == 403)
    #expect(status("localhost", "GET", ["sec-fetch-site": site], isPage: true) == nil)
    #expect(status("localhost", "POST", ["sec-fetch-site": site], isPage: true) == 403)
  }

  // Faults: 122
  @Test func `without fetch metadata the origin counts`() {
    #expect(status("localhost:4646", "POST", ["origin": "http://localhost:4646"]) == nil)
    #expect(status("localhost:4646", "POST", ["origin": "http://evil.example"]) == 403)
    #expect(status("localhost:4646", "POST", ["origin": "http://localhost:1"]) == 403)
    #expect(status("localhost:4646", "POST", ["origin": "null"]) == 403)
    #expect(status("localhost:4646", "POST") == nil)
  }

  @Test func `the page and what it fetches are let in`() {
    for site in ["same-origin", "none"] {
      #expect(status("localhost", "GET", ["sec-fetch-site": site]) == nil)
      #expect(status("localhost", "PUT", ["sec-fetch-site": site]) == nil)
    }
  }
}
