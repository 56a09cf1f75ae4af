import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// Where the sound of a Vorbis stream begins, by the position of its first page of audio.
struct VorbisStartTests {
  private static let fixture = Corpora.fixtures.appending(path: "audio/星屑電機/夜の配線/02 配線図.ogg")

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The fixture with all positions moved.
  private func decode(movedBy distance: Int64) throws -> DecodedFile {
    var pages = try OggPages(Self.fixture)
    for (number, offset) in pages.offsets.enumerated() {
      let granule = (0..<8).reduce(Int64(0)) { $0 | Int64(pages.bytes[offset + 6 + $1]) << (8 * $1) }
      if granule > 0 { pages.setGranule(granule + distance, ofPage: number) }
    }
    try folder.write(pages.bytes, to: "a.ogg")
    return try DecodedFile(folder.appending("a.ogg"))
  }

  @Test func `what lies before time zero is dropped`() throws {
    let whole = try DecodedFile(Self.fixture)
    let moved = try decode(movedBy: -100)
    #expect(moved.frameCount == whole.frameCount - 100)
    let isEqual = moved.samples.elementsEqual(whole.samples.dropFirst(100 * whole.format.channelCount))
    #expect(isEqual)
    #expect(moved.outcome.state == .ok)
  }

  @Test func `a stream that begins late has all its sound`() throws {
    let whole = try DecodedFile(Self.fixture)
    let moved = try decode(movedBy: 1_000_000)
    let isEqual = moved.samples == whole.samples
    #expect(isEqual)
  }
}
