import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import Testing
@testable import MediaServer
@testable import OpenSubsonic
import TestSupport

/// Who did what for a song, its work and its sort names, as players see them and as the page does.
struct CreditsTests {
  private static let tags: [[String: [String]]] = [
    [
      "TITLE": ["Adagio"], "ARTIST": ["Nora Vale", "Bo"], "ARTISTSORT": ["Vale, Nora", "Bo"], "ALBUM": ["Tides"],
      "ALBUMARTIST": ["Nora Vale"], "ALBUMARTISTSORT": ["Vale, Nora"], "COMPOSER": ["Clara Schumann", "Bo"],
      "CONDUCTOR": ["Carl C"],
      "PERFORMER": ["Nora Vale (violin)"], "DJMIXER": ["Jo J"], "WORK": ["Symphony No. 3"],
      "MUSICBRAINZ_WORKID": ["b1a9c0e9-d987-4042-ae91-78d6a3267d69"], "MOVEMENTNAME": ["Adagio"],
      "MOVEMENTNUMBER": ["2/4"], "TITLESORT": ["Adagio 2"], "ALBUMSORT": ["Tides, The"],
    ],
    ["TITLE": ["Sun"], "ARTIST": ["Sol"], "ALBUM": ["Sun"], "ALBUMARTIST": ["Sol", "Bo"], "COMPOSER": ["Carl C"]],
    ["TITLE": ["Moon"], "ARTIST": ["Zed"], "ALBUM": ["Moon"]],
  ]

  private let library: ServedLibrary

