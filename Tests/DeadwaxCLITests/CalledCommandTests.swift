import Foundation
import Glibc
import Testing
import TestSupport

/// A call of the command is like a process, and leaves that of the tests as it was.
struct CalledCommandTests {
  private func state() throws -> [String] {
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    var action = sigaction()
    let isInterruptible = sigaction(SIGINT, nil, &action) == 0 && action.__sigaction_handler.sa_handler == nil
    return [
      "\(descriptors) descriptors", "SIGINT ends: \(isInterruptible)", FileManager.default.currentDirectoryPath,
      ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }.sorted().joined(separator: "\n"),
    ]
  }

  @Test func `descriptors, signals, environment and folder stay as they were`() async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder("damaged/clean.mp3"))
    try await deadwax.must(["scan", music.path])
    let before = try state()
    for arguments in [["scan", "--deep"], ["ls"], ["nonsense"], ["render", "1", "-o", "x.wav"], ["merge", "x.wav"]] {
      _ = try await deadwax.run(arguments)
    }
    #expect(try state() == before)
  }

  @Test func `status, streams, folder and standard input are those of a process`() async throws {
    let called = try await ScannedMusic.of("damaged/clean.mp3").library().called
    let built = try DeadwaxCommand().with(called.library)
    for arguments in [
      ["ls", "--stdin0"], ["ls", "nofield:1"], ["--version"], ["show", "x.mp3"], ["preset", "show"],
    ] {
      let input = Data("/nothing\0".utf8)
      let outcome = try await called.run(arguments, standardInput: input)
      let expected = try await built.run(arguments, standardInput: input)
      #expect(outcome.status == expected.status && outcome.text == expected.text, "\(outcome) \(expected)")
      // The current folder is that of the command.
      #expect(
        outcome.errorText == expected.errorText.replacing(built.home.url.path, with: called.home.url.path),
        "\(outcome) \(expected)")
    }
  }
}
