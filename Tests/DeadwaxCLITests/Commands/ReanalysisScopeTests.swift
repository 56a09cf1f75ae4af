import Foundation
import Testing
import TestSupport

/// Which recordings a reanalysis is asked to look at.
struct ReanalysisScopeTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.of(
      "damaged/clean.mp3", "damaged/one-sample.wav", "damaged/digital-silence.wav")
    (music, deadwax) = (scanned.music, try await scanned.library().called)
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
}
