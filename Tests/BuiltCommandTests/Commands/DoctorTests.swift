import Foundation
import Testing
import TestSupport

/// What `doctor` says where a part of what it checks is not there at all: the rest is looked at anyway.
struct DoctorTests {
  private let deadwax: DeadwaxCommand

  init() throws { deadwax = try DeadwaxCommand() }

  private func scan() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
  }

  @Test func `without a library the decoders and the sandbox are checked`() async throws {
    let outcome = try await deadwax.run(["doctor"])
    #expect(outcome.status == 5 && outcome.errorText.contains("there is no library here yet"), "\(outcome)")
    #expect(outcome.text.contains("library   NOT CHECKED") && outcome.text.contains("decoder   FLAC: ok"))
    let json = try await deadwax.run(["doctor", "--json"])
    let report = try json.document(DoctorDocument.self)
    #expect(json.status == 5 && !report.sound && report.schema_differences == nil && report.sandbox != nil, "\(json)")
    #expect(report.library_problem?.contains("there is no library here yet") == true && report.decoders.count == 8)
    #expect(try deadwax.home.names() == [])
  }

  @Test func `libraries are listed with versions, and one that cannot be loaded with what does not work`() async throws
  {
    let known = try await deadwax.run(["doctor", "--json"]).document(DoctorDocument.self)
    let names = [
      "ALSA", "Cairo", "Chromaprint", "Pango", "expat", "libavcodec", "libmp3lame", "libpng", "libsoxr",
    ]
    #expect(Set(names).isSubset(of: known.libraries.keys) && known.libraries["libmp3lame"] != .some(nil), "\(known)")
    // No other library brings it.
    let file = "libasound.so.2"
    try Data("no library".utf8).write(to: deadwax.home.appending(file))
    let outcome = try await deadwax.shell("LD_LIBRARY_PATH=. deadwax doctor")
    let missing = outcome.text.split(separator: "\n").filter { $0.hasPrefix("MISSING   ") }
    let line = try #require(missing.first)
    #expect(missing.count == 1 && line.hasSuffix(": nothing can be played on a device"))
    #expect(line.hasPrefix("MISSING   \(file) (Debian package libasound2) cannot be loaded: "))
  }

  @Test(
    .enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"), arguments: ["list_entry", "file_tally"])
  func `a library without one of its tables is status 5 with the whole report, and is saved`(table: String) async throws
  {
    try await scan()
    try Tool.run("sqlite3", deadwax.library.path, "PRAGMA foreign_keys = OFF; DROP TABLE \(table)")
    let outcome = try await deadwax.run(["doctor"])
    #expect(outcome.status == 5 && outcome.errorText.isEmpty, "\(outcome)")
    #expect(outcome.text.contains("table \(table) is missing") && outcome.text.contains("decoder   FLAC: ok"))
    let json = try await deadwax.run(["doctor", "--deep", "--json"])
    #expect(try json.document(DoctorDocument.self).schema_differences?.contains("table \(table) is missing") == true)

    if table == "list_entry" {
      let asked = try await deadwax.run(["list", "ls"])
      #expect(asked.status == 5 && asked.errorText.contains("doctor --repair"), "\(asked)")
    }

    var saved = deadwax
    saved.library = deadwax.home.appending("saved.sqlite")
    #expect(try await deadwax.run(["doctor", "--repair", "-o", saved.library.path]).status == 0)
    #expect(try await saved.run(["doctor", "--deep"]).status == 0)
    #expect(try await saved.run(["ls", "--format", "paths"]).text.contains("clean.mp3"))
  }

  @Test(.enabled(if: CallTracer.isPossible, "\(CallTracer.absence)"))
  func `where workers cannot be started, the library is checked, and the status is 1`() async throws {
    try await scan()
    func doctor(_ options: String...) async throws -> CommandOutcome {
      try await deadwax.run(
        executable: CallTracer.executable,
        ["-o", "/dev/null", "-e", "inject=socketpair:error=EMFILE", DeadwaxCommand.executable.path, "doctor"] + options)
    }
    let outcome = try await doctor()
    #expect(outcome.status == 1 && outcome.errorText.contains("cannot start worker processes"), "\(outcome)")
    #expect(outcome.text.contains(": sound\n") && outcome.text.contains("workers   FAIL: cannot start"), "\(outcome)")
    let report = try await doctor("--json").document(DoctorDocument.self)
    #expect(report.sound && report.workers_problem?.contains("Too many open files") == true)
    #expect(report.sandbox == nil && report.decoders.isEmpty)
  }
}
