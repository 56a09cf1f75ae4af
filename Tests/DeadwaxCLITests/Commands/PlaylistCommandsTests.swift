import Foundation
import Testing
import TestSupport

/// Lists that are saved as queries, read from playlists and written as such.
struct PlaylistCommandsTests {
  private static let playlistFormats = ["m3u8", "xspf", "jspf", "pls"]

  /// A library of the fixtures whose folder was moved, and half of its files renamed, after it got a playlist of each format.
  private static let moved = Task {
    let deadwax = try DeadwaxCommand.called()
    let music = deadwax.home.appending("music")
    try FileManager.default.copyItem(at: Corpora.fixtures.appending(path: "audio"), to: music)
    try await deadwax.must(["scan", "-q", music.path])
    for format in playlistFormats {
      try await deadwax.must(["export", "--what", "playlist", "-o", music.path + "/all.\(format)"])
    }
    let moved = deadwax.home.appending("elsewhere")
    try FileManager.default.moveItem(at: music, to: moved)
    let files = try #require(FileManager.default.enumerator(at: moved, includingPropertiesForKeys: [.isRegularFileKey]))
      .compactMap { $0 as? URL }.filter { try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true }
    for (number, file) in files.enumerated() where number.isMultiple(of: 2) && !file.lastPathComponent.hasPrefix("all.")
    {
      let name = "renamed \(number).\(file.pathExtension)"
      try FileManager.default.moveItem(at: file, to: file.deletingLastPathComponent().appending(path: name))
    }
    try await deadwax.must(["roots", "relocate", music.path, moved.path])
    try await deadwax.must(["scan", "-q", moved.path])
    return (deadwax, moved)
  }

  @Test(arguments: playlistFormats)
  func `every entry of a playlist is found after the folder was moved and half the files renamed`(
    format: String
  ) async throws {
    let (scanned, moved) = try await Self.moved.value
    let deadwax = try scanned.copy()
    let outcome = try await deadwax.run(["list", "import", moved.path + "/all.\(format)", "--name", "all", "--strict"])
    #expect(outcome.status == 0 && outcome.text.contains("25 of 25 entries found"), "\(outcome)")
    let lists = try await deadwax.run(["list", "ls", "--jsonl"]).lines(ListsDocument.Item.self)
    #expect(lists == [.init(name: "all", query: nil, files: 25)])
  }

