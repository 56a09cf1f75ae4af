import Foundation
import Testing
import TestSupport

/// Files that are named without being in the library are analysed on the spot, as by audiowaveform and fpcalc.
struct FilesOutsideLibraryTests {
  private static let lacquer = Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    .path

  /// The output of a command about the fixture when it is in a library, and without any.
  private func outputs(_ arguments: [String]) async throws -> (scanned: Data, alone: Data) {
    let scanned = try await ScannedFixtures.audio.value.called.run(arguments)
    let deadwax = try DeadwaxCommand.called()
    let alone = try await deadwax.run(arguments)
    #expect(scanned.status == 0 && alone.status == 0 && alone.standardError.isEmpty, "\(alone)")
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
    return (scanned.standardOutput, alone.standardOutput)
  }

  @Test(arguments: [
    ["waveform", lacquer, "--format", "dat"], ["waveform", lacquer, "--format", "json", "-z", "300", "-b", "16"],
    ["waveform", lacquer, "-w", "60"],
    ["waveform", lacquer, "--format", "svg", "--style", "bands", "--title", "{title}"],
    ["spectrum", lacquer, "--format", "csv"], ["spectrum", lacquer, "--kind", "spectrogram", "--format", "png"],
    ["spectrum", lacquer, "--from", "20", "-w", "60"], ["show", lacquer, "--fingerprint"],
    ["segment", lacquer, "-s", "1", "-e", "2", "-o", "-", "--format", "wav"],
    ["render", lacquer, "--preset", "Loudness", "--normalize", "-18", "-o", "-", "--format", "wav"],
    ["ls", lacquer, "--fields", "path,title,duration,lufs,cutoff,band(1000)", "--format", "csv"],
  ])
  func `a file gives the same without a library as with one`(arguments: [String]) async throws {
    let (scanned, alone) = try await outputs(arguments)
    #expect(!alone.isEmpty && alone == scanned)
  }

