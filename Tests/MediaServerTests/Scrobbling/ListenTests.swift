import Base
import MediaModel
import Testing
@testable import LibraryTracks
@testable import MediaServer
@testable import MediaStore
@testable import Scrobbling

/// The documents are those of ListenBrainz's description of its submissions.
struct ListenTests {
  private static let mbid = "98255a8c-017a-4bc7-8dd6-1fa36124572b"

  private static func song(title: String? = "Tide", artist: String? = "Nora Vale") -> Song {
    Song(
      fileID: 1, key: "", recordingID: 1, title: title, fileName: "1.flac", path: "1.flac", artist: artist,
      album: "Shore", track: 3, durationInSeconds: 222.25, byteCount: 1, fileExtension: "flac", container: .flac,
      addedAt: 0, isrc: "GBAYE0601498", playCount: 0)
  }

  private static func tags(_ values: [String: [String]] = [:]) -> Tags {
    Tags(values.map { Tags.Property(name: $0.key, values: $0.value) })
  }

  private static func listen(
    _ song: Song = song(), _ tags: Tags = tags(), startedAt: Int64? = 1_443_521_965, player: String? = "Symfonium"
  ) -> Listen? {
    Listen(of: song, tags: tags, startedAt: startedAt, player: player, version: "9.8")
  }

  @Test func `what is known of a song is said, and nothing else`() throws {
    let tags = Self.tags([
      "ARTIST": ["Nora Vale"], "MUSICBRAINZ_TRACKID": [Self.mbid], "MUSICBRAINZ_ALBUMID": ["none"],
      "MUSICBRAINZ_ARTISTID": ["db92a151-1ac2-438b-bc43-b82e149ddd50", ""],
    ])
    let listen = try #require(Self.listen(Self.song(), tags))
    #expect(
      listen.document.text == """
        {"listened_at":1443521965,"track_metadata":{"artist_name":"Nora Vale","track_name":"Tide","release_name":"Shore",\
        "additional_info":{"submission_client":"Deadwax","submission_client_version":"9.8","media_player":"Symfonium",\
        "duration_ms":222250,"recording_mbid":"\(Self.mbid)",\
        "artist_mbids":["db92a151-1ac2-438b-bc43-b82e149ddd50"],"tracknumber":3,"isrc":"GBAYE0601498"}}}
        """)
  }

  @Test func `what is heard now has no time`() throws {
    let listen = try #require(Self.listen(startedAt: nil, player: nil))
    #expect(listen.document["listened_at"] == nil)
    #expect(listen.document["track_metadata"]?["additional_info"]?["media_player"] == nil)
  }

  @Test func `several artists are one text`() throws {
    let listen = try #require(Self.listen(Self.song(artist: "A; B"), Self.tags(["ARTIST": ["A", "B"]])))
    #expect(listen.document["track_metadata"]?["artist_name"]?.string == "A, B")
  }

  @Test func `nothing is said of a song without a name or artist, of an impossible time, or of endless tags`() {
    #expect(Self.listen(Self.song(title: nil)) == nil && Self.listen(Self.song(title: "")) == nil)
    #expect(Self.listen(Self.song(artist: nil)) == nil)
    #expect(Self.listen(startedAt: 1_033_430_399) == nil && Self.listen(startedAt: 1_033_430_400) != nil)
    #expect(Self.listen(Self.song(title: String(repeating: "long ", count: 2_000))) == nil)
  }

  @Test(arguments: [
    ("98255a8c-017a-4bc7-8dd6-1fa36124572b", true), ("98255A8C-017A-4BC7-8DD6-1FA36124572B", true),
    ("98255a8c017a4bc78dd61fa36124572b", false), ("98255a8c-017a-4bc7-8dd6-1fa36124572", false),
    ("98255a8g-017a-4bc7-8dd6-1fa36124572b", false), ("", false), ("----", false),
  ])
  func `an id of MusicBrainz is told from other texts`(text: String, isID: Bool) {
    #expect(Listen.isMusicBrainzID(text) == isID)
  }
}
