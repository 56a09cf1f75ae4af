import Foundation
import TestSupport
import Testing

@testable import LibraryServing
@testable import OpenSubsonic

/// What is sent of a song, and what the song says of it.
struct SentSongTests {
  private let library: ServedLibrary
  private let deadwax: DeadwaxCommand

  init() async throws {
    library = try await ServedLibrary(of: .fixtures)
    deadwax = try library.command()
  }

  private func account(_ hearing: AccountHearing, _ gain: ReplayGain) throws -> Account {
    try library.accounts.change {
      try $0.add(
        user: "\(hearing)-\(gain)", purpose: "test", right: .rate, hearing: hearing, gain: gain, isOwner: false)
    }
  }

  private func song(_ title: String, by account: Account? = nil) async throws -> [String: Any] {
    let found = try await library.call("search3", ["query": title], by: account).subsonic["searchResult3"]
    let songs = (found as? [String: Any])?["song"] as? [[String: Any]]
    let song = try #require(songs?.first)
    let id = try #require(song["id"] as? String)
    // Both ways to a song say the same.
    let shown = try await library.call("getSong", ["id": id], by: account).subsonic["song"] as? [String: Any]
    #expect(NSDictionary(dictionary: try #require(shown)) == NSDictionary(dictionary: song))
    return song
  }

