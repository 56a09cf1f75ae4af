import Foundation
import Testing
import TestSupport

/// What `doctor` says where a part of what it checks is not there at all: the rest is looked at anyway.
struct DoctorTests {
  @Test func `without a library the decoders and the sandbox are checked`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let outcome = try await deadwax.run(["doctor"])
    #expect(outcome.status == 5 && outcome.errorText.contains("there is no library here yet"), "\(outcome)")
    #expect(outcome.text.contains("library   NOT CHECKED") && outcome.text.contains("decoder   FLAC: ok"))
    let json = try await deadwax.run(["doctor", "--json"])
    let report = try json.document(DoctorDocument.self)
    #expect(json.status == 5 && !report.sound && report.schema_differences == nil && report.sandbox != nil, "\(json)")
    #expect(report.library_problem?.contains("there is no library here yet") == true && report.decoders.count == 8)
    #expect(try deadwax.home.names() == [])
  }

  // Faults: 104
  @Test(
    .enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"), arguments: ["list_entry", "file_tally"])
  func `a library without one of its tables is status 5 with the whole report, and is saved`(table: String) async throws
  {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called
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

    let saved = deadwax.with(deadwax.home.appending("saved.sqlite"))
    #expect(try await deadwax.run(["doctor", "--repair", "-o", saved.library.path]).status == 0)
    #expect(try await saved.run(["doctor", "--deep"]).status == 0)
    #expect(try await saved.run(["ls", "--format", "paths"]).text.contains("clean.mp3"))
  }
}
