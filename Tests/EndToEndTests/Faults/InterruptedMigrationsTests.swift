import Foundation
import Testing
import TestSupport

/// A migration that is killed, or finds the disk full, leaves the old library or the new one.
@Suite(
  .serialized, .enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"),
  .enabled(if: Tool.exist("sqlite3", "gzip"), "sqlite3 or gzip is not installed"))
struct InterruptedMigrationsTests {
  // Faults: 101, 203
  @Test(arguments: [
    "pwrite64:signal=KILL", "fsync:signal=KILL", "rename:signal=KILL", "unlink:signal=KILL", "pwrite64:error=ENOSPC",
    "rename:error=ENOSPC", "fsync:error=EIO",
  ])
  func `an interrupted migration is made good by the next command`(fault: String) async throws {
    var injectedCount = 0
    // The oldest schema in which users could decide something.
    let dump = try Tool.run("gzip", "-dc", Corpora.fixtures.appending(path: "databases/schema-3.sql.gz").path)
    for number in [1, 2, 3, 5, 8, 13, 21, 34, 55] {
      let deadwax = try DeadwaxCommand()
      let made = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", deadwax.library.path], standardInput: dump)
      try #require(made.status == 0, "\(made)")
      let users = try await UserDump(deadwax)
      try #require(users != .empty)
      let log = deadwax.home.appending("calls")
      let outcome = try await deadwax.run(
        executable: CallTracer.executable,
        [
          "-o", log.path, "-e", "inject=\(fault):when=\(number)", DeadwaxCommand.executable.path, "ls", "--format",
          "paths",
        ])
      #expect([0, 5, 137].contains(outcome.status), "\(number): \(outcome)")
      let isInjected = try String(contentsOf: log, encoding: .utf8).contains("(INJECTED)")
      injectedCount += isInjected || outcome.status == 128 + SIGKILL ? 1 : 0
      let list = try await deadwax.run(["ls", "--format", "paths"])
      #expect(list.status == 0 && list.text.split(separator: "\n").count == 2, "\(number): \(list)")
      #expect(try await deadwax.run(["doctor"]).status == 0)
      let kept = try await UserDump(deadwax)
      #expect(kept == users, "\(number): \(kept.difference(from: users))")
      let names = try deadwax.home.names().filter { $0.hasPrefix("library") }
      #expect(names == ["library.sqlite", "library.sqlite.schema-3"], "\(number)")
    }
    #expect(injectedCount > 0)
  }
}
