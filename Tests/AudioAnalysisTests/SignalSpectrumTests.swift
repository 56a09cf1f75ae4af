import SignalProcessing
import Testing

@testable import AudioAnalysis

struct BandSharesTests {
  @Test func `a bin on an edge is shared in proportion`() {
    // Bands from 1.75 to 4.25 and from there to 4.4: bin 4 reaches from 3.5 to 4.5.
    let shares = BandShares(edgesInBins: [1.75, 4.25, 4.4], binCount: 9)
    let sums = sum(shares, of: [0, 0, 1, 10, 100, 1_000, 0, 0, 0])
    #expect(abs(sums[0] - (0.75 + 10 + 75)) < 1e-4)
    #expect(abs(sums[1] - 15) < 1e-4)
  }

  @Test func `adjacent bands lose no power and count none twice`() {
    let edges = (0...40).map { Double($0 * $0) / 13 }
    let powers = (0..<129).map { Float($0 % 7) + 1 }
    let parts = sum(BandShares(edgesInBins: edges, binCount: 129), of: powers).reduce(0, +)
    let whole = sum(BandShares(edgesInBins: [edges[0], edges[40]], binCount: 129), of: powers)[0]
    #expect(abs(parts - whole) < 1e-3 * whole)
  }

  @Test func `half of the first and the last bin counts, and nothing beyond`() {
    let shares = BandShares(edgesInBins: [0, .infinity, .infinity], binCount: 5)
    #expect(sum(shares, of: [1, 10, 100, 1_000, 10_000]) == [6_110.5, 0])
  }

  private func sum(_ shares: BandShares, of powers: [Float]) -> [Float] {
    let result = SampleBuffer(count: shares.count)
    shares.sum(powers + [Float](repeating: .nan, count: 8), scale: 1, into: result.pointer)
    return (0..<shares.count).map { result.pointer[$0] }
  }
}
