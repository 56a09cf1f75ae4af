import Foundation
import Glibc
import Testing
import TestSupport

/// A render that does not come to its end leaves what was there.
struct InterruptedRendersTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.appending(name).path }

  // Faults: 141
  @Test func `a full disk leaves what was there, and nothing else`() async throws {
    let source = Corpora.fixtures.appending(path: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac").path
    try Data("old".utf8).write(to: folder.appending("x.wav"))
    // No file may grow beyond 500 KB; the signal that says so is ignored.
    let outcome = try await ScannedFixtures.audio.value.deadwax.run(
      executable: URL(filePath: "/bin/bash"),
      [
        "-c", "trap '' XFSZ; ulimit -f 500; exec \"$@\"", "-", DeadwaxCommand.executable.path, "render", source,
        "--overwrite", "-o", path("x.wav"),
      ])
    #expect(outcome.status == 1 && outcome.errorText.hasSuffix("File too large\n"), "\(outcome)")
    #expect(try Data(contentsOf: folder.appending("x.wav")) == Data("old".utf8))
    #expect(try folder.names() == ["x.wav"])
  }

  // Faults: 141
  @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
  func `nothing is left of a render that was killed`(signal: Int32) async throws {
    let music = try MusicFolder()
    try music.addSilence(seconds: 1200, as: "long.wav")
    let deadwax = try DeadwaxCommand()
    _ = try await deadwax.run(["scan", "--product", "waveform", music.path])
    _ = try await deadwax.run(["preset", "create", "Hall", "--reverb", "large-hall:30"])
    // The tests themselves may have been started with signals ignored.
    let running = try deadwax.start(
      executable: URL(filePath: "/usr/bin/env"),
      ["--default-signal", DeadwaxCommand.executable.path, "render", "1", "--preset", "Hall", "-o", path("x.flac")])
    #expect(try await running.worker(after: 0.05) != nil)
    running.send(signal)
    #expect(try await running.outcome().status != 0)
    #expect(try folder.names().isEmpty)
  }
}
