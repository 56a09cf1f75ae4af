internal import Foundation
internal import TestSupport

/// Music whose scan lasts: the tester's own, or hours of silence.
struct LongMusic: Sendable {
  let url: URL
  private let silence: MusicFolder?

  var path: String { url.path }

  init(_ trial: Trial) throws {
    if let real = trial.music {
      (url, silence) = (real, nil)
      return
    }
    let music = try MusicFolder()
    for number in 0..<20 { try music.addSilence(seconds: 1200, as: "\(number).wav") }
    (url, silence) = (music.url, music)
  }

  /// A library that knows the folder and nothing of what is in it, with one preset.
  func library() async throws -> DeadwaxCommand {
    let deadwax = try DeadwaxCommand()
    try await deadwax.must(["scan", "--exclude", "*", path])
    try await deadwax.must(["preset", "create", "mine", "--gain", "0"])
    return deadwax
  }
}
