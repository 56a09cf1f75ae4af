import Foundation
import MediaModel
import Testing
import TestSupport

struct GatingHistogramTests {
  private func histogram(_ blocks: [(loudness: Double, count: Int)], binsPerLU: Int = 10) -> GatingHistogram {
    var histogram = GatingHistogram(binsPerLU: binsPerLU)
    for block in blocks {
      for _ in 0..<block.count { histogram.insert(energy: LoudnessScale.energy(ofLoudness: block.loudness)) }
    }
    return histogram
  }

  /// The gates by their definition, over a list of energies.
  private func integratedLoudness(_ energies: [Double]) -> Double? {
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    func loudness(_ energy: Double) -> Double { -0.691 + 10 * log10(energy) }
    let heard = energies.filter { loudness($0) > -70 }
    guard !heard.isEmpty else { return nil }
    let gate = loudness(mean(heard)) - 10
    return loudness(mean(heard.filter { loudness($0) > gate }))
  }

  @Test func `the scale is that of the recommendation, both ways`() {
    #expect(LoudnessScale.loudness(ofEnergy: 1) == -0.691)
    #expect(LoudnessScale.loudness(ofEnergy: 0) == nil)
    #expect(abs(LoudnessScale.energy(ofLoudness: -23) - 0.005_876_2) < 1e-7)
  }

  @Test func `equal blocks have the loudness of one, wherever they lie in their bin`() throws {
    for loudness in stride(from: -69.99, to: 29.9, by: 0.737) {
      #expect(abs(try #require(histogram([(loudness, 3)]).integratedLoudness) - loudness) < 1e-9)
    }
  }

  @Test func `what the absolute gate holds back leaves nothing`() {
    let quiet = histogram([(-70.001, 5), (-200, 5)])
    #expect(quiet.isEmpty && quiet.integratedLoudness == nil && quiet.loudnessRange == nil)
    #expect(quiet == GatingHistogram())
  }

  @Test func `the relative gate stands 10 LU below the mean of what is heard`() throws {
    // Mean of the energies: -25.9 LUFS. The gate, at -35.9, leaves out one level and keeps the other.
    let kept = try #require(histogram([(-23, 100), (-35, 100)]).integratedLoudness)
    #expect(abs(kept - (-25.744)) < 0.01)
    #expect(abs(try #require(histogram([(-23, 100), (-37, 100)]).integratedLoudness) + 23) < 1e-9)
  }

  @Test(arguments: [UInt64(1), 2, 3, 4, 5])
  func `fine bins give the loudness of the list of blocks to 0.001 LU, stored ones to 0.02`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    let energies = (0..<3_000).map { _ in
      LoudnessScale.energy(
        ofLoudness: -20 + Double.random(in: -6...2, using: &random) * Double.random(in: 0...9, using: &random))
    }
    var fine = GatingHistogram(binsPerLU: 100)
    for energy in energies { fine.insert(energy: energy) }
    let expected = try #require(integratedLoudness(energies))
    #expect(abs(try #require(fine.integratedLoudness) - expected) < 0.001)
    let stored = try GatingHistogram(blob: fine.blob)
    #expect(abs(try #require(stored.integratedLoudness) - expected) < 0.02)
  }

  @Test func `an album is the blocks of its tracks, not the mean of their loudnesses`() throws {
    let loud = histogram([(-10, 300)])
    let quiet = histogram([(-15, 600)])
    var album = loud
    album.formUnion(quiet)
    let expected = integratedLoudness(
      Array(repeating: LoudnessScale.energy(ofLoudness: -10), count: 300)
        + Array(repeating: LoudnessScale.energy(ofLoudness: -15), count: 600))
    #expect(abs(try #require(album.integratedLoudness) - (try #require(expected))) < 1e-9)
    #expect(abs(try #require(album.integratedLoudness) + 12.5) > 0.1)
    // A track that lies below the album's gate does not count.
    let whole = album
    album.formUnion(histogram([(-30, 2_000)]))
    #expect(abs(try #require(album.integratedLoudness) - (try #require(whole.integratedLoudness))) < 1e-9)
  }

  @Test func `pooling has no order, and nothing to pool changes nothing`() {
    let (one, two) = (histogram([(-20, 3), (-40, 1)]), histogram([(-20, 5), (-12.3, 2)]))
    var (left, right) = (one, two)
    left.formUnion(two)
    right.formUnion(one)
    #expect(left == right)
    left.formUnion(GatingHistogram())
    #expect(left == right)
  }

  @Test func `the range lies between the 10th and the 95th of a hundred`() throws {
    let steps = histogram((0..<101).map { (-30 + Double($0) / 10 + 0.05, 1) }, binsPerLU: 100)
    #expect(abs(try #require(steps.loudnessRange) - 8.5) < 1e-9)
    #expect(histogram([(-20, 1)]).loudnessRange == 0)
  }

  @Test func `the range leaves out what is 20 LU below the mean`() throws {
    #expect(abs(try #require(histogram([(-20, 50), (-39.9, 50)]).loudnessRange) - 19.9) < 1e-9)
    #expect(histogram([(-20, 50), (-43.2, 50)]).loudnessRange == 0)
  }
}
