package import Foundation
import Synchronization

/// Music that tests only read, and libraries of it: each is scanned once in a process, for all tests that ask for it.
///
/// Nothing may be written into what ``of(_:)`` and ``named(_:_:)`` give.
package final class ScannedMusic: Sendable {
  package let music: MusicFolder
  private let libraries = Mutex<[[String]: Task<DeadwaxCommand, any Error>]>([:])
  private static let known = Mutex<[String: Task<ScannedMusic, any Error>]>([:])

  /// Music of a test of its own, which may write into it once it is scanned.
  package init(_ music: MusicFolder) { self.music = music }

  /// Copies of fixtures/, each under its last name.
  package static func of(_ fixtures: String...) async throws -> ScannedMusic {
    try await named(fixtures.joined(separator: "\n")) { music in
      for fixture in fixtures {
        let source = Corpora.fixtures.appending(path: fixture)
        try FileManager.default.copyItem(at: source, to: music.file(source.lastPathComponent))
      }
    }
  }

  /// Made-up music.
  ///
  /// - Parameter write: Is called once for a name; tests that give the same name must write the same.
  package static func named(
    _ name: String, _ write: @escaping @Sendable (MusicFolder) throws -> Void
  ) async throws -> ScannedMusic {
    let task = known.withLock { known in
      let task =
        known[name]
        ?? Task {
          let music = try MusicFolder()
          try write(music)
          return ScannedMusic(music)
        }
      known[name] = task
      return task
    }
    return try await task.value
  }

  /// A command with a home of its own and a copy of the library.
  ///
  /// - Parameter options: Of the scan.
  package func library(_ options: String...) async throws -> DeadwaxCommand { try await scanned(options).copy() }

  /// Copies the library to where there is none.
  package func copyLibrary(to library: URL, _ options: [String] = []) async throws {
    try await FileManager.default.copyItem(at: scanned(options).library, to: library)
  }

  private func scanned(_ options: [String]) async throws -> DeadwaxCommand {
    let path = music.path
    let task = libraries.withLock { libraries in
      let task =
        libraries[options]
        ?? Task {
          let deadwax = try DeadwaxCommand()
          try await deadwax.must(["scan", "-q", path] + options)
          return deadwax
        }
      libraries[options] = task
      return task
    }
    return try await task.value
  }
}