  @Test(arguments: [
    ("codec:aac container:mp4", ["aac", "m4a", "AAC", "mp4"], true),
    ("codec:aac container:mp4", ["mp3", "xyz"], false),
    ("codec:mp3", ["mp3", "aac", "m4a", "xyz"], true), ("codec:mp3", ["ogg", "opus", "flac"], false),
    ("codec:flac container:flac", ["flac"], true), ("codec:flac container:flac", ["aac", "mp3"], false),
  ])
  func `a file that is in the wanted format is not encoded again`(
    query: String, formats: [String], isSame: Bool
  ) async throws {
    let listed = try await deadwax.must(["ls", query, "--fields", "title", "--format", "tsv", "--limit", "1"]).text
    let title = String(try #require(listed.split(separator: "\n").dropFirst().first))
    let id = try #require(try await song(title)["id"] as? String)
    let file = try await library.call("download", ["id": id]).body
    for format in formats {
      let answer = try await library.call("stream", ["id": id, "format": format])
      #expect(answer.status == 200 && (answer.body == file) == isSame, "\(format): \(answer.headers)")
    }
  }

  @Test(
    .enabled(if: Tool.exist("ffprobe"), "ffprobe is not installed"),
    arguments: [
      "format=mp3", "maxBitRate=64", "format=mp3&maxBitRate=320", "format=aac", "maxBitRate=1", "format=opus",
      "format=ogg&maxBitRate=96", "format=flac&timeOffset=1",
    ],
    ["Six haut-parleurs", "Lacquer", "Test Pressing", "Sillon de sortie", "String"])
  func `whatever the recording has, a stream is sound`(query: String, title: String) async throws {
    let song = try await song(title)
    let id = try #require(song["id"] as? String)
    let fields = query.split(separator: "&").map { field in
      let sides = field.split(separator: "=").map(String.init)
      return (name: sides[0], value: Optional(sides[1]))
    }
    let answer = try await library.call("stream", [("id", id)] + fields)
    #expect(answer.headers["content-type"]?.hasPrefix("audio/") == true, "\(answer.text.prefix(300))")
    let file = deadwax.home.appending("streamed")
    try answer.body.write(to: file)
    let text = try Tool.run(
      "ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=channels:format=duration", "-of", "json",
      file.path)
    let probed = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let channels = ((probed["streams"] as? [[String: Any]])?.first?["channels"] as? Int) ?? 0
    let isMP3 = answer.headers["content-type"] == "audio/mpeg"
    #expect(channels > 0 && (!isMP3 || channels <= 2))
    // An MP3 says how long it is, although it is made while it is sent.
    let duration = ((probed["format"] as? [String: Any])?["duration"] as? String).flatMap(Double.init)
    let expected = try #require(song["duration"] as? Int) - (query.contains("timeOffset") ? 1 : 0)
    if isMP3 { #expect(abs(try #require(duration) - Double(expected)) < 0.6) }
  }

  @Test func `a song through a preset says in which form it comes, and how long it is`() async throws {
    let listener = try account(.presets, .off)
    let plain = try await song("Lead-in", by: listener)
    #expect(plain["transcodedSuffix"] == nil && plain["transcodedContentType"] == nil)
    try await deadwax.must(["preset", "create", "Fast", "--rate", "1.5"])
    try await deadwax.must(["preset", "assign", "Fast", "title:Lead-in", "-q"])
    let sent = try await song("Lead-in", by: listener)
    #expect(sent["transcodedSuffix"] as? String == "flac")
    #expect(sent["transcodedContentType"] as? String == "audio/flac")
    #expect(sent["suffix"] as? String == plain["suffix"] as? String)
    let seconds = try #require(plain["duration"] as? Int)
    let faster = try #require(sent["duration"] as? Int)
    #expect(abs(Double(faster) - Double(seconds) / 1.5) <= 1)
    // A place in it is one of what is heard, and so is what counts as heard.
    let id = try #require(sent["id"] as? String)
    let rest = try await library.call("stream", ["id": id, "timeOffset": "\(faster - 1)"], by: listener)
    #expect(rest.headers["content-type"] == "audio/flac" && rest.body.count > 1000)
    _ = try await library.call(
      "reportPlayback",
      ["mediaId": id, "mediaType": "song", "positionMs": "\(faster * 1000 - 500)", "state": "stopped"], by: listener)
    #expect(try await song("Lead-in", by: listener)["playCount"] as? Int == 1)
    // What a player takes for the end is no error.
    let end = try await library.call("stream", ["id": id, "timeOffset": "\(faster)"], by: listener)
    #expect(end.status == 200 && end.headers["content-type"] == "audio/flac", "\(end.text.prefix(200))")
    let beyond = try await library.call("stream", ["id": id, "timeOffset": "\(faster + 2)"], by: listener)
    #expect(beyond.subsonicCode == 0)
    // Other songs, and others who hear files as they are, are not concerned.
    let raw = try account(.raw, .off)
    // Sums are those of what is heard.
    let ids = [(name: "songId", value: Optional(id)), (name: "songId", value: id)]
    for (account, own) in [(listener, faster), (raw, seconds)] {
      let made = try await library.call("createPlaylist", ids + [("name", "Twice")], by: account).subsonic
      let playlist = try #require(made["playlist"] as? [String: Any])
      #expect(abs(try #require(playlist["duration"] as? Int) - 2 * own) <= 1)
      let album = try await library.call("getAlbum", ["id": try #require(sent["albumId"] as? String)], by: account)
      let found = try #require(album.subsonic["album"] as? [String: Any])
      let songs = (found["song"] as? [[String: Any]] ?? []).compactMap { $0["duration"] as? Int }
      #expect(abs(try #require(found["duration"] as? Int) - songs.reduce(0, +)) <= songs.count)
      #expect(songs.contains(own))
      let title = try #require(found["name"] as? String)
      let result = try await library.call("search3", ["query": title, "songCount": "0"], by: account).subsonic
      let listed = (result["searchResult3"] as? [String: Any])?["album"] as? [[String: Any]] ?? []
      let same = try #require(listed.first { $0["id"] as? String == found["id"] as? String })
      #expect(same["duration"] as? Int == found["duration"] as? Int)
    }
    #expect(try await song("Lead-in", by: raw)["transcodedSuffix"] == nil)
    #expect(try await song("Lacquer", by: listener)["transcodedSuffix"] == nil)
    try await deadwax.must(["preset", "off", "title:Lead-in", "-q"])
    #expect(try await song("Lead-in", by: listener)["transcodedSuffix"] == nil)
  }

  @Test func `a song that is levelled is not levelled again`() async throws {
    let (plain, levelled) = (try account(.raw, .off), try account(.raw, .track))
    func gain(_ song: [String: Any]) -> Double? { (song["replayGain"] as? [String: Any])?["trackGain"] as? Double }
    let (before, after) = (try await song("Lead-in", by: plain), try await song("Lead-in", by: levelled))
    #expect(try #require(gain(before)) != 0 && gain(after) == 0)
    #expect(before["transcodedSuffix"] == nil && after["transcodedSuffix"] as? String == "flac")
  }
}
