import Foundation
import TestSupport
import Testing

/// What the built server refuses, and to whom.
struct ServeStrangersTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("audio/Lathe & Lantern").library()
  }

  // Faults: 121
  @Test func `beyond this computer a token is needed, which is kept from others`() async throws {
    let server = try await RunningServer(deadwax, ["--host", "0.0.0.0"])
    let token = try #require(server.address.split(separator: "=").last.map(String.init))
    #expect(try server.ask("/api/v1/status", as: .stranger).status == 401)
    #expect(try server.ask("/", as: .stranger).status == 200)
    #expect(try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"guess\"}").status == 401)
    let login = try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"\(token)\"}")
    let cookie = try #require(login.headers["set-cookie"])
    #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try server.ask("/api/v1/status", as: .stranger, headers: ["Cookie": pair]).status == 200)
    // The cookie goes to other ports, too, so it changes nothing.
    #expect(!pair.contains(token))
    let rating = "{\"rating\": 1}"
    let change = try server.ask(
      "/api/v1/tracks/1/rating", "PUT", as: .stranger, headers: ["Cookie": pair], body: rating)
    #expect(change.status == 401 && change.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
    #expect(try server.ask("/api/v1/tracks/1/rating", "PUT", body: rating).status == 200)
    let file = deadwax.home.appending(".local/state/deadwax/serve-token")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await server.stop()
  }
}
