import Base
import Foundation
import TestSupport

/// Music, and the library that the built command made of it: once in a process for all suites, each of which copies the library.
struct ScannedMusic: Sendable {
  let music: MusicFolder
  let deadwax: DeadwaxCommand

  /// Music in all containers, with tags and covers, and an MP3 of one second.
  static let fixtures = Task { try await ScannedMusic(MusicFolder("audio", "damaged/clean.mp3")) }

  /// - Parameter options: Of the scan.
  init(_ music: MusicFolder, options: [String] = []) async throws {
    self.music = music
    deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", "-q"] + options + [music.path])
  }
}
