import AudioDecoding
import DecodingService
import Foundation
import MediaModel
import Testing
import TestSupport

struct SegmentReaderTests {
  /// A source over samples in memory that records the requests.
  private final class ListeningSource: SegmentSource {
    let audio: SegmentedAudio
    let samples: [Float]
    var requests: [Range<Int64>] = []

    init(frameCount: Int) {
      audio = SegmentCacheTests.audio
      samples = (0..<2 * frameCount).map { Float($0 % 9973) }
    }

    func decode(_ frames: Range<Int64>) -> [Float] {
      requests.append(frames)
      return Array(
        samples[min(samples.count, 2 * Int(frames.lowerBound))..<min(samples.count, 2 * Int(frames.upperBound))])
    }
  }

  private static let length = Int64(SegmentKey.framesPerSegment)

  @Test(arguments: [0, 1, 65_536, 65_537, 150_000])
  func `any range is exact, and ends with the recording`(frameCount: Int) throws {
    let source = ListeningSource(frameCount: frameCount)
    let reader = SegmentReader(source, cache: SegmentCache(capacityInBytes: 600_000))
    var random = RepeatableRandom(seed: 5)
    let edges = [0, 1, Self.length - 1, Self.length, Self.length + 1, 2 * Self.length, Int64(frameCount)]
    for _ in 0..<100 {
      let bounds = (0..<2).map { _ in
        Bool.random(using: &random)
          ? edges.randomElement(using: &random) ?? 0 : Int64.random(in: 0..<200_000, using: &random)
      }.sorted()
      let found = try reader.samples(of: bounds[0]..<bounds[1])
      let expected = source.samples.dropFirst(2 * Int(bounds[0])).prefix(2 * Int(bounds[1] - bounds[0]))
      #expect(found.elementsEqual(expected), "\(bounds)")
    }
  }

  @Test func `pieces end where segments end, and the frames are counted`() throws {
    let reader = SegmentReader(ListeningSource(frameCount: 150_000), cache: SegmentCache())
    var counts: [Int] = []
    let count = try reader.forEachPiece(of: 60_000..<Int64.max) { counts.append($0.count / 2) }
    #expect(counts == [5536, 65_536, 18_928])
    #expect(count == 90_000)
  }

  @Test func `segments in the cache are not requested again`() throws {
    let source = ListeningSource(frameCount: 150_000)
    let reader = SegmentReader(source, cache: SegmentCache())
    _ = try reader.samples(of: 70_000..<70_010)
    _ = try reader.samples(of: 65_536..<131_072)
    _ = try reader.samples(of: 131_071..<131_073)
    #expect(source.requests == [Self.length..<2 * Self.length, 2 * Self.length..<3 * Self.length])
  }

  @Test func `a range that no recording can have is empty`() throws {
    let reader = SegmentReader(ListeningSource(frameCount: 10), cache: SegmentCache())
    #expect(try reader.samples(of: Int64.max - 5..<Int64.max).isEmpty)
    #expect(try reader.samples(of: 5..<5).isEmpty)
  }

  @Test(arguments: [
    "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", "audio/صدى البحر/موجات/02 الجزر.opus",
    "audio/星屑電機/夜の配線/02 配線図.ogg", "audio/Émilie Søndergård/Les Échos/04 Six haut-parleurs.flac",
  ])
  func `ranges through the cache equal the whole decode`(_ path: String) throws {
    let url = Corpora.fixtures.appending(path: path)
    let file = try FileHandle(forReadingFrom: url)
    defer { try? file.close() }
    func decoder() throws -> any AudioDecoder {
      try MediaFile(
        descriptor: file.fileDescriptor, byteCount: Int64(try Data(contentsOf: url).count),
        pathExtension: url.pathExtension
      ).makeDecoder()
    }
    let source = DecoderSegmentSource(try decoder(), hash: ContentHash(high: 0, low: 0))
    let channelCount = source.audio.format.channelCount
    let whole = try Self.samples(of: try decoder())
    let frameCount = whole.count / channelCount
    // Room for three segments, so that most are decoded again and again.
    let cache = SegmentCache(capacityInBytes: 3 * (SegmentKey.framesPerSegment * channelCount * 4 + 1024))
    let reader = SegmentReader(source, cache: cache)
    var random = RepeatableRandom(seed: 8)
    for _ in 0..<60 {
      let start = Int.random(in: 0..<frameCount, using: &random)
      let length = Int.random(in: 1..<100_000, using: &random)
      let found = try reader.samples(of: Int64(start)..<Int64(start + length))
      let isEqual = found.elementsEqual(
        whole[(start * channelCount)...].prefix(length * channelCount), by: { $0.bitPattern == $1.bitPattern })
      #expect(isEqual, "\(start) + \(length)")
    }
    #expect(cache.statistics.evictionCount > 5)
  }

  private static func samples(of decoder: any AudioDecoder) throws -> [Float] {
    var samples: [Float] = []
    var block = [Float](repeating: 0, count: 4096 * decoder.format.channelCount)
    while true {
      var span = block.mutableSpan
      let count = try decoder.read(into: &span)
      if count == 0 { return samples }
      samples += block.prefix(count * decoder.format.channelCount)
    }
  }
}
