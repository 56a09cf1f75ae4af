import Foundation
import Testing
import TestSupport

/// A command that uses the sound of a damaged file says so once, on standard error.
struct ToldDamageTests {
  private static let truncated = Corpora.fixtures.appending(path: "damaged/truncated.flac").path
  private static let line = "truncated.flac: damaged at 0:01: truncated: 18432 of 32000 frames\n"

  @Test(arguments: [
    ["segment", truncated, "-o", "-", "--format", "wav"], ["render", truncated, "-o", "-", "--format", "flac"],
    ["play", truncated, "-o", "-", "--format", "wav"], ["waveform", truncated, "--format", "dat"],
    ["waveform", truncated, "-z", "64", "-b", "16", "--format", "json"],
    ["spectrum", truncated, "--format", "csv"], ["spectrum", truncated, "--kind", "spectrogram", "--format", "png"],
  ])
  func `a command that uses the sound names the damage and its place`(_ arguments: [String]) async throws {
    let deadwax = try DeadwaxCommand.called()
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 0 && !outcome.standardOutput.isEmpty)
    #expect(outcome.errorText.hasSuffix(Self.line), "\(outcome)")
    #expect(outcome.errorText.components(separatedBy: "damaged at").count == 2)
    let quiet = try await deadwax.run(arguments + ["--quiet"])
    #expect(quiet.standardError.isEmpty && quiet.standardOutput == outcome.standardOutput)
    let intact = arguments.map { $0 == Self.truncated ? $0.replacing("truncated.flac", with: "clean.mp3") : $0 }
    #expect(try await deadwax.run(intact).errorText.isEmpty)
  }

  @Test(arguments: ["render", "waveform", "spectrum"])
  func `of many files each damaged one is named`(_ command: String) async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder())
    for name in ["truncated.flac", "clean.mp3", "truncated.wav"] { try music.add(fixture: "damaged/\(name)", as: name) }
    try await deadwax.must(["scan", music.path])
    let outcome = try await deadwax.run([command, "-o", deadwax.home.appending("out").path + "/"])
    let lines = outcome.errorText.split(separator: "\n").filter { $0.contains(": damaged at ") }
    #expect(outcome.status == 0 && lines.count == 2, "\(outcome)")
  }
}
