import Foundation
import Glibc
import Testing
import TestSupport

/// Which recordings a reanalysis is asked to look at.
struct ReanalysisScopeTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3", "damaged/one-sample.wav", "damaged/digital-silence.wav")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
  }

  private func count(_ words: [String]) async throws -> Int {
    let outcome = try await deadwax.run(["reanalyze", "--force", "--dry-run", "--json"] + words)
    #expect(outcome.status == 0, "\(outcome)")
    return try outcome.document(ReanalysisDocument.self).recordings
  }

  @Test func `ids and paths mean these tracks, anything else is a query`() async throws {
    let path = music.file("clean.mp3").path
    let id = try await deadwax.run(["ls", "ext:mp3", "--format", "csv", "--fields", "id"])
      .text.split(separator: "\n").last.map(String.init)
    #expect(try await count([try #require(id)]) == 1)
    #expect(try await count([path]) == 1)
    #expect(try await count(["1", "2"]) == 2)
    #expect(try await count(["ext:mp3"]) == 1)
    #expect(try await count([]) == 3)
    for unknown in [["99"], ["1", "99"], [path, "nothing.flac"]] {
      let outcome = try await deadwax.run(["reanalyze", "--force"] + unknown)
      #expect(outcome.status == 64 && outcome.standardOutput.isEmpty, "\(outcome)")
    }
  }

  @Test func `an interrupted run goes on for the folder that was meant, not for one of the same name`() async throws {
    for (folder, seconds) in [("a", 1200), ("b", 1300)] {
      try music.add(fixture: "damaged/clean.mp3", as: "\(folder)/live/1.mp3")
      for number in 2...3 { try music.addSilence(seconds: seconds + number, as: "\(folder)/live/\(number).wav") }
    }
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    func start(in folder: String) throws -> RunningCommand {
      let command = "cd '\(music.file(folder).path)' && exec '\(DeadwaxCommand.executable.path)'"
      return try deadwax.start(
        executable: URL(filePath: "/bin/bash"), ["-c", command + " reanalyze --force --json --jobs 1 ./live"])
    }
    func reanalyze(in folder: String) async throws -> ReanalysisDocument {
      try await start(in: folder).outcome().document()
    }
    let run = try start(in: "a")
    _ = try await run.worker(after: 0.3)
    run.send(SIGINT)
    let interrupted = try await run.outcome()
    try #require(interrupted.status == 128 + SIGINT, "\(interrupted)")
    let done = try interrupted.document(ReanalysisDocument.self).decoded_files
    // The first file of both folders is the same recording.
    try #require(done > 0)
    #expect(try await reanalyze(in: "b").resumed_recordings == 0)
    #expect(try await reanalyze(in: "a").resumed_recordings == done)
  }
}