  @Test func `a list is replaced on request only`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called
    #expect(try await deadwax.run(["list", "save", "mine", "title:x"]).status == 0)
    let second = try await deadwax.run(["list", "save", "Mine", "ext:mp3"])
    #expect(second.status == 64 && second.errorText.contains("--replace"), "\(second)")
    #expect(try await deadwax.run(["list", "ls"]).text.contains("title:x"))
    #expect(try await deadwax.run(["list", "save", "Mine", "ext:mp3", "--replace"]).status == 0)
    #expect(try await deadwax.run(["list", "ls"]).text.contains("ext:mp3"))
  }

  @Test(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
  func `a list that cannot be asked is shown, and keeps no other from being exported`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called
    try #require(try await deadwax.run(["list", "save", "Mine", "ext:mp3"]).status == 0)
    try Tool.run("sqlite3", deadwax.library.path, "UPDATE list SET query = 'codxc:x'")
    #expect(try await deadwax.run(["list", "save", "other", "ext:mp3"]).status == 0)
    let listed = try await deadwax.run(["list", "ls"])
    #expect(
      listed.status == 0 && listed.text.contains("other") && listed.errorText.contains("list Mine: "), "\(listed)")
    let exported = try await deadwax.run(["export", "--what", "library", "-o", "all"])
    #expect(exported.status == 1 && exported.errorText.contains("list Mine: "), "\(exported)")
    #expect(FileManager.default.fileExists(atPath: deadwax.home.appending("all/other.xspf").path))
  }

  @Test func `a playlist of which nothing is found replaces no list`() async throws {
    let scanned = try await ScannedMusic.of("damaged/clean.mp3")
    let (deadwax, music) = (try await scanned.library().called, scanned.music)
    let playlist = deadwax.home.appending("mine.m3u8")
    for (text, status) in [(music.path + "/clean.mp3\n", Int32(0)), ("/nowhere/else.mp3\n", 1), ("", 1)] {
      try Data(text.utf8).write(to: playlist)
      let outcome = try await deadwax.run(["list", "import", playlist.path, "--replace"])
      #expect(outcome.status == status, "\(outcome)")
      let lists = try await deadwax.run(["list", "ls", "--jsonl"]).lines(ListsDocument.Item.self)
      #expect(lists == [.init(name: "mine", query: nil, files: 1)])
    }
  }

  @Test(arguments: [[], ["--json"], ["--quiet"]])
  func `an entry of a playlist that is not found has a status of its own under --strict`(
    options: [String]
  ) async throws {
    let scanned = try await ScannedMusic.of("damaged/clean.mp3")
    let (deadwax, music) = (try await scanned.library().called, scanned.music)
    let playlist = deadwax.home.appending("mine.m3u8")
    try Data("\(music.path)/clean.mp3\n/nowhere/else.mp3\n".utf8).write(to: playlist)
    for (strict, status) in [([], Int32(0)), (["--strict"], 3)] {
      let outcome = try await deadwax.run(["list", "import", playlist.path, "--replace"] + options + strict)
      #expect(outcome.status == status, "\(outcome)")
      let isNamed = options == ["--json"] ? outcome.text.contains("not_found") : outcome.errorText.contains("else.mp3")
      #expect(isNamed, "\(outcome)")
      let lists = try await deadwax.run(["list", "ls", "--jsonl"]).lines(ListsDocument.Item.self)
      #expect(lists == [.init(name: "mine", query: nil, files: 1)])
    }
  }

  @Test func `entries of a list without a present file are counted when it is written`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try MusicFolder()
    for (index, name) in ["a.wav", "b.wav", "c.wav"].enumerated() {
      try music.addSilence(seconds: index + 1, as: name)
    }
    try await deadwax.must(["scan", "-q", music.path])
    try await deadwax.must(["list", "create", "mine", "path+"])
    try music.remove("a.wav")
    try await deadwax.must(["scan", "-q", "--accept-missing", music.path])
    for arguments in [[], ["prune", "--yes"]] {
      if !arguments.isEmpty { try await deadwax.must(arguments) }
      let outcome = try await deadwax.must(["list", "export", "mine", "--format", "m3u"])
      #expect(outcome.text.split(separator: "\n").count { $0.hasPrefix("/") } == 2, "\(outcome)")
      #expect(outcome.errorText == "deadwax: 1 missing file left out\n", "\(outcome)")
      #expect(try await deadwax.must(["list", "export", "mine", "-q"]).errorText.isEmpty)
    }
  }

  @Test func `a saved query runs again each time, and is written as a playlist`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let music = try deadwax.home.makeFolder("music")
    let lacquer = "Lathe & Lantern/Run-out Groove/02 Lacquer.mp3"
    try FileManager.default.copyItem(
      at: Corpora.fixtures.appending(path: "audio/\(lacquer)"), to: music.appending(path: "1.mp3"))
    #expect(try await deadwax.run(["scan", "-q", music.path]).status == 0)
    #expect(try await deadwax.run(["list", "save", "mine", "artist:lathe"]).text == "mine: 1 file now\n")
    try FileManager.default.copyItem(
      at: Corpora.fixtures.appending(path: "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3"),
      to: music.appending(path: "2.mp3"))
    #expect(try await deadwax.run(["scan", "-q", music.path]).status == 0)
    let text = try await deadwax.run(["list", "export", "mine"]).text
    #expect(
      text.hasPrefix("#EXTM3U\n#PLAYLIST:mine\n") && text.contains("/music/1.mp3\n") && text.contains("/music/2.mp3\n"))
    try FileManager.default.removeItem(at: music.appending(path: "2.mp3"))
    #expect(try await deadwax.run(["scan", "-q", music.path]).status == 0)
    for (words, saying) in [([], "deadwax: 1 missing file left out\n"), (["-q"], "")] {
      let playlist = try await deadwax.run(["list", "export", "mine"] + words)
      #expect(playlist.errorText == saying && !playlist.text.contains("/music/2.mp3"), "\(playlist)")
    }
    #expect(try await deadwax.run(["list", "export", "nothing"]).status == 64)
    #expect(try await deadwax.run(["list", "delete", "mine"]).status == 0)
    #expect(try await deadwax.run(["list", "ls", "--json"]).document(ListsDocument.self).lists.isEmpty)
  }
}
