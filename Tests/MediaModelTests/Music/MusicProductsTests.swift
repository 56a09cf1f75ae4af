import Base
import MediaModel
import Testing

/// The bytes of the products `rhythm`, `chroma` and `similarity`.
struct MusicProductsTests {
  private let rhythm = RhythmSummary(
    columnsPerSecond: 43.5, candidates: [.init(beatsPerMinute: 120, strength: 0.5, offbeatStrength: -0.25)],
    stability: 1, onsets: [1, 2, 255], lowOnsets: [0, 7, 9])

  private var chroma: ChromaSummary {
    var shares = [[UInt16]](repeating: [UInt16](repeating: 0, count: 120), count: 3)
    shares[0][0] = 65_535
    shares[2][119] = 258
    return ChromaSummary(shares: shares, columnCount: 5, flux: 0.25)
  }

  private let statistics = SimilarityStatistics((0..<SimilarityStatistics.count).map { Float($0) / 4 - 40 })

  @Test func `the bytes of a rhythm are those of the document`() {
    let expected: [UInt8] = [
      0, 0, 0, 0, 0, 0xC0, 0x45, 0x40, 0, 0, 0x80, 0x3F, 1, 0, 0, 0xF0, 0x42, 0, 0, 0, 0x3F, 0, 0, 0x80, 0xBE, 3, 0, 0,
      0, 1, 2, 255, 0, 7, 9,
    ]
    #expect(rhythm.blob == expected)
  }

  @Test func `the bytes of a chroma are those of the document`() {
    let blob = chroma.blob
    #expect(blob.count == 8 + 720)
    #expect(Array(blob.prefix(12)) == [5, 0, 0, 0, 0, 0, 0x80, 0x3E, 255, 255, 0, 0])
    #expect(Array(blob.suffix(2)) == [2, 1])
  }

  @Test func `the bytes of the statistics are their number and half floats`() {
    let blob = statistics.blob
    #expect(blob.count == 2 + 2 * 378)
    // -40 is -1.25 · 2^5: sign, exponent 20, mantissa 0.25.
    #expect(Array(blob.prefix(4)) == [0x7A, 0x01, 0x00, 0xD1])
  }

  @Test func `what was written is read`() throws {
    #expect(try RhythmSummary(blob: rhythm.blob) == rhythm)
    #expect(try ChromaSummary(blob: chroma.blob) == chroma)
    #expect(try SimilarityStatistics(blob: statistics.blob) == statistics)
  }

  @Test func `bytes that end too soon are refused`() {
    for count in 0..<rhythm.blob.count {
      #expect(throws: ByteReader.Failure.self) { try RhythmSummary(blob: Array(rhythm.blob.prefix(count))) }
    }
    for count in [0, 7, 8, 727] {
      #expect(throws: ByteReader.Failure.self) { try ChromaSummary(blob: Array(chroma.blob.prefix(count))) }
    }
    for count in [0, 1, 2, 757] {
      #expect(throws: ByteReader.Failure.self) { try SimilarityStatistics(blob: Array(statistics.blob.prefix(count))) }
    }
  }

  @Test func `numbers that are none are refused, and never written`() {
    var bytes = rhythm.blob
    bytes.replaceSubrange(13..<17, with: [0, 0, 0xC0, 0x7F])
    #expect(throws: ByteReader.Failure.self) { try RhythmSummary(blob: bytes) }
    var values = [Float](repeating: 0, count: SimilarityStatistics.count)
    (values[0], values[1], values[2]) = (.nan, .infinity, 1e30)
    #expect(SimilarityStatistics(values).values.prefix(3) == [0, 0, 60_000])
  }

  @Test func `the groups of the statistics follow each other`() {
    let ranges = SimilarityStatistics.Group.allCases.map(\.range)
    #expect(ranges.first?.lowerBound == 0 && ranges.last?.upperBound == SimilarityStatistics.count)
    for (one, next) in zip(ranges, ranges.dropFirst()) { #expect(one.upperBound == next.lowerBound) }
  }
}
