internal import Foundation
internal import TestSupport

/// A small music folder and a library of it in which a user decided things; faults are done to copies of the library.
struct Stage: Sendable {
  let music: MusicFolder
  let invariants: Invariants
  /// What the library must say of the files in the end.
  let fresh: LibraryDump
  /// What the user decided.
  let users: UserDump
  private let original: DeadwaxCommand

  /// Made once, by the first case that needs it.
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

extension DeadwaxCommand {
  /// One with a home of its own, and a copy of the library in it.
  func copy() throws -> DeadwaxCommand {
    let deadwax = try DeadwaxCommand()
    try FileManager.default.copyItem(at: library, to: deadwax.library)
    return deadwax
  }

  /// Runs something that nothing disturbs.
  @discardableResult
  func must(_ arguments: [String]) async throws -> CommandOutcome {
    let outcome = try await run(arguments)
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return outcome
  }
}
