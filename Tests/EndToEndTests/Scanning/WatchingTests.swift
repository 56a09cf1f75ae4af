import Foundation
import Glibc
import Testing
import TestSupport

/// `deadwax watch`: what changes in a folder is soon in the library.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WatchingTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
  }

  /// Starts a watch, and waits until the first scan is done.
  private func startWatch() async throws -> RunningCommand {
    let watch = try deadwax.start(["watch", music.path, "--jobs", "1"])
    try await wait(for: "Watching", of: watch)
    return watch
  }

  /// Waits until `text` is in the output as often as given. The limit of time is that of the suite.
  private func wait(for text: String, count: Int = 1, of watch: RunningCommand) async throws {
    while try Self.count(text, of: watch) < count {
      try #require(watch.isRunning)
      try await Task.sleep(for: .milliseconds(50))
    }
  }

  private static func count(_ text: String, of watch: RunningCommand) throws -> Int {
    String(decoding: try watch.output(), as: UTF8.self).components(separatedBy: text).count - 1
  }

  /// Waits until the library has files with these paths, and no others that are there.
  private func wait(forPaths paths: [String], of watch: RunningCommand) async throws {
    while true {
      let listed = try await deadwax.run(["ls", "--format", "paths", "--", "-state:missing"]).text
      if Set(listed.split(separator: "\n").map(String.init)) == Set(paths.map { music.file($0).path }) { return }
      try #require(watch.isRunning)
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  @Test func `new, moved and deleted files are found, in new and moved folders, too`() async throws {
    let watch = try await startWatch()
    try music.add(fixture: "damaged/length-unknown.flac", as: "New/Disc 1/a.flac")
    try await wait(forPaths: ["clean.mp3", "New/Disc 1/a.flac"], of: watch)
    try music.move("New", to: "Renamed")
    try await wait(for: "1 moved", of: watch)
    // The folder below the one that was moved is watched at its new path.
    try music.add(fixture: "damaged/hole.ogg", as: "Renamed/Disc 1/b.ogg")
    try await wait(forPaths: ["clean.mp3", "Renamed/Disc 1/a.flac", "Renamed/Disc 1/b.ogg"], of: watch)
    try music.remove("Renamed")
    try await wait(for: "2 missing", of: watch)
    watch.send(SIGTERM)
    let outcome = try await watch.outcome()
    #expect(outcome.status == 143 && outcome.errorText.isEmpty, "\(outcome)")
  }

  @Test func `a root that is added later is watched, too, and so is a sheet beside a file`() async throws {
    try await deadwax.must(["scan", "-q", music.path])
    let watch = try deadwax.start(["watch", "--jobs", "1"])
    try await wait(for: "Watching", of: watch)
    let other = try MusicFolder("damaged/length-unknown.flac")
    try await deadwax.must(["roots", "add", other.path])
    try await wait(for: "1 new", of: watch)
    try other.add(fixture: "damaged/hole.ogg", as: "later.ogg")
    try await wait(for: "1 new", count: 2, of: watch)
    let sheet = """
      FILE "clean.mp3" MP3
        TRACK 01 AUDIO
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          INDEX 01 00:00:30

      """
    try music.write(Array(sheet.utf8), to: "sheet.cue")
    while try await deadwax.must(["ls", "--format", "jsonl", "parts:2"]).text.isEmpty {
      try #require(watch.isRunning)
      try await Task.sleep(for: .milliseconds(100))
    }
    try await deadwax.must(["roots", "remove", other.path])
    watch.send(SIGTERM)
    let outcome = try await watch.outcome()
    #expect(outcome.status == 143 && outcome.errorText.isEmpty, "\(outcome)")
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends it`(signal: Int32) async throws {
    let watch = try await startWatch()
    let start = ContinuousClock().now
    watch.send(signal)
    let outcome = try await watch.outcome()
    #expect(await watch.endInstant - start < .seconds(30))
    #expect(outcome.status == 128 + signal, "\(outcome)")
    let check = try await deadwax.run(["doctor"])
    #expect(check.status == 0, "\(check)")
  }

  @Test func `one process watches a library, and others may scan it`() async throws {
    let watch = try await startWatch()
    let second = try await deadwax.run(["watch"])
    #expect(second.status == 75 && second.errorText.contains("already watched"), "\(second)")
    try await deadwax.must(["scan", "--json"])
    watch.send(SIGTERM)
    #expect(try await watch.outcome().status == 143)
    // Now another one may.
    let next = try await startWatch()
    next.send(SIGTERM)
    #expect(try await next.outcome().status == 143)
  }

  @Test func `changes are found although the kernel dropped their events`() async throws {
    let limit = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
    let count = try #require(Int(limit.trimmingCharacters(in: .whitespacesAndNewlines)))
    try #require(count < 1_000_000)
    for name in ["Full/a.mp3", "Full/b.mp3", "Later/c.mp3"] { try music.add(fixture: "damaged/clean.mp3", as: name) }
    let watch = try await startWatch()
    watch.send(SIGSTOP)
    // Equal events in a row are one, so two files take turns.
    for index in 0...count { #expect(chmod(music.file(index % 2 == 0 ? "Full/a.mp3" : "Full/b.mp3").path, 0o644) == 0) }
    try music.add(fixture: "damaged/length-unknown.flac", as: "Later/lost.flac")
    watch.send(SIGCONT)
    try await wait(
      forPaths: ["clean.mp3", "Full/a.mp3", "Full/b.mp3", "Later/c.mp3", "Later/lost.flac"], of: watch)
    watch.send(SIGTERM)
    #expect(try await watch.outcome().status == 143)
  }

  @Test(.enabled(if: Self.canLimitWatches, "user namespaces are not permitted"))
  func `a limit of watches is said, and does not end it`() async throws {
    try music.add(fixture: "damaged/clean.mp3", as: "Folder/a.mp3")
    let watch = try deadwax.start(
      executable: URL(filePath: "/bin/bash"),
      ["-c", "\(Self.limiting) && exec \"$0\" watch \"$1\"' \"$0\" \"$1\"", DeadwaxCommand.executable.path, music.path])
    try await wait(for: "Watching", of: watch)
    watch.send(SIGTERM)
    let outcome = try await watch.outcome()
    #expect(outcome.status == 143 && outcome.errorText.contains("max_user_watches"), "\(outcome)")
    #expect(outcome.text.contains("Watching 1 folder\n"))
  }

  /// The start of a command in a namespace in which a user may have one watch.
  private static let limiting =
    "exec unshare --user --map-root-user bash -c 'echo 1 > /proc/sys/user/max_inotify_watches"
  private static let canLimitWatches = (try? Tool.run("bash", "-c", limiting + "'")) != nil

  @Test func `without a folder to watch it ends`() async throws {
    #expect(try await deadwax.run(["watch"]).status != 0)
    let absent = try await deadwax.run(["watch", music.file("absent").path])
    #expect(absent.status == 4 && absent.errorText.contains("absent"), "\(absent)")
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
  }
}
