import Base
import Foundation
import Testing
import TestSupport

/// Tables, help and reports in terminals, of different widths: `script` gives commands one.
@Suite(.enabled(if: Tool.exist("script", "stty"), "script or stty is not installed"))
struct TerminalTests {
  private func lines(
    _ command: String, width: Int, of fixtures: Task<ScannedFixtures, any Error> = ScannedFixtures.audio
  ) async throws -> [String] {
    try await lines(command, width: width, of: fixtures.value.deadwax)
  }

  private func lines(_ command: String, width: Int, of deadwax: DeadwaxCommand) async throws -> [String] {
    let program = DeadwaxCommand.executable.path
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/script"),
      ["-qec", "stty cols \(width) rows 40; '\(program)' \(command)", "/dev/null"], environment: ["TERM": "xterm"])
    try #require(outcome.status == 0, "\(outcome)")
    return outcome.text.components(separatedBy: "\r\n").filter { !$0.isEmpty }
  }

  @Test(arguments: [40, 80, 120, 200])
  func `no row is wider than the terminal, and each shows the name of its file`(width: Int) async throws {
    for (command, fixtures) in [("ls", ScannedFixtures.audio), ("problems", ScannedFixtures.damaged)] {
      let lines = try await lines(command, width: width, of: fixtures)
      #expect(lines.count > 1 && lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
    }
    let names = try await lines("ls", width: width).map { $0.contains("02 Lacquer") }
    #expect(names.count { $0 } == 1)
    let problem = try await lines("problems filename:one-bit", width: width, of: ScannedFixtures.damaged).last
    #expect(problem?.contains("one-bit-chan") == true)
  }

  @Test func `the columns of least use give way, but none that was asked for`() async throws {
    let heading = try await lines("ls", width: 60).first ?? ""
    #expect(heading.contains("PATH") && heading.contains("TITLE") && !heading.contains("CODEC"), "\(heading)")
    let asked = try await lines("ls --fields path,title,artist,album,codec,state", width: 60).first ?? ""
    #expect(asked.contains("CODEC") && asked.contains("STATE"), "\(asked)")
    #expect(try await lines("ls", width: 200).first?.contains("CODEC") == true)
  }

  @Test func `albums keep their year and editions in 80 columns, and have less room for names`() async throws {
    let lines = try await lines("albums", width: 80)
    let heading = lines.first ?? ""
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= 80 }, "\(lines)")
    for title in ["ARTIST", "ALBUM", "YEAR", "TRACKS", "EDITIONS", "WHAT IS WRONG"] {
      #expect(heading.contains(title), "\(title): \(lines)")
    }
    let narrow = try await self.lines("albums", width: 50)
    #expect(narrow.allSatisfy { DisplayWidth.of($0) <= 50 } && narrow.first?.contains("ALBUM") == true, "\(narrow)")
  }

  @Test func `copies are told apart by their files in any terminal`() async throws {
    let deadwax = try DeadwaxCommand()
    let music = try MusicFolder()
    let names = ["the tune itself.wav", "the same, softer.wav"]
    let tune = Signal.chords(seconds: 40, sampleRateInHz: 22_050, channel: 0)
    for (name, level) in zip(names, [20_000, 8_000] as [Float]) {
      let bytes = WaveFile.bytes(tune.map { Int16($0 * level) }, sampleRateInHz: 22_050, channelCount: 1)
      try music.write(bytes, to: "a folder that holds many of them/\(name)")
    }
    try await deadwax.must(["scan", music.path])
    for width in [80, 100, 240] {
      // Without the progress that was taken away before them.
      let lines = try await lines("duplicates", width: width, of: deadwax)
        .map { $0.components(separatedBy: "\u{1B}[2K").last ?? $0 }
      #expect(lines.count == 3 && lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
      #expect(lines[0].contains("KIND") && lines[0].contains("CUTOFF") == (width == 240), "\(lines)")
      for name in names { #expect(lines.contains { $0.hasSuffix(name) }, "\(lines)") }
    }
  }

  @Test func `lines of usage are wrapped`() async throws {
    for command in ["list import --help", "preset assign --help"] {
      let lines = try await lines(command, width: 80)
      let usage = lines.drop { !$0.hasPrefix("USAGE: ") }.prefix { $0.hasPrefix("USAGE: ") || $0.hasPrefix("      ") }
      #expect(usage.count > 1 && usage.allSatisfy { $0.count <= 80 }, "\(usage)")
    }
  }

  @Test func `who watches a batch is told how many files it wrote, and how many of them over others`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.deadwax
    let folder = try TemporaryFolder()
    let command = "\(DeadwaxCommand.executable.path) waveform title:Lacquer -o \(folder.url.path)"
    let told = "1 file written to \(folder.url.path)"
    for end in ["\r\n", ", 1 of them replaced\r\n"] {
      let outcome = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/script"), ["-qec", command, "/dev/null"], environment: ["TERM": "xterm"])
      #expect(outcome.status == 0 && outcome.text.hasSuffix(told + end), "\(outcome)")
    }
  }
}
