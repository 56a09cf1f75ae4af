internal import Foundation
internal import TestSupport

/// A library of an older schema, as a dump of that time makes it.
struct OlderStage: Sendable {
  let version: Int
  private let original: DeadwaxCommand
  private let paths: String

  static let versions = 1...4

  init(version: Int) async throws {
    try NotRun.unless(has: "sqlite3", "gzip")
    self.version = version
    original = try DeadwaxCommand()
    let dump = Corpora.fixtures.appending(path: "databases/schema-\(version).sql")
    let sql =
      FileManager.default.fileExists(atPath: dump.path)
      ? try Data(contentsOf: dump) : try Tool.run("gzip", "-dc", dump.path + ".gz")
    let made = try await original.run(
      executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", original.library.path], standardInput: sql)
    guard made.status == 0 else { throw UnexpectedOutcome(made) }
    let migrated = try original.copy()
    paths = try await migrated.must(["ls", "--format", "paths"]).text
  }

  /// Opens it, which brings it up to date.
  var operation: Operation {
    Operation(
      "migration of schema \(version)", prepare: { try copy() }, arguments: { _ in ["ls", "--format", "paths"] },
      examine: { try await violations(in: $0.deadwax) })
  }

  func copy() throws -> DeadwaxCommand { try original.copy() }

  /// It can be used, is of today, and has all its files; as it was before, it lies beside itself.
  func violations(in deadwax: DeadwaxCommand) async throws -> [Invariants.Violation] {
    var found: [Invariants.Violation] = []
    let users = try await UserDump(deadwax)
    let list = try await deadwax.run(["ls", "--format", "paths"])
    if list.status != 0 || list.text != paths { found.append(.init(invariant: 4, reason: "\(list)")) }
    let after = try await UserDump(deadwax)
    if after != users { found.append(.init(invariant: 1, reason: after.difference(from: users))) }
    let check = try await deadwax.run(["doctor"])
    if check.status != 0 { found.append(.init(invariant: 2, reason: "\(check)")) }
    var kept = deadwax
    kept.library = URL(filePath: deadwax.library.path + ".schema-\(version)")
    let sound = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [
        kept.library.path,
        "PRAGMA user_version; PRAGMA integrity_check; SELECT count(*) = \(list.text.split(separator: "\n").count) FROM file",
      ])
    if sound.text != "\(version)\nok\n1\n" {
      found.append(.init(invariant: 2, reason: "the copy kept: \(sound)"))
    } else if try await UserDump(kept) != users {
      found.append(.init(invariant: 1, reason: "the copy kept has other decisions"))
    }
    let names = try FileManager.default.contentsOfDirectory(
      atPath: deadwax.library.deletingLastPathComponent().path
    ).filter { $0.hasPrefix("library") }.sorted()
    if names != ["library.sqlite", "library.sqlite.schema-\(version)"] {
      found.append(.init(invariant: 6, reason: "beside the library: \(names)"))
    }
    return found
  }
}
