import Foundation
import TestSupport

/// A small music folder, and a library of it in which a user decided things; each fault gets a copy of the library.
struct Stage: Sendable {
  let music: MusicFolder
  let invariants: Invariants
  /// What the library must say of the files in the end.
  let fresh: LibraryDump
  /// What the user decided.
  let users: UserDump
  private let original: DeadwaxCommand

  /// Created once, by the first case that needs it.
  static let shared = Task { try await Stage() }

  private init() async throws {
    try NotRun.unless(has: "sqlite3")
    music = try MusicFolder("damaged/clean.mp3", "damaged/length-unknown.flac", "damaged/truncated.wav")
    try music.add(fixture: "audio/星屑電機/夜の配線/02 配線図.ogg", as: "tagged.ogg")
    try music.add(fixture: "damaged/direct-current.wav", as: "gone.wav")
    original = try DeadwaxCommand()
    let playlist = original.home.appending("kept.m3u8")
    try Data("\(music.path)/clean.mp3\n\(music.path)/tagged.ogg\n".utf8).write(to: playlist)
    try Data("Preamp: -6 dB\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\n".utf8)
      .write(to: original.home.appending("Imported.txt"))
    try Tool.run(
      "sqlite3", original.home.appending("beets.db").path,
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB, added REAL);
      CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
      INSERT INTO items VALUES (1, CAST('\(music.path)/clean.mp3' AS BLOB), 1500000000);
      INSERT INTO item_attributes VALUES (1, 1, 'rating', '0.8');
      """)
    for arguments in [
      ["scan", music.path], ["preset", "create", "mine", "--gain", "-2"],
      ["preset", "create", "other", "--gain", "-1"],
      ["preset", "assign", "mine", "filename:clean"], ["list", "save", "short", "duration:<10"],
      ["list", "import", playlist.path],
    ] { try await original.must(arguments) }
    try music.remove("gone.wav")
    try await original.must(["scan", "--accept-missing", music.path])
    invariants = try Invariants(music.url)
    fresh = try await invariants.freshDump()
    users = try await UserDump(original)
  }

  /// A copy of the library with a home of its own.
  func copy() throws -> DeadwaxCommand { try original.copy() }

  /// The path of a file that commands import.
  func file(_ name: String) -> String { original.home.appending(name).path }
}

/// A library of an older schema, made from a dump of that time.
struct OlderStage: Sendable {
  let version: Int
  private let original: DeadwaxCommand
  /// What had been decided; nothing in schemas 1 and 2, which had no tables for it.
  private let users: UserDump
  /// The same in the current schema: the journal of schemas 4 and 5 had other tables.
  private let migratedUsers: UserDump
  private let paths: String

  static let versions = 1...7

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
    users = try await UserDump(original)
    let migrated = try original.copy()
    paths = try await migrated.must(["ls", "--format", "paths"]).text
    migratedUsers = try await UserDump(migrated)
    let lost = users.lines.filter { !migratedUsers.lines.contains($0) }
    guard lost.isEmpty else { throw Loss(lines: lost) }
  }

  private struct Loss: Error {
    let lines: [String]
  }

  /// Opens the library, which migrates it.
  var operation: Operation {
    Operation(
      "migration of schema \(version)", prepare: { try copy() }, arguments: { _ in ["ls", "--format", "paths"] },
      examine: { try await violations(in: $0.deadwax) })
  }

  func copy() throws -> DeadwaxCommand { try original.copy() }

  /// Checks that the library can be used, has the current schema and all its files, and lies beside itself as it was.
  func violations(in deadwax: DeadwaxCommand) async throws -> [Invariants.Violation] {
    var found: [Invariants.Violation] = []
    let left = try await UserDump(deadwax)
    if left != users && left != migratedUsers {
      found.append(.init(invariant: 1, reason: "right after the fault: " + left.difference(from: users)))
    }
    let list = try await deadwax.run(["ls", "--format", "paths"])
    if list.status != 0 || list.text != paths { found.append(.init(invariant: 4, reason: "\(list)")) }
    let after = try await UserDump(deadwax)
    if after != migratedUsers {
      found.append(.init(invariant: 1, reason: after.difference(from: migratedUsers)))
    }
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
