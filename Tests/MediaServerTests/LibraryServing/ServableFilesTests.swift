import Foundation
import Glibc
import TestSupport
import Testing

/// Files that others put in the place of those of the library.
struct ServableFilesTests {
  // Faults: 125, 188, 207
  @Test func `a link that came later in the place of a file leads to nothing outside`() async throws {
    let (home, music) = (try TemporaryFolder(), try MusicFolder("audio/Lathe & Lantern"))
    let secret = home.appending("secret.txt")
    try Data("secret".utf8).write(to: secret)
    // What was a link to a sound when it was scanned is sent as before.
    let linked = home.appending("elsewhere.flac")
    try FileManager.default.copyItem(at: Corpora.fixtures.appending(path: "damaged/length-unknown.flac"), to: linked)
    try FileManager.default.createSymbolicLink(at: music.file("linked.flac"), withDestinationURL: linked)
    let library = try await ServedLibrary(of: ScannedMusic(music), options: ["--follow-links"])
    let link = try library.track("filename:=linked.flac")
    let other = try library.track("filename:=\"01 Lead-in.mp3\"")
    let file = music.file("Lathe & Lantern/Run-out Groove/01 Lead-in.mp3")
    func sent(_ id: Int64) async throws -> HTTPAnswer { try await library.ask("/api/v1/tracks/\(id)/file") }
    #expect(try await sent(link).body == Data(contentsOf: linked))
    let before = try await sent(other)
    #expect(before.status == 200)

    // Size and time are the file owner's to choose.
    let forged = home.appending("forged.flac")
    try (Data("secret".utf8) + Data(count: before.body.count - 6)).write(to: forged)
    try copyTimes(of: file.path, to: forged.path)
    for target in [secret, URL(filePath: "/etc/passwd"), linked, forged] {
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: target)
      let answer = try await sent(other)
      #expect(answer.status == 404 && !answer.body.starts(with: Data("secret".utf8)), "\(target)")
    }
    // The same through a link in the place of the folder.
    let folder = file.deletingLastPathComponent()
    let elsewhere = home.appending("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: forged, to: elsewhere.appending(path: file.lastPathComponent))
    let aside = home.appending("aside")
    try FileManager.default.moveItem(at: folder, to: aside)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try await sent(other).status == 404)
    let stem = file.deletingPathExtension().lastPathComponent
    try Data("[00:01]secret words".utf8).write(to: elsewhere.appending(path: "\(stem).lrc"))
    let found = try await library.call("search3", ["query": "", "songCount": "500"]).subsonic["searchResult3"]
    let songs = (found as? [String: Any])?["song"] as? [[String: Any]] ?? []
    let keys = songs.compactMap { $0["id"] as? String }
    #expect(!keys.isEmpty)
    for key in keys {
      let lyrics = try await library.call("getLyricsBySongId", ["id": key])
      #expect(lyrics.text.contains("lyricsList") && !lyrics.text.contains("secret words"))
    }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: aside, to: folder)
    // A file of the folder that holds something else is not the track.
    try FileManager.default.removeItem(at: file)
    try Data("secret".utf8).write(to: file)
    #expect(try await sent(other).status != 200)
    // A file that was written to since the scan is still one of the folder.
    try FileManager.default.removeItem(at: file)
    try (before.body + Data([0])).write(to: file)
    #expect(try await sent(other).body.count == before.body.count + 1)
  }

  // Faults: 188
  @Test(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
  func `a library may name any file, also one beside its folder, and gets none`() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    let library = try await ServedLibrary(of: ScannedMusic(music))
    let id = try library.track("filename:=clean.mp3")
    let target = "/api/v1/tracks/\(id)/file"
    #expect(try await library.ask(target).status == 200)
    // The very file that was scanned.
    let outside = music.url.deletingLastPathComponent().appending(path: "outside.mp3")
    try FileManager.default.moveItem(at: music.file("clean.mp3"), to: outside)
    try Tool.run(
      "sqlite3", library.folder.appending("library.sqlite").path,
      "UPDATE file SET path = CAST('../outside.mp3' AS BLOB) WHERE audio_id = \(id)")
    #expect(try await library.ask(target).status == 404)
    #expect(FileManager.default.fileExists(atPath: outside.path))
  }

  private func copyTimes(of path: String, to other: String) throws {
    var status = stat()
    try #require(stat(path, &status) == 0)
    let times = [status.st_atim, status.st_mtim]
    try #require(utimensat(AT_FDCWD, other, times, 0) == 0)
  }
}
