import Foundation
import Testing
import TestSupport

/// Each command once, as a process: what it does is tested in DeadwaxCLITests.
struct EveryCommandTests {
  /// With what it writes or says.
  private static let calls: [(arguments: [String], output: String)] = [
    (["scan", "music"], "1 file found"), (["reanalyze", "--dry-run"], "nothing to recompute"), (["status"], "music"),
    (["ls"], "clean.mp3"), (["show", "1"], "clean.mp3"), (["identify", "music/clean.mp3"], "clean.mp3"),
    (["compare", "1", "music/clean.mp3"], "identical: the samples are equal"),
    (["duplicates"], "no duplicates found"), (["lookup", "--all", "--dry-run"], "without a fingerprint"),
    (["waveform", "1"], "00:0"),
    (["spectrum", "1"], "█"), (["segment", "1", "-e", "1", "-o", "-", "--format", "wav"], "RIFF"),
    (["cache", "--simulate", "/dev/null"], "0 accesses"),
    (["render", "1", "-e", "1", "-o", "-", "--format", "wav"], "RIFF"),
    (["play", "1", "-o", "played.wav"], ""), (["albums"], "TRACKS"), (["artists", "--json"], "artists"),
    (["similar", "1"], ""), (["playlist", "--from", "1"], ""),
    (["transitions", "1"], "NEXT"),
    (["map", "--format", "json"], "{"),
    (["artwork", "1", "--list"], "no picture"), (["export", "--what", "tracks"], "clean.mp3"),
    (["list", "save", "all", "ext:mp3"], "all: 1 file"), (["rate", "80", "1"], "rated 80: 1 track"),
    (["attribute", "set", "mood=calm", "1"], "mood=calm: 1 track"), (["import", "--beets", "none.db"], "none.db"),
    (["tags", "set", "genre=Jazz", "1"], "1 file changed"), (["undo"], "undone: correct genre to 'Jazz'"),
    (["tags", "write", "--replaygain", "--all"], "replaygain_track_gain"),
    (["tags", "undo", "--list"], "no files were"),
    (["preset", "ls"], "Voice"), (["undo"], "undone: set mood to calm"), (["problems"], ""), (["roots"], "music"),
    (["prune"], "0 files"),
    (["backup", "copy.sqlite"], "written and verified"), (["restore", "copy.sqlite"], "restored"),
    (["merge", "copy.sqlite"], "nothing was changed"), (["shards"], "no shards"), (["doctor"], ": intact"),
    (["completions", "bash"], "_deadwax"),
    (["manual"], ".TH DEADWAX"), (["help", "query"], "QUERY"),
  ]
  /// They run until a signal ends them: WatchingTests and ServeTests start them.
  private static let servers = ["watch", "serve"]

  @Test func `each command runs, and there is no other`() async throws {
    let deadwax = try DeadwaxCommand()
    let music = try deadwax.home.makeFolder("music")
    try FileManager.default.copyItem(
      at: Corpora.fixtures.appending(path: "damaged/clean.mp3"), to: music.appending(path: "clean.mp3"))
    for (arguments, output) in Self.calls {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == (arguments[0] == "import" ? 64 : 0), "\(arguments): \(outcome)")
      #expect(output.isEmpty || (outcome.text + outcome.errorText).contains(output), "\(arguments): \(outcome)")
    }
    let help = try await deadwax.run(["help"]).text.split(separator: "\n", omittingEmptySubsequences: false)
    let listed = help.drop { !$0.hasSuffix("SUBCOMMANDS:") }.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    let known = Self.calls.map { $0.arguments[0] == "help" ? "query" : $0.arguments[0] } + Self.servers + ["announce"]
    #expect(listed.filter { !known.contains($0) && $0 != "See" } == [] && listed.count > 35)
  }

  @Test(.enabled(if: Tool.exist("espeak-ng"), "espeak-ng is not installed"))
  func `announce runs, too`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library()
    try await deadwax.must(["announce", "1", "-o", "title.wav"])
    #expect(try deadwax.home.names().contains("title.wav"))
  }
}
