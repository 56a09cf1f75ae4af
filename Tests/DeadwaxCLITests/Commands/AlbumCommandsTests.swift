import Foundation
import TestSupport
import Testing

/// `albums` and `artists` as users type them.
struct AlbumCommandsTests {
  private struct Album: Decodable {
    var id: Int
    var title: String?
    var artist: String?
    var tracks: Int
    var files: Int
    var editions: Int
    var loudness_lufs: Double?
    var query: String
  }

  private let deadwax: DeadwaxCommand

  init() async throws {
    let scanned = try await ScannedMusic.named("two albums, one of them twice") { music in
      let echoes = "audio/Émilie Søndergård/Les Échos"
      try music.add(fixture: "\(echoes)/01 Marée lente.flac", as: "echos/1.flac")
      try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "echos/2.flac")
      try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "copy/2.flac")
      try music.add(fixture: "audio/Public Address/Announcements/01 Test Pressing.mp3", as: "pa/1.mp3")
    }
    deadwax = try await scanned.library().called
  }

  private func albums(_ arguments: String...) async throws -> [Album] {
    try await deadwax.must(["albums", "--jsonl"] + arguments).lines(Album.self)
  }

  @Test func `albums have their tracks, editions and loudness, and their queries find their files`() async throws {
    let all = try await albums()
    #expect(all.map(\.title) == ["Les Échos", "Announcements"])
    #expect(all.map(\.tracks) == [2, 1] && all.map(\.files) == [3, 1] && all.map(\.editions) == [2, 1])
    #expect(all.allSatisfy { $0.loudness_lufs != nil })
    for album in all {
      let found = try await deadwax.must(["ls", album.query, "--format", "paths"]).text.split(separator: "\n")
      #expect(found.count == album.files)
    }
    #expect(try await albums("codec:flac").map(\.title) == ["Les Échos"])
    #expect(try await albums("--sort", "album").map(\.title) == ["Announcements", "Les Échos"])
    #expect(try await albums("--sort", "year").map(\.title) == albums("--sort", "year-").map(\.title).reversed())
    #expect(try await albums("--limit", "1").count == 1)
    let table = try await deadwax.must(["albums"]).text
    #expect(table.contains("Les Échos") && table.contains("WHAT IS WRONG"))
  }

  @Test func `incomplete albums are listed with what is missing`() async throws {
    // The folder of the fixtures has five tracks of it.
    let incomplete = try await deadwax.must(["albums", "--incomplete"]).text
    #expect(incomplete.contains("tracks 3–5 missing"), "\(incomplete)")
  }

  @Test func `artists are those of albums`() async throws {
    #expect(
      try await deadwax.must(["artists"]).text.split(separator: "\n").map {
        $0.split(separator: " ").prefix(2).joined(separator: " ")
      }
        == ["ARTIST ALBUMS", "Émilie Søndergård", "Public Address"])
    #expect(try await deadwax.must(["artists", "--jsonl", "codec:flac"]).text.split(separator: "\n").count == 1)
  }

  @Test func `albums are joined and split by hand`() async throws {
    let planned = try await deadwax.must(["albums", "--join", "--dry-run", "--", "-path:copy"]).text
    #expect(planned.contains("Les Échos: 2 of 3 files\n") && planned.split(separator: "\n").count == 2, "\(planned)")
    for options in [["--join", "path:pa/"], ["--split", "state:ok"], ["--join", "title:nothing"]] {
      #expect(try await deadwax.run(["albums", "--dry-run"] + options).status == 64, "\(options)")
    }
    #expect(try await albums().count == 2)
    let joined = try await deadwax.must(["albums", "--join", "state:ok"])
    #expect(joined.text.hasPrefix("now one album: ") && joined.text.contains("4 files"), "\(joined)")
    #expect(try await albums().map(\.title) == ["Les Échos"])
    #expect(try await deadwax.must(["undo"]).text.hasPrefix("undone: join 2 albums"))
    #expect(try await albums().count == 2)
    let split = try await deadwax.must(["albums", "--split", "path:copy"]).text
    #expect(split.hasPrefix("1 album split off: ") && split.hasSuffix(" 2 files\n"), "\(split)")
    #expect(try await albums().count == 3)
    let forgotten = try await deadwax.must(["albums", "--forget", "album:échos"]).text
    #expect(
      forgotten.hasPrefix("2 choices forgotten, 2 files went to another album: by their tags the files are on "),
      "\(forgotten)")
    #expect(try await albums().count == 2)
    for arguments in [
      ["albums", "--join"], ["albums", "--dry-run"], ["albums", "--join", "--split", "x"],
      ["albums", "--join", "path:pa/"],
      ["albums", "--split", "album:échos"],
      ["albums", "--sort", "size"], ["albums", "--sort", "title"], ["albums", "--limit", "-1"],
    ] {
      #expect(try await deadwax.run(arguments).status == 64, "\(arguments)")
    }
  }

  @Test func `what separates artists is said once for the library, and undo takes it back`() async throws {
    func told() async throws -> String { try await deadwax.must(["artists", "--separators"]).text }
    let nothing = try await told()
    #expect(nothing.hasPrefix("each tag value is one artist"))
    let chosen = try await deadwax.must(["artists", "--separator", ";", "--separator", " feat. "]).text
    #expect(try await told() == chosen && chosen == "artists are separated by ';' ' feat. '\n")
    #expect(try await deadwax.must(["artists", "--separators", "--json"]).text.contains("\" feat. \""))
    #expect(try await deadwax.must(["artists", "--separator", ""]).text == nothing)
    #expect(try await deadwax.must(["undo"]).text.hasPrefix("undone: separate artists by nothing"))
    #expect(try await told() == chosen)
    #expect(try await deadwax.must(["undo"]).text.hasPrefix("undone: separate artists by ';'"))
    #expect(try await told() == nothing)
    for arguments in [["--separator", "and"], ["--separators", "x"], ["--separator", ";", "--separators"]] {
      #expect(try await deadwax.run(["artists"] + arguments).status == 64, "\(arguments)")
    }
  }
}
