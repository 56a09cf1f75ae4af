import Foundation
import Testing
import TestSupport

/// Scans that look at the files of a list and at no others.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ListedFilesTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
    let sample = try Data(contentsOf: Corpora.fixtures.appending(path: "damaged/one-sample.wav"))
    for (index, name) in ["one/a.wav", "one/b.wav", "two/c.wav", "two/deep/d.wav", "e.wav"].enumerated() {
      try music.write(sample.dropLast() + [UInt8(index)], to: name)
    }
  }

  private func scan(
    _ names: [String], at root: String? = nil, options: [String] = [], status: Int32 = 0
  ) async throws -> CommandOutcome {
    let outcome = try await deadwax.run(
      ["scan", "--json", "--root", root ?? music.path, "--files-from", "-"] + options,
      standardInput: Data(names.joined(separator: "\0").utf8))
    #expect(outcome.status == status, "\(names): \(outcome)")
    return outcome
  }

  private func states() async throws -> [String: String] {
    try await LibraryRows(deadwax).rows.mapValues(\.state)
  }

  @Test func `only the files of the list are read, however their paths are written`() async throws {
    let names = ["./one/a.wav", "two//deep/./d.wav", music.path + "/e.wav", "e.wav"]
    let report: ScanDocument = try await scan(names).document()
    #expect(report.found == 3)
    #expect(try await states() == ["one/a.wav": "ok", "two/deep/d.wav": "ok", "e.wav": "ok"])
  }

  @Test func `lists make the same library as a scan of the folder`() async throws {
    _ = try await scan(["two/c.wav", "one/b.wav"])
    _ = try await scan(["one/a.wav", "e.wav", "two/deep/d.wav"])
    let whole: ScanDocument = try await deadwax.must(["scan", "--json", music.path]).document()
    #expect(whole.found == 5 && whole.unchanged == 5 && whole.missing == 0)
  }

  @Test func `a listed file that is gone is missing, and nothing is decided about others`() async throws {
    try await deadwax.must(["scan", music.path])
    try music.remove("one/a.wav")
    try music.remove("two/c.wav")
    let report: ScanDocument = try await scan(["one/a.wav", "e.wav"]).document()
    #expect(report.missing == 1 && report.found == 1)
    #expect(try await states()["one/a.wav"] == "missing")
    #expect(try await states()["two/c.wav"] == "ok")
    #expect(try await states()["one/b.wav"] == "ok")
  }

  @Test func `a list of another time is told apart`() async throws {
    let outcome = try await scan(["one/a.wav", "one/new.wav", "gone/x.wav"], status: 4)
    for name in ["one/new.wav", "gone/x.wav"] {
      #expect(outcome.errorText.contains("\(music.path)/\(name): listed, but does not exist; recreate the list\n"))
    }
    #expect(try await states() == ["one/a.wav": "ok"])
  }

  @Test func `a list in a part of a known root belongs to that root`() async throws {
    try await deadwax.must(["scan", music.path + "/one", music.path + "/two"])
    try music.remove("two/deep/d.wav")
    let report: ScanDocument = try await scan(["d.wav"], at: music.path + "/two/deep").document()
    #expect(report.missing == 1)
    #expect(try await deadwax.run(["roots"]).text == "\(music.path)/one\n\(music.path)/two\n")
  }

  @Test func `ignore files, patterns, links and hidden names count as in a scan of the folder`() async throws {
    try music.write("c.wav\n".utf8, to: "two/.deadwaxignore")
    try music.write([], to: "one/.hidden.wav")
    try FileManager.default.createSymbolicLink(at: music.file("link"), withDestinationURL: music.file("one"))
    _ = try await scan(
      ["two/c.wav", "one/.hidden.wav", "link/b.wav", "e.wav", "one/a.wav"], options: ["--exclude", "e.*"])
    #expect(try await states() == ["one/a.wav": "ok"])
  }

  @Test func `a CUE sheet beside a listed file is read, and one elsewhere keeps its parts`() async throws {
    let sheet = """
      FILE "%@" WAVE
        TRACK 01 AUDIO
          TITLE "Part of %@"
          INDEX 01 00:00:00
        TRACK 02 AUDIO
          TITLE "Rest of %@"
          INDEX 01 00:01:00
      """
    for (seconds, name) in [(2, "one/a"), (3, "two/c")] {
      try music.addSilence(seconds: seconds, as: name + ".wav")
      let file = String(name.suffix(1)) + ".wav"
      try music.write(sheet.replacingOccurrences(of: "%@", with: file).utf8, to: name + ".cue")
    }
    try await deadwax.must(["scan", music.path + "/"])
    try music.remove("two/c.cue")
    _ = try await scan(["one/a.wav"], options: ["--deep"])
    let parts = try await deadwax.must(["ls", "--parts", "--format-string", "{title}"]).text
    #expect(parts == "Part of a.wav\nRest of a.wav\nPart of c.wav\nRest of c.wav\n")
  }

  @Test(arguments: [
    ("../x.wav", "leads through a folder above (..)"), ("/elsewhere/x.wav", "not below "),
  ])
  func `a path that leads out of the folder is refused`(path: String, reason: String) async throws {
    let outcome = try await scan(["e.wav", path], status: 64)
    #expect(outcome.errorText.contains("--files-from, path 2: \(path): \(reason)"), "\(outcome)")
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
  }

  @Test func `the folder itself, which find prints when a file was added to it, is left out`() async throws {
    let list = try Tool.run("find", music.path, "-newermt", "1970-01-02", "-print0")
    let names = String(decoding: list, as: UTF8.self).split(separator: "\0").map(String.init)
    #expect(names.first == music.path && names.contains(music.path + "/one"))
    let report: ScanDocument = try await scan(names + [".", "./", music.path + "/"]).document()
    #expect(report.found == 5)
    #expect(try await states().count == 5)
  }

  @Test func `the list and its folder belong together`() async throws {
    for arguments in [["--files-from", "-"], ["--root", "."], ["--root", ".", "--files-from", "-", "."]] {
      #expect(try await deadwax.run(["scan"] + arguments).status == 64)
    }
  }

  @Test func `an empty list is scanned`() async throws {
    let report: ScanDocument = try await scan([]).document()
    #expect(report.found == 0)
  }
}
