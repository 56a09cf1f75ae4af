import MediaModel
import Testing

struct SpectrumBandsTests {
  private let bands = SpectrumBands.standard

  @Test func `there are 80 from 100 Hz to exactly 18 kHz`() {
    #expect(bands.count == 80)
    #expect(bands.edgesInHz[0] == 100)
    #expect(bands.edgesInHz[80] == 18_000)
  }

  @Test func `each is wider than the one below by the same factor`() {
    let factors = zip(bands.edgesInHz, bands.edgesInHz.dropFirst()).map { $1 / $0 }
    #expect(factors.allSatisfy { abs($0 - 1.067_062) < 1e-5 })
    #expect(abs(bands.edgesInHz[1] - 106.706) < 0.001)
  }

  @Test func `the centre of a band lies in it`() {
    for band in 0..<80 { #expect(bands.index(ofHz: bands.center(of: band)) == band) }
  }

  @Test func `an edge belongs to the band above it, the last one to the last band`() {
    for band in 0..<80 { #expect(bands.index(ofHz: bands.edgesInHz[band]) == band) }
    #expect(bands.index(ofHz: 18_000) == 79)
  }

  @Test(arguments: [0, 99.9, 18_001, .nan, .infinity, -5])
  func `outside there is no band`(frequency: Double) {
    #expect(bands.index(ofHz: frequency) == nil)
  }
}
