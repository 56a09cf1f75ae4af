internal import Glibc
internal import SignalProcessing

/// Measures how fast the levels of eight broad bands go up and down: the power of their changes at ten rates.
struct FluctuationAnalyzer: ~Copyable {
  private static let bandCount = 8
  private static let bandsPerGroup = BandLevels.count / bandCount
  /// 5.9 s.
  private static let blockLength = 256
  /// Edges in cycles per block: 0.5 to 10 Hz at 43 columns a second, about equal on a logarithmic axis.
  private static let edges = [3, 4, 5, 7, 9, 12, 17, 23, 32, 44, 60]

  private let transform = ComplexTransform(size: blockLength)
  private let powers = PairPowers(transformSize: blockLength)
  private let window = SampleBuffer(
    (0..<blockLength).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(blockLength))) })
  private let block = SampleBuffer(count: bandCount * blockLength)
  private var fill = 0
  private var blockCount = 0
  private var sums = [Double](repeating: 0, count: bandCount * (edges.count - 1))

  mutating func consume(_ levels: UnsafePointer<Float>) {
    for band in 0..<Self.bandCount {
      var sum: Float = 0
      for index in band * Self.bandsPerGroup..<(band + 1) * Self.bandsPerGroup { sum += levels[index] }
      block.pointer[band * Self.blockLength + fill] = sum / Float(Self.bandsPerGroup)
    }
    fill += 1
    guard fill == Self.blockLength else { return }
    addBlock()
    fill = 0
  }

  /// Ends the stream; a last block that is not full counts only if there is no other.
  ///
  /// - Returns: for each band, from the lowest, the mean logarithm of the power at each rate.
  consuming func finish() -> [Float] {
    if blockCount == 0, fill > 1 {
      for band in 0..<Self.bandCount {
        let start = block.pointer + band * Self.blockLength
        (start + fill).update(repeating: start[fill - 1], count: Self.blockLength - fill)
      }
      addBlock()
    }
    return sums.map { Float($0 / Double(max(blockCount, 1))) }
  }

  private mutating func addBlock() {
    for band in 0..<Self.bandCount {
      let start = block.pointer + band * Self.blockLength
      var mean: Float = 0
      for index in 0..<Self.blockLength { mean += start[index] }
      mean /= Float(Self.blockLength)
      for index in 0..<Self.blockLength { start[index] -= mean }
    }
    for band in stride(from: 0, to: Self.bandCount, by: 2) {
      let first = block.pointer + band * Self.blockLength
      let result = transform.transform(
        real: first, imaginary: first + Self.blockLength, window: window.pointer)
      powers.split(real: result.real, imaginary: result.imaginary, withMean: false)
      add(powers.first.pointer, band)
      add(powers.second.pointer, band + 1)
    }
    blockCount += 1
  }

  private mutating func add(_ powers: UnsafePointer<Float>, _ band: Int) {
    let rateCount = Self.edges.count - 1
    for rate in 0..<rateCount {
      var sum: Float = 0
      for bin in Self.edges[rate]..<Self.edges[rate + 1] { sum += powers[bin] }
      // A tenth of a dB is as good as no change.
      sums[band * rateCount + rate] += Double(log(sum / Float(4 * Self.blockLength) + 0.01))
    }
  }
}
