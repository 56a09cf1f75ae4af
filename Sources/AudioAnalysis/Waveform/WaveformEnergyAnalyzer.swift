internal import MediaModel

/// Measures the RMS of the mono mix point by point, and splits it into low, middle and high frequencies.
///
/// The RMS is that of the point's samples. Its shares in the three regions come from the spectrum of the frames whose
/// middle is in the point, which costs nothing if the spectrum is computed anyway.
struct WaveformEnergyAnalyzer {
  static let framesPerPoint = PlanarChunk.capacity

  private let sampleRateInHz: Int
  private var meanSquares: [Float] = []

  init(format: AudioFormat, expectedFrameCount: Int64 = 0) {
    sampleRateInHz = format.sampleRateInHz
    meanSquares.reserveCapacity(
      Reserve.bounded(expectedFrameCount / Int64(Self.framesPerPoint) + 1, bytesPerElement: 4))
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    let sums = chunk.withMix { SampleSums(of: $0, count: chunk.frameCount) }
    meanSquares.append(Float(sums.sumOfSquares / Double(chunk.frameCount)))
  }

  /// - Parameter regionPowers: Three for each point, in any unit: low, middle, high; see ``SpectrumAnalyzer/Result``.
  consuming func finish(regionPowers: [BFloat16]) -> WaveformEnergy {
    let points = meanSquares.indices.map { index in
      let powers = (0..<3).map { 3 * index + $0 < regionPowers.count ? regionPowers[3 * index + $0].value : 0 }
      let total = powers.reduce(0, +)
      func step(_ share: Float) -> UInt8 { DecibelStep.encode(DecibelStep.level(ofPower: meanSquares[index] * share)) }
      guard total > 0 else { return WaveformEnergy.Point(rms: step(1), low: 0, mid: 0, high: 0) }
      return WaveformEnergy.Point(
        rms: step(1), low: step(powers[0] / total), mid: step(powers[1] / total), high: step(powers[2] / total))
    }
    return WaveformEnergy(sampleRateInHz: sampleRateInHz, framesPerPoint: Self.framesPerPoint, points: points)
  }
}
