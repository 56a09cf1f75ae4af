import Foundation
import Testing
import TestSupport

/// `artwork` writes the pictures of a track as they are in its tags.
@Suite(.enabled(if: Tool.exist("metaflac", "flac"), "flac is not installed"))
struct ArtworkCommandTests {
  private static let png =
    Data(
      base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
    ?? Data()
  private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data(repeating: 7, count: 50)

  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.named("two pictures and none", Self.write).library().called
  }

  private static func write(to music: MusicFolder) throws {
    let folder = try TemporaryFolder()
    try music.add(
      fixture: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", as: "01 Marée lente.flac")
    try music.add(fixture: "damaged/clean.mp3", as: "alone/plain.mp3")
    let track = music.file("01 Marée lente.flac").path
    try Tool.run("metaflac", "--remove", "--block-type=PICTURE", track)
    // The tag of the second claims another type.
    for (name, bytes, type, claim) in [("back", Self.png, 4, "image/png"), ("front", Self.jpeg, 3, "image/png")] {
      let file = folder.appending(name)
      try bytes.write(to: file)
      try Tool.run("metaflac", "--import-picture-from=\(type)|\(claim)|of \(name)|1x1x8|\(file.path)", track)
    }
  }

  private func run(_ arguments: String...) async throws -> CommandOutcome {
    try await deadwax.run(["artwork", "filename:lente"] + arguments)
  }

  private func bytes(_ name: String) throws -> Data { try Data(contentsOf: deadwax.home.appending(name)) }

  @Test func `the front cover is written, else the picture with the number`() async throws {
    #expect(try await run("-o", "a.jpeg").status == 0)
    #expect(try bytes("a.jpeg") == Self.jpeg)
    #expect(try await run("--index", "1", "-o", "b.png").status == 0)
    #expect(try bytes("b.png") == Self.png)
    #expect(try await run("-o", "-").standardOutput == Self.jpeg)
    #expect(try await run("--index", "3", "-o", "c.png").status == 64)
  }

  @Test func `a folder gets a file with a name of its own`() async throws {
    for (index, name) in [("1", "back.png"), ("2", "cover.jpg")] {
      let outcome = try await run("--index", index, "-o", "out/")
      #expect(outcome.status == 0 && outcome.text == "out/\(name)\n", "\(outcome)")
    }
    #expect(try bytes("out/back.png") == Self.png && bytes("out/cover.jpg") == Self.jpeg)
  }

  @Test func `an extension of another type is refused`() async throws {
    let outcome = try await run("-o", "front.png")
    #expect(outcome.status == 64 && outcome.errorText.contains("name the file front.jpg"), "\(outcome)")
    #expect(try !deadwax.home.names().contains("front.png"))
  }

  @Test func `the list says what there is`() async throws {
    let table = try await run("--list").text.split(separator: "\n").map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      table == [
        "INDEX KIND TYPE SIZE FROM CAPTION", "1 back image/png \(Self.png.count) B tags of back",
        "2 * cover image/jpeg 54 B tags of front",
      ])
    #expect(try await run().text == run("--list").text)
    struct Document: Decodable {
      struct Picture: Decodable { var index, type, bytes: Int }
      var schema: Int
      var artwork: [Picture]
    }
    let document = try await run("--list", "--json").document(Document.self)
    #expect(document.artwork.map(\.type) == [4, 3] && document.artwork.map(\.index) == [1, 2])
  }

  @Test func `a track without pictures has what is engraved from its sound`() async throws {
    let wrong = try await deadwax.run(["artwork", "filename:plain", "-o", "x.jpg"])
    #expect(wrong.status == 64 && wrong.errorText.contains("name the file x.png"), "\(wrong)")
    for name in ["x.png", "y.png", "x.svg"] {
      #expect(try await deadwax.run(["artwork", "filename:plain", "--size", "96", "-o", name]).status == 0)
    }
    let png = try bytes("x.png")
    #expect(try png == bytes("y.png") && png.starts(with: Self.png.prefix(8)))
    // Width and height in IHDR.
    #expect(Array(png[16..<24]) == [0, 0, 0, 96, 0, 0, 0, 96])
    #expect(try String(decoding: bytes("x.svg"), as: UTF8.self).contains("<svg"))
    #expect(try await run("--engraved", "--ground", "light", "-o", "light.png").status == 0)
    #expect(try await run("--engraved", "-o", "dark.png").status == 0)
    #expect(try bytes("light.png") != bytes("dark.png"))
  }

  @Test func `a cover is chosen by its file or number, told, and forgotten`() async throws {
    #expect(try await run("--choose", "1").text == "Émilie Søndergård – Les Échos: chosen\n")
    #expect(try await run("-o", "-").standardOutput == Self.png)
    try Self.png.dropLast(30).write(to: deadwax.home.appending("half.png"))
    try Data("no picture".utf8).write(to: deadwax.home.appending("text.png"))
    for (word, reason) in [
      ("half.png", "half.png: "), ("text.png", "text.png: not a supported picture"),
      ("3", "--choose 3: there are 2 pictures"),
      ("none.png", "none.png: "), (".", "."),
    ] {
      let outcome = try await run("--choose", word)
      #expect(outcome.status == 64 && outcome.errorText.contains(reason), "\(word): \(outcome)")
    }
    #expect(try await run("-o", "-").standardOutput == Self.png)
    // In the current folder, and instead of the one before.
    let other = Self.png + Data([0])
    try other.write(to: deadwax.home.appending("other.png"))
    #expect(try await run("--choose", "other.png").status == 0)
    #expect(try await run("-o", "-").standardOutput == other)
    _ = try await deadwax.must(["undo"])
    #expect(try await run("--forget").text.hasSuffix(": no longer chosen\n"))
    #expect(try await run("--forget").text.hasSuffix(": nothing was chosen\n"))
    #expect(try await run("-o", "-").standardOutput == Self.jpeg)
    _ = try await deadwax.must(["undo"])
    #expect(try await run("-o", "-").standardOutput == Self.png)
    let single = try await deadwax.run(["artwork", "filename:plain", "--choose", "1"])
    #expect(single.status == 64 && single.errorText.contains("is not on an album"), "\(single)")
  }

  @Test func `a wrong use`() async throws {
    for options in [
      ["--list", "-o", "x.jpg"], ["--list", "--index", "1"], ["--json", "-o", "x.jpg"],
      ["--choose", "1", "--forget"],
      ["--engraved", "--index", "1", "-o", "x.png"], ["--engraved", "--size", "10", "-o", "x.png"],
      ["--list", "--size", "100"], ["--forget", "--ground", "light"], ["--choose", "1", "--overwrite"],
    ] {
      #expect(try await deadwax.run(["artwork", "filename:lente"] + options).status == 64, "\(options)")
    }
    #expect(try !deadwax.home.names().contains("x.jpg"))
  }
}
