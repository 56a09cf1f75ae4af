import TestSupport

extension ScannedMusic {
  /// Music in all containers, with tags and covers, and an MP3 of one second.
  static var fixtures: ScannedMusic { get async throws { try await .of("audio", "damaged/clean.mp3") } }
}
