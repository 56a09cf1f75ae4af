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
  func copy() throws -> DeadwaxCommand {
    let deadwax = try DeadwaxCommand()
    try FileManager.default.copyItem(at: original.library, to: deadwax.library)
    return deadwax
  }
}

extension DeadwaxCommand {
  /// Runs something that nothing disturbs.
  @discardableResult
  func must(_ arguments: [String]) async throws -> CommandOutcome {
    let outcome = try await run(arguments)
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    return outcome
  }
}
