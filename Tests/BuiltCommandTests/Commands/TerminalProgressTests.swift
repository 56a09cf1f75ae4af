import Foundation
import Testing
import TestSupport

/// What commands show on a terminal while they work: `script` gives them one, and `strace` makes them slow.
@Suite(.enabled(if: CallTracer.isPossible && Tool.exist("script"), "\(CallTracer.absence), or script is not installed"))
struct TerminalProgressTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    try music.add(fixture: "damaged/clean.mp3", as: "sound.mp3")
  }

  /// Lets every sync of a file take more than a second.
  private func slowly(_ arguments: [String]) -> [String] {
    [CallTracer.executable.path, "-f", "-o", "/dev/null", "-e", "inject=fsync,fdatasync:delay_enter=1200000"]
      + [DeadwaxCommand.executable.path] + arguments
  }

  @Test func `work that cannot be counted is shown on a terminal, with the time, and taken away before its result`()
    async throws
  {
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let command = slowly(["backup", deadwax.home.appending("copy.sqlite").path])
    let line = command.map { "'\($0)'" }.joined(separator: " ")
    let shown = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/script"), ["-qec", line, "/dev/null"], environment: ["TERM": "xterm"])
    try #require(shown.status == 0, "\(shown)")
    let parts = shown.text.components(separatedBy: "\r\u{1B}[2K")
    #expect(parts.dropFirst().first == "copying the library and verifying the copy · 0:01", "\(shown)")
    #expect(
      parts.last?.hasSuffix("copy.sqlite: written and verified; 0 presets, 0 assignments, 0 lists, 0 attributes\r\n")
        == true)
    #expect(parts.dropLast().allSatisfy { !$0.contains("written and verified") })
  }

  @Test func `without a terminal nothing of it is written`() async throws {
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    let command = slowly(["backup", deadwax.home.appending("copy.sqlite").path])
    let outcome = try await deadwax.run(
      executable: URL(filePath: command[0]), Array(command.dropFirst()), environment: ["TERM": "xterm"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
  }
}
