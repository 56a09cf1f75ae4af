import Base
import Foundation
import LibraryServing
import LibraryTracks
@testable import MediaServer
import MediaModel
import TestSupport
import Testing

/// Page and players show the same cover, which is the one that `artwork` writes.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct SameCoversTests {
  /// A PNG of one pixel, as bytes of a picture beside files.
  private static let picture =
    Data(
      base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==")
    ?? Data()

  private let library: ServedLibrary

  init() async throws {
    library = try await ServedLibrary(
      of: try await ScannedMusic.named("an album with a picture beside it, and one without") { music in
        try music.add(fixture: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", as: "Échos/01.flac")
        try music.write(Self.picture, to: "Échos/Cover.PNG")
        try music.add(fixture: "damaged/clean.mp3", as: "plain/clean.mp3")
      })
  }

  private func page(_ target: String) async throws -> (bytes: [UInt8], type: String?) {
    let answer = try await library.ask("/api/v1" + target)
    #expect(answer.status == 200, "\(target): \(answer.status)")
    #expect(answer.headers["etag"] != nil)
    return (Array(answer.body), answer.headers["content-type"])
  }

  private func player(_ id: String, size: String? = nil) async throws -> [UInt8] {
    let answer = try await library.call("getCoverArt", [("id", id), ("size", size)])
    #expect(answer.headers["content-type"]?.hasPrefix("image/") == true, "\(id)")
    return Array(answer.body)
  }

  /// The song of a title as players see it.
  private func song(_ title: String) async throws -> [String: Any] {
    let result = try await library.call("search3", ["query": title, "songCount": "5"]).subsonic["searchResult3"]
    return try #require(((result as? [String: Any])?["song"] as? [[String: Any]])?.first)
  }

  @Test func `a picture beside the files is the cover of the track and its album for everybody`() async throws {
    let track = try library.track("filename:01")
    let album = try #require(try library.server.library.reading { try $0.albums.id(ofRecording: track) })
    let song = try await song("lente")
    let cover = try #require(song["coverArt"] as? String)
    let ids = [cover, try #require(song["albumId"] as? String), try #require(song["id"] as? String)]
    let answer = try await library.call("getAlbum", ["id": ids[1]]).subsonic
    #expect((answer["album"] as? [String: Any])?["coverArt"] as? String == cover)
    for id in ids { #expect(try await player(id) == Array(Self.picture), "\(id)") }
    for target in ["/tracks/\(track)/cover", "/albums/\(album)/cover", "/albums/\(album)/cover?size=300"] {
      let shown = try await page(target)
      #expect(shown.bytes == Array(Self.picture) && shown.type == "image/png", "\(target)")
    }
  }

  @Test func `what has no picture has the same engraving for everybody`() async throws {
    let track = try library.track("filename:clean")
    let song = try await song("clean")
    let dark = try await page("/tracks/\(track)/cover?size=180")
    #expect(dark.type == "image/png")
    #expect(try await player(try #require(song["coverArt"] as? String), size: "180") == dark.bytes)
    #expect(try await page("/tracks/\(track)/cover?size=180").bytes == dark.bytes)
    let light = try await page("/tracks/\(track)/cover?size=180&ground=light")
    #expect(light.bytes != dark.bytes)
    // The width in IHDR: the next larger size that is made.
    #expect(Array(dark.bytes[16..<20]) == [0, 0, 0, 192])
  }

  @Test func `a picture that was changed since the scan is not shown as the old one`() async throws {
    let music = try MusicFolder()
    try music.add(fixture: "audio/Émilie Søndergård/Les Échos/01 Marée lente.flac", as: "Échos/01.flac")
    try music.write(Self.picture, to: "Échos/cover.png")
    let library = try await ServedLibrary(of: ScannedMusic(music))
    let track = try library.track("filename:01")
    #expect(try await library.ask("/api/v1/tracks/\(track)/cover").status == 200)
    try music.write(Self.picture + [0], to: "Échos/cover.png")
    #expect(try await library.ask("/api/v1/tracks/\(track)/cover").status == 404)
    try music.remove("Échos/cover.png")
    #expect(try await library.ask("/api/v1/tracks/\(track)/cover").status == 404)
  }
}
