import Foundation
import Testing
import TestSupport

/// No command overwrites music in the library, whatever it is asked to write.
struct ProtectedMusicTests {
  @Test func `music is not replaced by pictures, sounds, lists or exports`() async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder("damaged/clean.mp3"))
    try music.add(fixture: "damaged/direct-current.wav", as: "other.wav")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    for arguments in [["preset", "create", "mine", "--gain", "-2"], ["list", "save", "all", "duration:>0"]] {
      try #require(try await deadwax.run(arguments).status == 0)
    }
    let song = music.file("clean.mp3")
    let before = try Data(contentsOf: song)
    for arguments in [
      ["waveform", "filename:other", "--format", "png"], ["spectrum", "filename:other", "--format", "png"],
      ["segment", "filename:other", "--format", "wav"], ["render", "filename:other", "--format", "wav"],
      ["export", "--what", "tracks", "--format", "csv"], ["preset", "export", "mine", "--format", "apo"],
      ["preset", "plot", "mine", "--format", "png"], ["list", "export", "all", "--format", "m3u8"],
    ] {
      let outcome = try await deadwax.run(arguments + ["-o", song.path])
      #expect(outcome.status == 1 && outcome.errorText.contains("never written"), "\(arguments): \(outcome)")
      #expect(try Data(contentsOf: song) == before, "\(arguments)")
    }
    // SQLite has them only while the library is open.
    for ending in ["-wal", "-shm", "-journal"] {
      let file = deadwax.library.deletingLastPathComponent().appending(path: "library.sqlite" + ending)
      try Data().write(to: file)
      let outcome = try await deadwax.run(["export", "--what", "tracks", "--format", "csv", "-o", file.path])
      #expect(outcome.status == 1 && outcome.errorText.contains("never written"), "\(ending): \(outcome)")
      // Nor through a link to it, while it does not exist.
      try? FileManager.default.removeItem(at: file)
      let link = deadwax.home.appending("link" + ending)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      let linked = try await deadwax.run(["export", "--what", "tracks", "--format", "csv", "-o", link.path])
      #expect(linked.status == 1 && linked.errorText.contains("never written"), "\(ending): \(linked)")
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
    // A folder of results in which one has the name of another track.
    try music.add(fixture: "damaged/direct-current.wav", as: "below/clean.wav")
    try music.add(fixture: "damaged/clean.mp3", as: "clean.wav")
    try #require(try await deadwax.run(["scan"]).status == 0)
    let other = try Data(contentsOf: music.file("clean.wav"))
    let outcome = try await deadwax.run(
      ["render", "path:below", "--format", "wav", "-o", music.path, "--name", "{stem}"])
    #expect(outcome.status == 1 && outcome.errorText.contains("never written"), "\(outcome)")
    #expect(try Data(contentsOf: music.file("clean.wav")) == other)
  }
}