  init() throws {
    library = try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      for (number, tags) in Self.tags.enumerated() {
        let format = MediaFormat(
          container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
          declaredFrameCount: 441_000, decodedFrameCount: 441_000)
        try store.scans.apply([
          .extracted(
            FileRecord(
              rootID: root.id, path: BytePath("\(number).flac"),
              status: FileStatus(
                byteCount: 1_000, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1,
                inode: UInt64(number + 1), device: 1),
              extraction: Extraction(
                state: .ok, format: format,
                stream: StreamIdentity(hash: ContentHash(high: 1, low: UInt64(number)), byteCount: 1),
                decoded: DecodedStream(), tags: Tags(tags.map { Tags.Property(name: $0.key, values: $0.value) })),
              extractorVersion: 3))
        ])
      }
      let scan = try store.scans.begin()
      try store.scans.finish(ScanSummary(), of: scan)
      withExtendedLifetime(scan) {}
    }
  }

  private func song(_ title: String) async throws -> [String: Any] {
    let found = try await library.call("search3", ["query": title]).subsonic["searchResult3"] as? [String: Any]
    return try #require((found?["song"] as? [[String: Any]])?.first)
  }

  private func artist(_ id: String) async throws -> [String: Any] {
    try #require(try await library.call("getArtist", ["id": id]).subsonic["artist"] as? [String: Any])
  }

  private func names(_ objects: Any?) -> [String] {
    (objects as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
  }

  @Test func `a song names everybody with a role, its work and its movement`() async throws {
    let song = try await song("Adagio")
    let contributors = try #require(song["contributors"] as? [[String: Any]])
    let told = contributors.map { contributor in
      let artist = contributor["artist"] as? [String: Any]
      return [contributor["role"], contributor["subRole"], artist?["name"]].map { $0 as? String ?? "-" }
        .joined(separator: " ")
    }
    #expect(
      told == [
        "composer - Clara Schumann", "composer - Bo", "conductor - Carl C", "performer violin Nora Vale",
        "djmixer - Jo J",
      ])
    #expect(song["displayComposer"] as? String == "Clara Schumann, Bo" && song["sortName"] as? String == "Adagio 2")
    #expect(names(song["artists"]) == ["Nora Vale", "Bo"] && names(song["albumArtists"]) == ["Nora Vale"])
    let work = try #require((song["works"] as? [[String: Any]])?.first)
    #expect(work["name"] as? String == "Symphony No. 3")
    #expect(work["musicBrainzId"] as? String == "b1a9c0e9-d987-4042-ae91-78d6a3267d69")
    let movement = try #require((song["movements"] as? [[String: Any]])?.first)
    #expect(movement["name"] as? String == "Adagio")
    #expect(movement["number"] as? Int == 2 && movement["count"] as? Int == 4)
  }

  @Test func `a song without roles says nothing about them`() async throws {
    let song = try await song("Moon")
    for name in ["contributors", "works", "movements", "displayComposer", "sortName"] { #expect(song[name] == nil) }
  }

  @Test func `several album artists are listed, each for itself`() async throws {
    let song = try await song("Sun")
    #expect(names(song["albumArtists"]) == ["Sol", "Bo"] && song["displayAlbumArtist"] as? String == "Sol, Bo")
  }

  @Test func `every contributor has an id, and leads to albums`() async throws {
    let contributors = try #require(try await song("Adagio")["contributors"] as? [[String: Any]])
    var albums: [String: [String]] = [:]
    for contributor in contributors {
      let reference = try #require(contributor["artist"] as? [String: Any])
      let (id, name) = (try #require(reference["id"] as? String), try #require(reference["name"] as? String))
      let artist = try await artist(id)
      #expect(artist["id"] as? String == id && artist["name"] as? String == name)
      albums[name] = names(artist["album"])
      #expect(try await library.call("getArtistInfo2", ["id": id]).subsonicCode == nil)
    }
    #expect(
      albums == [
        "Clara Schumann": ["Tides"], "Bo": ["Sun", "Tides"], "Carl C": ["Sun", "Tides"], "Nora Vale": ["Tides"],
        "Jo J": ["Tides"],
      ])
  }

  @Test(arguments: ["pe-", "pe-!!!", "pe-Tm9ib2R5", "pe-\u{FF}"]) func `an id of nobody leads to nothing`(_ id: String)
    async throws
  {
    #expect(try await library.call("getArtist", ["id": id]).subsonicCode == 70)
  }

  @Test(arguments: ["Nora", "夜", "a?~/+=", "é"]) func `the id of a person has the name in it`(name: String) {
    let id = PersonID.id(of: name)
    #expect(PersonID.name(id) == name && id.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"+/=&?".utf8.contains($0) })
  }

  @Test func `artists and albums are in the order of their sort names`() async throws {
    let answer = try await library.call("getArtists").subsonic["artists"] as? [String: Any]
    let letters = (answer?["index"] as? [[String: Any]] ?? []).map { letter in
      "\(letter["name"] ?? ""): \(names(letter["artist"]).joined(separator: ", "))"
    }
    #expect(letters == ["B: Bo", "S: Sol", "V: Nora Vale", "Z: Zed"])
    let found = try await library.call("search3", ["query": "Nora"]).subsonic["searchResult3"] as? [String: Any]
    #expect((found?["artist"] as? [[String: Any]])?.first?["sortName"] as? String == "Vale, Nora")
    let albums = try await library.call("getAlbumList2", ["type": "alphabeticalByName"]).subsonic["albumList2"]
    let sortNames = ((albums as? [String: Any])?["album"] as? [[String: Any]] ?? []).map { $0["sortName"] as? String }
    #expect(sortNames == ["moon", "sun", "Tides, The"])
  }

  @Test func `the page has the same in words, with queries, and groups of composers and works`() async throws {
    let id = try library.track("Adagio")
    let detail = try await library.ask("/api/v1/tracks/\(id)").document
    let roles = try #require(detail["roles"] as? [[String: Any]])
    #expect(roles.map { $0["role"] as? String } == ["composer", "composer", "conductor", "performer", "djmixer"])
    for role in roles { #expect(try library.track(try #require(role["query"] as? String)) == id) }
    #expect(roles[3]["instrument"] as? String == "violin")
    #expect(names(detail["works"]) == ["Symphony No. 3"])
    #expect((detail["movement"] as? [String: Any])?["count"] as? Int == 4)
    func rows(_ path: String) async throws -> [String] {
      names(try await library.ask("/api/v1/\(path)").document["rows"])
    }
    #expect(try await rows("composers") == ["Bo", "Carl C", "Clara Schumann"])
    #expect(try await rows("works") == ["Symphony No. 3"])
    let artists = try await library.ask("/api/v1/artists").document["rows"] as? [[String: Any]]
    #expect(artists?.map { $0["sort_name"] as? String } == [nil, nil, "Vale, Nora", nil])
    #expect(names(artists) == ["Bo", "Sol", "Nora Vale", "Zed"])
    for row in artists ?? [] {
      let query = try #require((row["query"] as? String)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      #expect(
        try await library.ask("/api/v1/tracks/count?q=\(query)").document["files"] as? Int == row["files"] as? Int)
    }
  }
}
