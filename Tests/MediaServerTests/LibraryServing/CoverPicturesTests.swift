import Base
import Foundation
import LibraryScanning
import LibraryTracks
import MediaModel
import Testing
@testable import MediaServer
import TestSupport

/// Pictures by what they are, whatever their tags say.
struct CoverPicturesTests {
  /// What is in a tag, the type that the tag says, and the one with which it is sent; nil if it is not sent.
  private static let pictures: [(bytes: [UInt8], claimed: String, sent: String?)] = [
    (Array("hello world".utf8), "image/jpeg", nil),
    // JPEG 2000, JPEG XL, TIFF and SVG.
    ([0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A], "image/jpeg", nil),
    ([0xFF, 0x0A, 0x7F], "image/png", nil),
    ([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0], "image/png", nil),
    (Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8), "image/png", nil),
    (Array("<html><script>alert(1)</script>".utf8), "image/gif", nil),
    ([0xFF], "image/jpeg", nil),
    ([0xFF, 0xD8, 0xFF, 0xE0, 1], "image/png", "image/jpeg"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 2], "application/octet-stream", "image/png"),
    (Array("GIF89a".utf8), "image/jpg", "image/gif"),
    (Array("RIFF0000WEBP".utf8), "image/jpeg", "image/webp"),
    ([0, 0, 0, 28] + Array("ftypavif".utf8), "image/jpeg", "image/avif"),
    (Array("BM0000".utf8), "image/jpeg", "image/bmp"),
  ]

  @Test func `a picture is sent with the type that its bytes have, or not at all`() async throws {
    let library = try ServedLibrary { store in
      let root = try store.roots.add(BytePath("/music"), volume: "v1")
      for (number, picture) in Self.pictures.enumerated() {
        try store.scans.apply([.extracted(Self.record(number, picture.claimed, picture.bytes, in: root))])
      }
    }
    for (number, picture) in Self.pictures.enumerated() {
      let track = try library.track("title:=\(number)")
      let result = try await library.call("search3", ["query": "\(number)", "songCount": "500"]).subsonic
      let found = result["searchResult3"]
      let songs = (found as? [String: Any])?["song"] as? [[String: Any]] ?? []
      let song = try #require(songs.first { $0["title"] as? String == "\(number)" }?["id"] as? String)
      for size in [nil, "300"] {
        let shown = try await library.ask("/api/v1/tracks/\(track)/artwork\(size.map { "?size=\($0)" } ?? "")")
        let cover = try await library.call("getCoverArt", [("id", song), ("size", size)])
        if let type = picture.sent {
          #expect(shown.status == 200 && shown.headers["content-type"] == type, "\(number)")
          #expect(cover.status == 200 && cover.headers["content-type"] == type, "\(number)")
          #expect(Array(shown.body) == picture.bytes && Array(cover.body) == picture.bytes, "\(number)")
        } else {
          #expect(shown.status == 415, "\(number)")
          // What is engraved instead.
          #expect(cover.headers["content-type"] == "image/png", "\(number): \(cover.headers)")
          #expect(Array(cover.body) != picture.bytes, "\(number)")
        }
      }
    }
  }

  private static func record(_ number: Int, _ type: String, _ bytes: [UInt8], in root: Root) -> FileRecord {
    let format = MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      declaredFrameCount: 441_000, decodedFrameCount: 441_000)
    let hash = ContentHash(high: 1, low: UInt64(number))
    var extraction = Extraction(
      state: .ok, format: format, stream: StreamIdentity(hash: hash, byteCount: 1), decoded: DecodedStream(),
      tags: Tags([Tags.Property(name: "TITLE", values: ["\(number)"])]))
    extraction.artwork = [
      Artwork(
        pictureType: 3, mimeType: type, caption: "", hash: ContentHash(high: 2, low: UInt64(number)), bytes: bytes)
    ]
    return FileRecord(
      rootID: root.id, path: BytePath("\(number).flac"),
      status: FileStatus(
        byteCount: Int64(1_000 + number), modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1,
        inode: UInt64(number + 1), device: 1),
      extraction: extraction, extractorVersion: 3)
  }
}
