import Foundation

/// A library of a folder of fixtures, scanned once for all tests that only read it.
package struct ScannedFixtures: Sendable {
  package let deadwax: DeadwaxCommand
  package let scan: CommandOutcome
  /// By path below fixtures/.
  package let tracks: [String: TrackRow]

  package static let audio = Task { try await ScannedFixtures(folder: "audio") }
  package static let damaged = Task { try await ScannedFixtures(folder: "damaged") }

  private init(folder: String) async throws {
    deadwax = try DeadwaxCommand()
    scan = try await deadwax.run(["scan", "--json", Corpora.fixtures.appending(path: folder).path])
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let root = Corpora.fixtures.resolvingSymlinksInPath().path + "/"
    tracks = try Dictionary(
      list.lines(TrackRow.self).map { ($0.path.replacing(root, with: "", maxReplacements: 1), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What `show` says of a fixture, found by its path.
  package func show(_ file: ExpectedFile) async throws -> TrackDocument {
    try await deadwax.run(["show", "--json", file.url.path]).document()
  }
}