  private func bytes(of value: Any?) throws -> Data {
    try JSONSerialization.data(withJSONObject: #require(value), options: [.sortedKeys, .fragmentsAllowed])
  }

  @Test func `show says that the file is in no library, and all else as of a track`() async throws {
    let text = try await DeadwaxCommand.called().run(["show", Self.lacquer]).text
    #expect(text.hasPrefix("Track") && text.contains("Lathe & Lantern - Lacquer") && text.contains("-20.61 LUFS"))
    #expect(text.contains("not in the library") && !text.contains("Album "))

    let (scanned, alone) = try await outputs(["show", Self.lacquer, "--json"])
    let ours = try #require(JSONSerialization.jsonObject(with: alone) as? [String: Any])
    let theirs = try #require(JSONSerialization.jsonObject(with: scanned) as? [String: Any])
    #expect(ours["library"] is NSNull && ours["id"] is NSNull && ours["album"] is NSNull)
    #expect(theirs["library"] is String && theirs["id"] is Int)
    for key in ["hash", "format", "tags", "measures", "acoustid", "products"] {
      #expect(try bytes(of: ours[key]) == bytes(of: theirs[key]), "\(key)")
    }
  }

  @Test func `a file in the library is looked up, and one beside it is not added`() async throws {
    let music = try MusicFolder()
    try FileManager.default.copyItem(atPath: Self.lacquer, toPath: "\(music.path)/a.mp3")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    try FileManager.default.copyItem(atPath: Self.lacquer, toPath: "\(music.path)/b.mp3")
    let known = try await deadwax.run(["show", "\(music.path)/a.mp3"])
    #expect(known.status == 0 && known.text.contains("added "), "\(known)")
    let other = try await deadwax.run(["show", "\(music.path)/b.mp3"])
    #expect(other.status == 0 && other.text.contains("not in the library"), "\(other)")
    let mixed = try await deadwax.run(["ls", "\(music.path)/a.mp3", "\(music.path)/b.mp3"])
    #expect(mixed.status == 64 && mixed.errorText.contains("b.mp3: not in the library"), "\(mixed)")
    let all = try await deadwax.run(["ls", "--format", "paths"])
    #expect(all.text == "\(music.path)/a.mp3\n")
  }

  @Test(arguments: [
    ["similar"], ["rate", "80"], ["list", "create", "mine"], ["attribute", "set", "mood=calm"],
    ["preset", "assign", "Bass"], ["artwork", "--list"],
  ])
  func `a file outside the library is not called a query`(command: [String]) async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    try FileManager.default.copyItem(atPath: Self.lacquer, toPath: deadwax.home.appending("a b.mp3").path)
    for words in [["a b.mp3"], ["./a b.mp3"], [deadwax.home.appending("a b.mp3").path]] {
      let outcome = try await deadwax.run(command + words)
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.errorText.contains("/a b.mp3: not in the library; `deadwax scan FOLDER` adds"), "\(outcome)")
      #expect(outcome.errorText.contains("`deadwax identify FILE`"))
    }
    let absent = try await deadwax.run(command + ["/no/such.mp3"])
    #expect(absent.status == 64, "\(absent)")
    #expect(absent.errorText.hasSuffix("not in the library; there is no such file\n"), "\(absent)")
  }

  @Test(arguments: [["show"], ["ls"], ["waveform"]])
  func `a file that is no sound by its name is called that`(command: [String]) async throws {
    let deadwax = try DeadwaxCommand.called()
    try deadwax.home.write("a text".utf8, to: "notes.txt")
    let outcome = try await deadwax.run(command + ["notes.txt"])
    #expect(outcome.status == 1, "\(outcome)")
    #expect(
      outcome.errorText.hasSuffix("notes.txt: unsupported: its name is not that of an audio file\n"), "\(outcome)")
  }

  @Test func `several files are listed by path, and the reason is given for those that cannot be decoded`() async throws
  {
    let music = try MusicFolder()
    try FileManager.default.copyItem(atPath: Self.lacquer, toPath: "\(music.path)/b.mp3")
    try Data("no audio at all".utf8).write(to: music.url.appending(path: "a.wav"))
    try Data(contentsOf: URL(filePath: Self.lacquer)).prefix(60_000).write(to: music.url.appending(path: "c.mp3"))
    let deadwax = try DeadwaxCommand.called()
    let files = ["b.mp3", "c.mp3", "a.wav"].map { "\(music.path)/\($0)" }
    let outcome = try await deadwax.run(["ls"] + files + ["--format", "csv", "--fields", "filename,title,state"])
    #expect(outcome.status == 0, "\(outcome)")
    let lines = outcome.text.split(whereSeparator: \.isNewline)
    #expect(lines.count == 4 && lines[1].hasPrefix("a.wav,") && lines[2] == "b.mp3,Lacquer,ok", "\(outcome)")
    #expect(outcome.errorText.contains("a.wav: "))
    for command in [["show"], ["waveform", "--format", "dat"], ["segment", "-s", "0", "-o", "-", "--format", "wav"]] {
      let refused = try await deadwax.run(command + [files[2]])
      #expect(
        refused.status == 1 && refused.standardOutput.isEmpty && refused.errorText.contains("a.wav: "), "\(refused)")
    }
  }

  @Test func `a folder takes a file for each that is named`() async throws {
    let folder = try TemporaryFolder()
    let other = Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3").path
    let outcome = try await DeadwaxCommand.called().run([
      "waveform", Self.lacquer, other, "-o", folder.url.path, "--format", "dat", "--name", "{stem}",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try folder.names() == ["01 Lead-in.dat", "02 Lacquer.dat"])
  }

  @Test func `a library that was named must be there, and words that are no files are still a query`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let named = try await deadwax.run(["show", Self.lacquer, "-L", "none.sqlite"])
    #expect(named.status == 5 && named.errorText.contains("none.sqlite"), "\(named)")
    let query = try await deadwax.run(["show", "lacquer"])
    #expect(query.status == 5, "\(query)")
  }
}
