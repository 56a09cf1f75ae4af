import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import OpenSubsonic
@testable import WebAPI

// Faults: 208
/// The tables of rights in docs/api.md, and what they say.
struct AccessPolicyTests {
  private let token = AccessToken("owner-0123456789", reader: "reader-0123456789")

  private func request(_ headers: [String: String] = [:]) -> Call {
    Call(method: "GET", path: "/api/v1/status", headers: headers)
  }

  private func isAllowed(_ needed: AccessPolicy.Right, _ headers: [String: String], isReadingFree: Bool) -> Bool {
    let policy = AccessPolicy(token: token, isReadingFree: isReadingFree)
    return policy.refusal(of: policy.caller(of: request(headers), nil), needing: needed) == nil
  }

  /// The rows of the table whose first column has this name, by the names in their first column.
  private func table(_ title: String) throws -> [String: [String]] {
    let text = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/api.md"), encoding: .utf8)
    let lines = text.components(separatedBy: "\n").drop { !$0.hasPrefix("| \(title) |") }.dropFirst(2)
    var rows: [String: [String]] = [:]
    for line in lines.prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      for (place, name) in cells[0].components(separatedBy: "`").enumerated() where !place.isMultiple(of: 2) {
        #expect(rows[name] == nil, "\(name) is there twice")
        rows[name] = Array(cells.dropFirst())
      }
    }
    return rows
  }

  @Test func `the table of routes has all of them, with what each needs`() throws {
    let rows = try table("route")
    let routes = try ServedLibrary.routes
    #expect(rows.count == routes.count)
    for route in routes {
      let wanted =
        switch route.right {
        case .none: ["yes", "yes", "yes"]
        case .reading: ["yes", "yes", "if free"]
        case .signedIn: ["yes", "yes", "no"]
        case .own: ["yes", "with `--right rate` or `manage`", "no"]
        case .owner: ["yes", "no", "no"]
        }
      #expect(rows["\(route.method.rawValue) \(route.path)"] == wanted, "\(route.method) \(route.path)")
    }
  }

  @Test func `the table of methods has all of them, with what each needs`() throws {
    let rows = try table("methods")
    let methods = try ServedLibrary.methods
    #expect(rows.count == methods.count)
    for (name, method) in methods {
      let wanted =
        switch method.right {
        case nil: ["yes", "yes", "yes"]
        case .listen: ["yes", "yes", "no"]
        case .rate: ["yes", "with `--right rate` or `manage`", "no"]
        case .manage: ["yes", "with `--right manage`", "no"]
        }
      #expect(rows[name] == wanted, "\(name)")
    }
  }

  @Test func `whatever writes needs its owner, and waits for other writes`() throws {
    let routes = try ServedLibrary.routes
    for route in routes where route.method != .get {
      let isForAll = [
        "/login", "/identify", "/presets/read", "/tags/read", "/playlists", "/sessions/{id}",
      ].contains(route.path)
      #expect(route.right.changesLibrary == !isForAll, "\(route.method) \(route.path)")
      #expect((route.work == .writing) == !isForAll, "\(route.method) \(route.path)")
    }
    for route in routes where route.method == .get { #expect(route.work != .writing) }
  }

  @Test(arguments: [true, false])
  func `a token allows everything, a cookie reading, and nothing what is free`(isReadingFree: Bool) {
    let owner = ["authorization": "Bearer owner-0123456789"]
    let reader = ["cookie": "other=1; deadwax=reader-0123456789"]
    for right in AccessPolicy.Right.allCases { #expect(isAllowed(right, owner, isReadingFree: isReadingFree)) }
    #expect(isAllowed(.reading, reader, isReadingFree: isReadingFree))
    for right in [AccessPolicy.Right.signedIn, .own, .owner] {
      #expect(!isAllowed(right, reader, isReadingFree: isReadingFree))
      #expect(!isAllowed(right, [:], isReadingFree: isReadingFree))
    }
    #expect(isAllowed(.reading, [:], isReadingFree: isReadingFree) == isReadingFree)
    #expect(!isAllowed(.owner, [:], isReadingFree: isReadingFree))
    #expect(isAllowed(.none, [:], isReadingFree: isReadingFree))
  }

  @Test(arguments: [
    ["authorization": "Bearer reader-0123456789"], ["authorization": "Bearer "], ["authorization": "owner-0123456789"],
    ["cookie": "deadwax=owner-0123456789"], ["cookie": "deadwax="], ["cookie": "x-deadwax=reader-0123456789"],
    ["authorization": "Bearer owner-0123456780"], ["authorization": "Bearer owner-01234567890"],
  ])
  func `no other secret, and none in the place of the other, allows anything`(headers: [String: String]) {
    #expect(!isAllowed(.reading, headers, isReadingFree: false))
    #expect(!isAllowed(.owner, headers, isReadingFree: true))
  }
}
