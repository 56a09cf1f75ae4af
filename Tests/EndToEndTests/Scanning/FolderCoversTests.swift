import Foundation
import Glibc
import MediaModel
import TestSupport
import Testing

/// Pictures beside the files of an album, as scans find them.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct FolderCoversTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
  }

  /// A Windows bitmap of one colour.
  private static func bitmap(_ red: UInt8, side: Int = 80) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let row = (0..<side).flatMap { _ in [0, 64, red] as [UInt8] }
    let padded = row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
    let pixels = (0..<side).flatMap { _ in padded }
    return Array("BM".utf8) + number(54 + pixels.count, 4) + number(0, 4) + number(54, 4) + number(40, 4)
      + number(side, 4)
      + number(side, 4) + number(1, 2) + number(24, 2) + number(0, 24) + pixels
  }

  private func addSong(_ name: String) throws {
    try music.add(fixture: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", as: name)
  }

  private struct Albums: Decodable {
    struct Row: Decodable { var title, cover: String? }
    var albums: [Row]
  }

  /// The bytes of the cover of the only album, and where it is from.
  private func cover() async throws -> (bytes: [UInt8], source: String?) {
    let albums = try await deadwax.must(["albums", "--json"]).document(Albums.self).albums
    #expect(albums.count == 1)
    let outcome = try await deadwax.must(["artwork", "filename:lente", "-o", "-"])
    return (Array(outcome.standardOutput), albums.first?.cover)
  }

  @discardableResult private func scan(_ arguments: String...) async throws -> CommandOutcome {
    try await deadwax.must(["scan", music.path] + arguments)
  }

  @Test func `a picture that comes, changes and goes is noticed`() async throws {
    try addSong("Échos/lente.flac")
    try await scan()
    #expect(try await cover().source == "tags")
    let first = Self.bitmap(1)
    // Judged by its bytes.
    try music.write(first, to: "Échos/Folder.JPG")
    try await scan()
    var found = try await cover()
    #expect(found.source == "beside" && found.bytes == first)
    let second = Self.bitmap(2, side: 90)
    try music.write(second, to: "Échos/Folder.JPG")
    try await scan()
    found = try await cover()
    #expect(found.source == "beside" && found.bytes == second)
    try music.move("Échos", to: "Ailleurs")
    try await scan("--accept-missing")
    found = try await cover()
    #expect(found.source == "beside" && found.bytes == second)
    try music.remove("Ailleurs/Folder.JPG")
    try await scan()
    #expect(try await cover().source == "tags")
  }

  @Test func `what is no picture is said, and the next one counts`() async throws {
    try addSong("a/lente.flac")
    let good = Self.bitmap(9)
    try music.write(good, to: "a/album.bmp")
    try music.write([], to: "a/cover.jpg")
    try music.write("<html>not found</html>".utf8, to: "a/cover.png")
    try music.write([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], to: "a/cover.webp")
    try music.write("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8, to: "a/cover.gif")
    // Thirty-one megabytes of which one is written.
    try music.write(good, to: "a/folder.bmp")
    #expect(truncate(music.file("a/folder.bmp").path, 31 << 20) == 0)
    let outside = try TemporaryFolder()
    try outside.write(Self.bitmap(200), to: "secret.bmp")
    try FileManager.default.createSymbolicLink(
      at: music.file("a/front.jpg"), withDestinationURL: outside.appending("secret.bmp"))
    #expect(mkfifo(music.file("a/front.png").path, 0o600) == 0)
    try FileManager.default.createDirectory(at: music.file("a/front.bmp"), withIntermediateDirectories: true)
    let outcome = try await scan()
    for name in ["cover.jpg", "cover.png", "cover.webp", "cover.gif", "folder.bmp"] {
      #expect(outcome.errorText.contains("/a/\(name): no cover: "), "\(name): \(outcome.errorText)")
    }
    var found = try await cover()
    #expect(found.source == "beside" && found.bytes == good)
    // It is not said again, and a link is not followed even where links are.
    let again = try await scan("--follow-links")
    #expect(!again.errorText.contains("no cover"), "\(again.errorText)")
    found = try await cover()
    #expect(found.bytes == good)
  }

  @Test func `a folder that became a link is not looked into`() async throws {
    try addSong("a/b/lente.flac")
    let good = Self.bitmap(9)
    try music.write(good, to: "a/b/cover.bmp")
    try await scan()
    #expect(try await cover().bytes == good)
    let outside = try TemporaryFolder()
    try outside.write(good, to: "cover.bmp")
    try music.move("a/b", to: "c")
    try FileManager.default.createSymbolicLink(at: music.file("a/b"), withDestinationURL: outside.appending(""))
    let outcome = try await deadwax.run(["artwork", "filename:lente", "-o", "-"])
    #expect(outcome.status == 1 && outcome.standardOutput.isEmpty, "\(outcome)")
  }

  @Test func `only the part that is scanned is looked at, and a list looks beside its files`() async throws {
    try addSong("a/lente.flac")
    try music.write(Self.bitmap(1), to: "a/cover.bmp")
    try music.add(fixture: "damaged/clean.mp3", as: "b/clean.mp3")
    try music.write(Self.bitmap(2), to: "b/cover.bmp")
    try await scan()
    #expect(try await deadwax.must(["ls", "--format", "paths", "has:cover"]).text.split(separator: "\n").count == 2)
    try music.remove("a/cover.bmp")
    try music.remove("b/cover.bmp")
    try await deadwax.must(["scan", music.path + "/b"])
    #expect(try await deadwax.must(["ls", "--format", "paths", "--", "has:cover", "-has:artwork"]).text.isEmpty)
    // Of the other one nothing is known yet.
    #expect(try await deadwax.run(["artwork", "filename:lente", "-o", "-"]).status == 1)
    _ = try await deadwax.run(
      ["scan", "--root", music.path, "--files-from", "-"], standardInput: Data("a/lente.flac".utf8))
    let inTags = try await deadwax.must(["artwork", "filename:lente", "-o", "-"]).standardOutput
    #expect(!inTags.isEmpty && inTags != Data(Self.bitmap(1)))
  }

  @Test func `a rescan of a tree that did not change reads no picture`() async throws {
    try addSong("a/lente.flac")
    try music.write(Self.bitmap(1), to: "a/cover.bmp")
    try await scan()
    #expect(chmod(music.file("a/cover.bmp").path, 0) == 0)
    let outcome = try await scan()
    #expect(chmod(music.file("a/cover.bmp").path, 0o600) == 0)
    #expect(!outcome.errorText.contains("cover.bmp"), "\(outcome.errorText)")
    #expect(try await cover().source == "beside")
  }

  @Test func `another picture with the size and time of the one before is noticed`() async throws {
    try addSong("a/lente.flac")
    try music.write(Self.bitmap(1), to: "a/cover.bmp")
    let time = Date(timeIntervalSince1970: 1_700_000_000)
    func setTime() throws {
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: music.file("a/cover.bmp").path)
    }
    try setTime()
    try await scan()
    try music.write(Self.bitmap(2), to: "a/cover.bmp")
    try setTime()
    try await scan()
    #expect(try await cover().bytes == Self.bitmap(2))
  }

  @Test func `of two folders with the same picture one can lose it`() async throws {
    try addSong("a/lente.flac")
    try music.add(fixture: "damaged/clean.mp3", as: "b/clean.mp3")
    for folder in ["a", "b"] { try music.write(Self.bitmap(1), to: "\(folder)/cover.bmp") }
    try await scan()
    for (folder, name) in [("a", "clean"), ("b", "lente")] {
      let path = "\(folder)/cover.bmp"
      try music.move(path, to: "away")
      let outcome = try await deadwax.must(["artwork", "filename:\(name)", "-o", "-"])
      #expect(Array(outcome.standardOutput) == Self.bitmap(1))
      try music.move("away", to: path)
    }
  }

  @Test func `a picture of the library is not overwritten`() async throws {
    try addSong("a/lente.flac")
    try music.write(Self.bitmap(1), to: "a/cover.bmp")
    try await scan()
    let path = music.file("a/cover.bmp").path
    let outcome = try await deadwax.run(["artwork", "filename:lente", "--engraved", "-o", path, "--overwrite"])
    #expect(outcome.status != 0, "\(outcome)")
    #expect(try Array(Data(contentsOf: music.file("a/cover.bmp"))) == Self.bitmap(1))
  }
}
