import Foundation
import Testing
import WebRequests

struct WebRequestTests {
  /// The oracle is what URLs mean: another reader takes the form apart.
  @Test(arguments: ["", "plain-._*", "a b+c", "&=%", "é日🎵", "\u{0}\n\u{7F}", "+/=AQAA_-"])
  func `a form holds any name and value`(text: String) throws {
    let form = WebRequest.form([("client", "x"), ("n\(text)", text)])
    #expect(form.allSatisfy { (0x21...0x7E).contains($0) })
    let query = String(decoding: form, as: UTF8.self).replacing("+", with: "%20")
    let items = try #require(URLComponents(string: "http://h/?\(query)")?.queryItems)
    #expect(items == [URLQueryItem(name: "client", value: "x"), URLQueryItem(name: "n\(text)", value: text)])
  }

  @Test func `an empty form is empty`() { #expect(WebRequest.form([]).isEmpty) }

  @Test(arguments: [
    ("https://api.acoustid.org/v2/lookup", "api.acoustid.org"), ("HTTP://h:81", "h:81"), ("http://u:p@h/x@y", "h"),
    ("http://[::1]:8/", "[::1]:8"), ("https://h?x", "h"),
  ])
  func `the host is what an address asks, without a password`(address: String, host: String) {
    #expect(WebRequest(url: address).host == host)
  }
}
