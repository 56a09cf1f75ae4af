import Foundation
import Testing
import TestSupport

/// A scan that has nothing to scan leaves no trace.
struct MistypedFoldersTests {
  private let deadwax: DeadwaxCommand

  init() throws { deadwax = try DeadwaxCommand() }

  @Test(arguments: ["/no/such/folder", "no-such-folder", "/proc", "/", "/dev/null"])
  func `a folder that cannot be scanned makes no library`(folder: String) async throws {
    let outcome = try await deadwax.run(["scan", folder])
    #expect([4, 64].contains(outcome.status) && outcome.errorText.split(separator: "\n").count == 1, "\(outcome)")
    #expect(try deadwax.home.names().isEmpty)
  }

  @Test func `nor does it count as the last scan`() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    _ = try await deadwax.run(["scan", music.path])
    let before = try await lastScan()
    #expect(before.count == 1)
    for folder in ["/no/such/folder", "/proc", music.url.deletingLastPathComponent().path] {
      #expect(try await deadwax.run(["scan", folder]).status != 0)
    }
    #expect(try await lastScan() == before)
  }

  private func lastScan() async throws -> [Substring] {
    try await deadwax.run(["status"]).text.split(separator: "\n").filter { $0.hasPrefix("Last scan") }
  }

  @Test(arguments: ["", "#1 Record/", "!"]) func `a pattern that is none is refused`(pattern: String) async throws {
    let outcome = try await deadwax.run(["scan", "--exclude", pattern, "."])
    #expect(outcome.status == 64 && outcome.errorText.contains("is not a pattern"), "\(outcome)")
    #expect(try deadwax.home.names().isEmpty)
  }
}
