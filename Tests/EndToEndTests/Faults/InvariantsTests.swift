import Foundation
import MediaStore
import Testing
import TestSupport

/// The checks that other tests rely on: they know every table of the user, and they fail when a row is lost.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct InvariantsTests {
  @Test func `what users decided is in the tables that the library treats as theirs`() {
    #expect(Set(UserDump.tables) == Set(UserTable.allCases.map(\.rawValue)))
  }

  @Test(arguments: [
    "DELETE FROM preset_assignment WHERE scope = 'track'", "UPDATE preset SET document = replace(document, '-2', '-3')",
    "DELETE FROM list_entry", "UPDATE list SET query = 'duration:<9' WHERE query IS NOT NULL",
    "DELETE FROM change_row", "UPDATE preset_assignment SET assigned_at = assigned_at + 1",
  ])
  func `a changed decision is a violation, and nothing else is`(change: String) async throws {
    let (deadwax, music) = (try DeadwaxCommand(), try MusicFolder("damaged/clean.mp3"))
    let invariants = try Invariants(music.url)
    try await deadwax.must(["scan", music.path])
    let users = try await deadwax.decide()
    #expect(try await invariants.violations(of: deadwax, users: users).isEmpty)
    try Tool.run("sqlite3", deadwax.library.path, change)
    let left = try await UserDump(deadwax)
    #expect(left != users && !left.difference(from: users).isEmpty)
    #expect(try await invariants.violations(of: deadwax, users: users).contains { $0.invariant == 1 })
  }

  @Test func `a library that is gone has lost what was decided`() async throws {
    let (deadwax, music) = (try DeadwaxCommand(), try MusicFolder("damaged/clean.mp3"))
    let users = try await deadwax.decide()
    try FileManager.default.removeItem(at: deadwax.library)
    #expect(try await Invariants(music.url).violations(of: deadwax, users: users).contains { $0.invariant == 1 })
  }
}
