import Foundation
import Testing
import TestSupport

/// Commands that decode read a recording from where it is, and never another one in its place.
struct ReplacedFilesTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
    try music.addSilence(seconds: 2, as: "a/x.wav")
    try music.addSilence(seconds: 2, as: "b/x.wav")
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
  }

  private func segment() async throws -> CommandOutcome {
    try await deadwax.run(["segment", "1", "-s", "0.5", "-e", "1", "-o", "-", "--format", "raw"])
  }

  @Test func `a file that was only touched is read`() async throws {
    let before = try await segment()
    #expect(before.status == 0 && before.standardOutput.count == 22_050 * 2 * 4)
    for name in ["a/x.wav", "b/x.wav"] {
      try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: music.file(name).path)
    }
    #expect(try await segment().standardOutput == before.standardOutput)
  }

  @Test func `another sound of the same form is not taken for it, and a second file with the sound is`() async throws {
    let before = try await segment()
    try music.addSilence(seconds: 3, as: "a/x.wav")
    #expect(try await segment().standardOutput == before.standardOutput)
    try music.remove("a/x.wav")
    #expect(try await segment().standardOutput == before.standardOutput)
    try music.addSilence(seconds: 3, as: "b/x.wav")
    let gone = try await segment()
    #expect(gone.status == 1 && gone.standardOutput.isEmpty && gone.errorText.contains("a/x.wav"), "\(gone)")
    try music.addSilence(seconds: 3, as: "a/x.wav")
    for arguments in [["waveform", "1", "-b", "16", "-o", "x.dat"], ["render", "1", "-o", "x.flac"]] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 1 && outcome.errorText.contains("has changed since it was scanned"), "\(outcome)")
    }
    #expect(try deadwax.home.names().allSatisfy { !$0.hasPrefix("x.") })
  }
}
