import Base
import MediaModel
import Testing

struct SpectrumSummaryTests {
  private let summary = SpectrumSummary(
    sampleRateInHz: 48_000,
    mix: .init(meanInDB: [-20.25, -120], maximumInDB: [-10.01, 0]),
    channels: [.init(meanInDB: [-1, -2], maximumInDB: [-3, -4]), .init(meanInDB: [-5, -6], maximumInDB: [-7, -8])],
    bins: .init(meanInDB: [-9, -10, -11], maximumInDB: [-12, -13, 3.5]))

  @Test func `what was written is read back`() throws {
    #expect(try SpectrumSummary(blob: summary.blob) == summary)
  }

  @Test func `the header and the first level are where the format says`() {
    #expect(Array(summary.blob.prefix(14)) == [0x80, 0xbb, 0, 0, 2, 0, 2, 0, 3, 0, 0, 0, 0x17, 0xf8])
    #expect(summary.blob.count == 12 + 2 * 2 * (2 + 2 * 2 + 3))
  }

  @Test func `levels that are none are stored as the floor, and absurd ones cut`() throws {
    var odd = summary
    odd.mix = .init(meanInDB: [.nan, -.infinity], maximumInDB: [.infinity, 1e9])
    let read = try SpectrumSummary(blob: odd.blob).mix
    #expect(read == .init(meanInDB: [-120, -120], maximumInDB: [120, 120]))
  }

  @Test func `a blob that ends early is refused at any length`() {
    for length in 0..<summary.blob.count {
      #expect(throws: ByteReader.Failure.self) { try SpectrumSummary(blob: Array(summary.blob.prefix(length))) }
    }
  }

  @Test func `a header that claims more than there is does not reserve it`() {
    #expect(throws: ByteReader.Failure.self) {
      try SpectrumSummary(blob: [0x80, 0xbb, 0, 0, 0xff, 0xff, 2, 0, 0xff, 0xff, 0xff, 0xff, 0, 0])
    }
  }

  @Test func `the linear bins reach from 0 Hz to half the rate`() {
    #expect(summary.binWidthInHz == 12_000)
  }
}
