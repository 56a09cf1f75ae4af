import Base
import Foundation
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

  /// All cases of docs/albums.md as one collection, each in a folder of its own.
  private static func messyLibrary() throws -> ServedLibrary {
    let data = try Data(contentsOf: Corpora.fixtures.appending(path: "albums/cases.json"))
    let cases = try JSONDecoder().decode([String: [Case]].self, from: data).sorted { $0.key < $1.key }.flatMap(\.value)
    return try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      var records: [FileChange] = []
      for (number, example) in cases.enumerated() {
        for file in example.files {
          let tags = Tags((file.tags ?? [:]).map { Tags.Property(name: $0.key, values: $0.value.texts) })
          let isDecoded = file.state == nil
          let format = MediaFormat(
            container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
            bitRateInBitsPerSecond: 800_000, declaredFrameCount: 441_000, decodedFrameCount: 441_000)
          let hash = ContentHash(high: 7, low: UInt64(records.count + 1))
          records.append(
            .extracted(
              FileRecord(
                rootID: root.id, path: BytePath("\(number)/\(file.path)"),
                status: FileStatus(
                  byteCount: 1_000, modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1,
                  inode: UInt64(records.count + 1),
                  device: 1),
                extraction: Extraction(
                  state: isDecoded ? .ok : .empty, format: isDecoded ? format : nil,
                  stream: isDecoded ? StreamIdentity(hash: hash, byteCount: 1_000) : nil,
                  decoded: isDecoded ? DecodedStream() : nil,
                  tags: tags),
                extractorVersion: 3)))
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
    #expect(Set(known.map { NameKey.key($0["name"] as? String ?? "") }) == Set(artists.map(NameKey.key)))
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
}
