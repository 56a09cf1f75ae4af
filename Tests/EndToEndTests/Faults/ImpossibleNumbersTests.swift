import Foundation
import TestSupport
import Testing

/// Libraries in which somebody has written numbers that no version stores.
@Suite(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
struct ImpossibleNumbersTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/length-unknown.flac")
    try await deadwax.must(["scan", "-q", music.path])
  }

  // Faults: 189, 190
  @Test(arguments: [
    """
    INSERT INTO product_tally VALUES ('waveform', 998, 'a', 9223372036854775807, 9223372036854775807),
                                     ('waveform', 999, 'b', 9223372036854775807, 9223372036854775807)
    """,
    "UPDATE product_tally SET product_count = -9223372036854775808, byte_count = -9223372036854775808",
    "UPDATE audio SET decoded_frames = -1",
    "UPDATE audio SET decoded_frames = 9223372036854775807; UPDATE file SET decoded_frames = 9223372036854775807",
    "UPDATE file SET decoded_frames = -9223372036854775808, declared_frames = 9223372036854775807",
  ])
  func `no command ends by them`(_ change: String) async throws {
    try Tool.run("sqlite3", deadwax.library.path, change)
    let output = deadwax.home.appending("out.wav").path
    let commands = [
      ["status"], ["doctor"], ["identify", music.file("length-unknown.flac").path], ["duplicates"], ["show", "1"],
      ["waveform", "1"], ["segment", "1", "-o", output, "--overwrite"], ["render", "1", "-o", output, "--overwrite"],
      ["spectrum", "1"], ["problems"], ["scan", "-q"],
    ]
    for command in commands {
      let outcome = try await deadwax.run(command)
      #expect(outcome.status < 128 && !outcome.errorText.contains("internal error"), "\(command): \(outcome)")
    }
  }
}
