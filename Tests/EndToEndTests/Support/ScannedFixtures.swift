import Foundation
import TestSupport

/// A library of a folder of fixtures, scanned once for all tests that only read it.
struct ScannedFixtures: Sendable {
  let deadwax: DeadwaxCommand
  let scan: CommandOutcome
  /// By path below fixtures/.
  let tracks: [String: ListedTrack]

  static let audio = Task { try await ScannedFixtures(folder: "audio") }
  static let damaged = Task { try await ScannedFixtures(folder: "damaged") }

  private init(folder: String) async throws {
    deadwax = try DeadwaxCommand()
    scan = try await deadwax.run(["scan", "--json", Corpora.fixtures.appending(path: folder).path])
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", ListedTrack.fields])
    let root = Corpora.fixtures.resolvingSymlinksInPath().path + "/"
    tracks = try Dictionary(
      list.lines(ListedTrack.self).map { ($0.path.replacing(root, with: "", maxReplacements: 1), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What `show` says of a fixture, found by its path.
  func show(_ file: ExpectedFile) async throws -> ShownTrack {
    try await deadwax.run(["show", "--json", file.url.path]).document()
  }
}
