import AudioDecoding
import Foundation
import MediaModel
import TestSupport
import Testing

/// What the last page of an Ogg stream says of its length, against the packets.
struct OggLengthTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let opus = Corpora.fixtures.appending(path: "audio/Public Address/Announcements/02 Auslaufrille.opus")

  private func decode(lastGranule: Int64) throws -> DecodedFile {
    var pages = try OggPages(Self.opus)
    pages.setGranule(lastGranule, ofPage: pages.offsets.count - 1)
    try folder.write(pages.bytes, to: "a.opus")
    return try DecodedFile(folder.appending("a.opus"))
  }

  /// Frames that the packets hold, encoder delay and padding included.
  private func packetFrameCount() throws -> Int64 {
    let delay = try #require(try DecodedFile(Self.opus).mediaFormat.delayFrameCount)
    // A last position far behind the packets cuts nothing off.
    return Int64(try decode(lastGranule: 1 << 40).frameCount + delay)
  }

  @Test func `a last position slightly behind the packets is a remark`() throws {
    let decoded = try decode(lastGranule: try packetFrameCount() + 10)
    #expect(decoded.outcome.state == .ok)
    #expect(decoded.outcome.notes == ["header-lies"])
  }

  @Test func `a last position far behind the packets is damage`() throws {
    let decoded = try decode(lastGranule: try packetFrameCount() + 100_000)
    #expect(decoded.outcome.state == .damaged)
    #expect(decoded.outcome.problem?.code == "truncated")
  }
}
