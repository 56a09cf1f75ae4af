import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

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

  @Test(arguments: ["audio/星屑電機/夜の配線/02 配線図.ogg", "audio/Public Address/Announcements/02 Auslaufrille.opus"])
  func `behind a gap the padding of the last page is still no sound`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let pages = try OggPages(url)
    // Without the page in the middle.
    let gap = pages.offsets.count / 2
    try folder.write(
      pages.bytes[..<pages.offsets[gap]] + pages.bytes[pages.offsets[gap + 1]...], to: "gap.ogg")
    let whole = try DecodedFile(url)
    let damaged = try DecodedFile(folder.appending("gap.ogg"))
    #expect(damaged.outcome.problem?.code == "missing-pages" && damaged.frameCount < whole.frameCount)
    // Both end with the same samples, which they do not if one has padding behind them.
    let count = 2000 * whole.format.channelCount
    let difference = zip(whole.samples.suffix(count), damaged.samples.suffix(count)).map { abs($0 - $1) }.max()
    #expect(try #require(difference) < 0.01)
  }
}
