import Foundation
import Testing
import TestSupport

/// Sound files and tables replace a file that exists only if they are told to.
struct ExistingFilesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) async throws -> CommandOutcome {
    try await ScannedFixtures.audio.value.called.run(arguments)
  }

  @Test(arguments: [
    ["render", "title:Lacquer", "-e", "1", "-o", "x.flac"], ["segment", "title:Lacquer", "-e", "1", "-o", "x.wav"],
    ["export", "--what", "tracks", "-o", "x.csv"], ["export", "--what", "playlist", "-o", "x.m3u8"],
    ["artwork", "title:Lead-in", "-o", "x.jpg"],
  ])
  func `a file stays, with one line and status 1`(arguments: [String]) async throws {
    let name = try #require(arguments.last)
    let arguments = Array(arguments.dropLast()) + [folder.appending(name).path]
    try folder.write("mine".utf8, to: name)
    let refused = try await run(arguments)
    #expect(refused.status == 1 && refused.standardOutput.isEmpty, "\(refused)")
    #expect(refused.errorText.hasSuffix("\(name): already exists; --overwrite replaces it\n"), "\(refused)")
    #expect(refused.errorText.split(separator: "\n").count == 1)
    #expect(try folder.bytes(of: name) == Array("mine".utf8) && folder.names() == [name])
    let replaced = try await run(arguments + ["--overwrite"])
    #expect(replaced.status == 0, "\(replaced)")
    #expect(try folder.bytes(of: name).count > 100 && folder.names() == [name])
  }

  @Test(arguments: [
    ["render", "album:Run-out", "-e", "1", "--format", "flac"], ["export", "album:Run-out", "--what", "waveforms"],
  ])
  func `of a folder nothing is written if one of its files exists`(arguments: [String]) async throws {
    let ending = arguments.contains("flac") ? "flac" : "dat"
    let name = "Lathe & Lantern - Rain on the Window.\(ending)"
    try folder.write("mine".utf8, to: name)
    let arguments = arguments + ["--name", "{artist} - {title}", "-o", folder.url.path]
    let refused = try await run(arguments)
    #expect(refused.status == 1 && refused.errorText.contains("Rain on the Window"), "\(refused)")
    #expect(refused.errorText.hasSuffix(": already exists; --overwrite replaces it\n"), "\(refused)")
    #expect(try folder.bytes(of: name) == Array("mine".utf8) && folder.names() == [name])
    #expect(try await run(arguments + ["--overwrite"]).status == 0)
    #expect(try folder.names().count == 4 && folder.bytes(of: name).count > 100)
  }

  @Test func `a backup never replaces music, and is refused as other outputs are`() async throws {
    let scanned = try await ScannedMusic.of("damaged/one-sample.wav").library()
    let path = try await scanned.called.must(["ls", "--format", "paths"]).text.trimmingCharacters(in: .newlines)
    let before = try Data(contentsOf: URL(filePath: path))
    let outcome = try await scanned.called.run(["backup", path, "--force"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(outcome.errorText.hasSuffix("already exists; it is a music file of the library\n"), "\(outcome)")
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func `pictures and data of one track are replaced`() async throws {
    try folder.write("mine".utf8, to: "x.dat")
    #expect(try await run(["waveform", "title:Lacquer", "-o", folder.appending("x.dat").path]).status == 0)
    #expect(try folder.bytes(of: "x.dat").count > 100)
  }
}
