import Base
import Foundation
import LibraryQueries
import LibraryScanning
import LibraryServing
import LibraryTracks
import MediaModel
import TestSupport
import Testing
@testable import MediaServer

/// Page, players and store have the same albums and artists.
struct SameAlbumsTests {
  private struct Case: Decodable {
    struct File: Decodable {
      var path: String
      var tags: [String: Texts]?
      var state: String?
    }
    struct Texts: Decodable {
      var texts: [String]

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        texts = try (try? container.decode([String].self)) ?? [container.decode(String.self)]
      }
    }
    var files: [File]
  }

  private static func record(
    _ number: Int, _ path: String, _ tags: [String: [String]], root: Int64, isDecoded: Bool = true
  ) -> FileChange {
    let format = MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      bitRateInBitsPerSecond: 800_000, declaredFrameCount: 441_000, decodedFrameCount: 441_000)
    let hash = ContentHash(high: 7, low: UInt64(number))
    return .extracted(
      FileRecord(
        rootID: root, path: BytePath(path),
        status: FileStatus(
          byteCount: 1_000, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1, inode: UInt64(number),
          device: 1),
        extraction: Extraction(
          state: isDecoded ? .ok : .empty, format: isDecoded ? format : nil,
          stream: isDecoded ? StreamIdentity(hash: hash, byteCount: 1_000) : nil,
          decoded: isDecoded ? DecodedStream() : nil,
          tags: Tags(tags.map { Tags.Property(name: $0.key, values: $0.value) })),
        extractorVersion: 3))
  }

  /// All cases of docs/albums.md as one collection, each in a folder of its own.
  private static func messyLibrary() throws -> ServedLibrary {
    let data = try Data(contentsOf: Corpora.fixtures.appending(path: "albums/cases.json"))
    let cases = try JSONDecoder().decode([String: [Case]].self, from: data).sorted { $0.key < $1.key }.flatMap(\.value)
    return try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      var records: [FileChange] = []
      for (number, example) in cases.enumerated() {
        for file in example.files {
          records.append(
            record(
              records.count + 1, "\(number)/\(file.path)", (file.tags ?? [:]).mapValues(\.texts), root: root.id,
              isDecoded: file.state == nil))
        }
      }
      #expect(records.count > 180)
      try store.scans.apply(records)
    }
  }

  @Test func `page, players and store have the same albums and artists`() async throws {
    let library = try Self.messyLibrary()
    func rows(_ target: String) async throws -> [[String: Any]] {
      let answer = try await library.ask(target)
      let rows = answer.document["rows"] as? [[String: Any]] ?? []
      #expect(answer.document["total"] as? Int == rows.count)
      return rows
    }
    func text(_ row: [String: Any], _ key: String, or unknown: String) -> String { row[key] as? String ?? unknown }
    let albums = try await rows("/api/v1/albums?limit=500")
    let onPage = albums.map {
      "\(text($0, "artist", or: "[Unknown Artist]")): \(text($0, "album", or: "[Unknown Album]")) \($0["files"] ?? 0) \($0["problems"] ?? 0)"
    }
    #expect(albums.count > 60)
    let list = try await library.call("getAlbumList2", ["type": "alphabeticalByName", "size": "500"])
    let played = (list.subsonic["albumList2"] as? [String: Any])?["album"] as? [[String: Any]] ?? []
    // Players have the songs of an album, each from one edition, not its files that could not be decoded.
    let ofPlayers = played.map { "\($0["artist"] ?? ""): \($0["name"] ?? "")" }
    let names = albums.map { row in
      "\(text(row, "artist", or: "[Unknown Artist]")): \(text(row, "album", or: "[Unknown Album]"))"
    }
    #expect(ofPlayers.sorted() == names.sorted(), "\(onPage)")
    let songCount = played.reduce(0) { $0 + ($1["songCount"] as? Int ?? 0) }
    let soundCount = albums.reduce(0) { $0 + ($1["files"] as? Int ?? 0) - ($1["problems"] as? Int ?? 0) }
    let copyCount = try library.server.library.reading { try $0.albums.originals().count }
    #expect(copyCount > 10 && songCount == soundCount - copyCount)

    let artists = try await rows("/api/v1/artists?limit=500").map { text($0, "name", or: "[Unknown Artist]") }
    let index = try await library.call("getArtists").subsonic["artists"] as? [String: Any]
    let letters = index?["index"] as? [[String: Any]] ?? []
    let known = letters.flatMap { $0["artist"] as? [[String: Any]] ?? [] }
    #expect(known.count == artists.count)
    #expect(Set(known.map { $0["name"] as? String ?? "" }) == Set(artists))
    var ownAlbums: Set<String> = []
    for artist in known {
      let id = try #require(artist["id"] as? String)
      let answer = try await library.call("getArtist", ["id": id]).subsonic["artist"] as? [String: Any]
      let listed = answer?["album"] as? [[String: Any]] ?? []
      #expect(artist["albumCount"] as? Int == listed.count && answer?["albumCount"] as? Int == listed.count)
      ownAlbums.formUnion(listed.filter { $0["artistId"] as? String == id }.compactMap { $0["id"] as? String })
    }
    #expect(ownAlbums.count == albums.count)

    // What a row of the page opens are the tracks of the album; what is opened for an artist are theirs. Files without sound are no
    // tracks, but problems.
    func trackCount(_ row: [String: Any]) async throws -> Int? {
      let query = try #require((row["query"] as? String)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      return try await library.ask("/api/v1/tracks/count?q=\(query)").document["files"] as? Int
    }
    var countByArtist: [String: Int] = [:]
    for row in albums {
      let count = (row["files"] as? Int ?? 0) - (row["problems"] as? Int ?? 0)
      #expect(try await trackCount(row) == count, "\(row)")
      countByArtist[NameKey.key(text(row, "artist", or: "")), default: 0] += count
    }
    for row in try await rows("/api/v1/artists?limit=500") {
      #expect(try await trackCount(row) == countByArtist[NameKey.key(text(row, "name", or: ""))], "\(row)")
    }
  }

  @Test func `page, players and groups have the same genres and artists, whatever their spellings`() async throws {
    let genres = [
      ["Rock"], ["Rock"], ["ROCK"], ["rock; Pop"], ["Pop", "Électro"], ["electro;pop"], ["Hip-Hop"], ["Hip Hop"], [],
    ]
    let artists = [
      "Ana’s Band", "Ana's Band", "ANA'S BAND", "Ana's Band", "Bo-Di", "Bo‐Di", "Émile", "Emile", "Simon & Bo",
    ]
    let library = try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      try store.scans.apply(
        zip(genres, artists).enumerated().map { number, tags in
          Self.record(
            number + 1, "\(number)/1.flac",
            ["GENRE": tags.0, "ARTIST": [tags.1], "ALBUM": ["Album \(number)"], "TITLE": ["Song"]], root: root.id)
        })
    }
    let rows = try await library.ask("/api/v1/genres?limit=500").document["rows"] as? [[String: Any]] ?? []
    let onPage = rows.map { "\($0["name"] ?? "") \($0["files"] ?? "")" }
    #expect(onPage == ["Électro 2", "Hip Hop 1", "Hip-Hop 1", "Pop 3", "Rock 4"])
    let answer = try await library.call("getGenres").subsonic["genres"] as? [String: Any]
    let played = answer?["genre"] as? [[String: Any]] ?? []
    #expect(Set(played.map { "\($0["value"] ?? "") \($0["songCount"] ?? "")" }) == Set(onPage))
    for row in rows {
      let query = try #require((row["query"] as? String)?.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
      let count = try await library.ask("/api/v1/tracks/count?q=\(query)").document["files"] as? Int
      #expect(count == row["files"] as? Int, "\(row)")
    }
    let names = try await library.ask("/api/v1/artists?limit=500").document["rows"] as? [[String: Any]] ?? []
    let index = try await library.call("getArtists").subsonic["artists"] as? [String: Any]
    let letters = index?["index"] as? [[String: Any]] ?? []
    let known = letters.flatMap { $0["artist"] as? [[String: Any]] ?? [] }
    #expect(
      names.map { "\($0["name"] ?? "") \($0["albums"] ?? "")" }.sorted() == [
        "Ana's Band 4", "Bo-Di 2", "Simon & Bo 1", "Émile 2",
      ])
    #expect(
      Set(known.map { "\($0["name"] ?? "") \($0["albumCount"] ?? "")" })
        == Set(names.map { "\($0["name"] ?? "") \($0["albums"] ?? "")" }))
  }

  @Test func `an album that became part of another one is that one for page and players`() async throws {
    var (former, album) = (Int64(0), Int64(0))
    var key = ""
    let library = try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      try store.scans.apply(
        (1...3).map { number in
          Self.record(
            number, "\(number)/1.flac", ["ARTIST": ["Ana"], "ALBUM": [number < 3 ? "Tides" : "Ebb"]], root: root.id)
        } + [Self.record(4, "1/2.flac", ["ALBUM": ["Tides"], "TRACKNUMBER": ["2"]], root: root.id, isDecoded: false)])
      let all = try store.albums.all()
      (former, album) = (all[0].id, all[1].id)
      key = all[0].key
      _ = try store.albums.join(albumsOfFiles: store.fileIDs(of: store.query("album+")))
    }
    let answer = try await library.ask("/api/v1/albums/\(former)")
    #expect(answer.document["album_id"] as? Int64 == album && answer.document["files"] as? Int == 4)
    #expect((answer.document["wrong"] as? [String: Any])?["unplayable"] as? Bool == true)
    let rows = try await library.ask("/api/v1/albums?q=album-id:\(former)").document["rows"] as? [[String: Any]]
    #expect(rows?.map { $0["album_id"] as? Int64 } == [album])
    let played = try await library.call("getAlbum", ["id": "al-\(key)"]).subsonic["album"] as? [String: Any]
    #expect(played?["name"] as? String == "Tides" && played?["songCount"] as? Int == 3)
  }
}
