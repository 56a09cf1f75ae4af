import Base
import MediaModel
import Testing
import TestSupport

struct GatingHistogramBlobTests {
  private let histogram: GatingHistogram

  init() {
    var histogram = GatingHistogram()
    for _ in 0..<10 { histogram.insert(energy: LoudnessScale.energy(ofLoudness: -22.95)) }
    for _ in 0..<200 { histogram.insert(energy: LoudnessScale.energy(ofLoudness: -23.15)) }
    self.histogram = histogram
  }

  @Test func `what was written is read back`() throws {
    let read = try GatingHistogram(blob: histogram.blob)
    #expect(read.bins.map(\.count) == histogram.bins.map(\.count))
    #expect(abs(try #require(read.integratedLoudness) - (try #require(histogram.integratedLoudness))) < 1e-9)
    for (bin, original) in zip(read.bins, histogram.bins) {
      #expect(abs(bin.meanEnergy - original.meanEnergy) <= 1e-12 * original.meanEnergy)
    }
  }

  @Test func `the layout is that of the format`() {
    let energy = histogram.bins.reduce(0) { $0 + $1.energy }
    var expected = ByteWriter()
    expected.append(energy)
    expected.append(raw: [0xD4, 1, 3, 0, 0xC8, 1, 0, 10])
    #expect(histogram.blob == expected.bytes)
  }

  @Test func `no blocks are twelve zeros`() throws {
    #expect(GatingHistogram().blob == [UInt8](repeating: 0, count: 12))
    #expect(try GatingHistogram(blob: [UInt8](repeating: 0, count: 12)) == GatingHistogram())
  }

  @Test func `fine bins are stored as coarse ones`() throws {
    var fine = GatingHistogram(binsPerLU: 100)
    for step in 0..<10 { fine.insert(energy: LoudnessScale.energy(ofLoudness: -22.895 + Double(step) / 100)) }
    #expect(try GatingHistogram(blob: fine.blob).bins.map(\.count).max() == 10)
  }

  @Test func `blocks beyond the last bin keep their energy`() throws {
    var loud = GatingHistogram()
    loud.insert(energy: LoudnessScale.energy(ofLoudness: 90))
    #expect(abs(try #require(try GatingHistogram(blob: loud.blob).integratedLoudness) - 90) < 1e-9)
  }

  @Test func `a blob that ends early is refused at any length`() {
    for length in 0..<histogram.blob.count {
      #expect(throws: ByteReader.Failure.self) { try GatingHistogram(blob: Array(histogram.blob.prefix(length))) }
    }
  }

  @Test(
    arguments: [
      // Bins beyond the last one.
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0xE7, 3, 2, 0, 1, 1]),
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0xFF, 0xFF, 0xFF, 0xFF]),
      // Energies that cannot be: infinity, NaN, below 0.
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x7F], [0, 0, 1, 0, 1]), ([0, 0, 0, 0, 0, 0, 0xF8, 0x7F], [0, 0, 1, 0, 1]),
      ([0, 0, 0, 0, 0, 0, 0xF0, 0xBF], [0, 0, 1, 0, 1]),
      // Blocks without energy, energy without blocks.
      ([0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 1, 0, 1]), ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0, 0, 1, 0, 0]),
      // A count of more than 32 bits, one without an end, and counts that add up to too much.
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0, 0, 1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F]),
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0, 0, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0]),
      ([0, 0, 0, 0, 0, 0, 0xF0, 0x3F], [0, 0, 2, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1]),
    ] as [([UInt8], [UInt8])])
  func `a blob that cannot be is refused`(energy: [UInt8], rest: [UInt8]) {
    #expect(throws: ByteReader.Failure.self) { try GatingHistogram(blob: energy + rest) }
  }

  @Test func `whatever the bytes, what is read can be pooled and measured`() throws {
    var random = RepeatableRandom(seed: 7)
    var pool = histogram
    var readCount = 0
    for _ in 0..<20_000 {
      var blob = histogram.blob
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        blob[Int.random(in: 0..<blob.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      guard let read = try? GatingHistogram(blob: blob) else { continue }
      readCount += 1
      pool.formUnion(read)
      #expect(read.integratedLoudness?.isNaN != true && read.loudnessRange?.isNaN != true)
    }
    #expect(readCount > 1_000)
    #expect(pool.bins.allSatisfy { $0.count >= 0 })
  }
}
