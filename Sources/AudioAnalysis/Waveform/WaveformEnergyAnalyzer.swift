internal import MediaModel

/// Measures the RMS of the mono mix point by point, and splits it into low, middle and high frequencies.
///
/// The RMS is that of the point's samples. Its shares in the three regions come from the spectrum of the frames whose
/// middle is in the point, which costs nothing if the spectrum is computed anyway.
struct WaveformEnergyAnalyzer {
  static let framesPerPoint = StoredProducts.framesPerEnergyPoint

  private let sampleRateInHz: Int
  private var framesPerPoint = Self.framesPerPoint
  private var frameCount = 0
  private var meanSquares: [Float] = []
  /// Of the point that is being filled.
  private var sumOfSquares = 0.0
  private var filledFrameCount = 0

  init(format: AudioFormat, expectedFrameCount: Int64 = 0) {
    sampleRateInHz = format.sampleRateInHz
    meanSquares.reserveCapacity(
      Reserve.bounded(expectedFrameCount / Int64(Self.framesPerPoint) + 1, bytesPerElement: 4))
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    sumOfSquares += chunk.withMix { SampleSums(of: $0, count: chunk.frameCount) }.sumOfSquares
    filledFrameCount += chunk.frameCount
    frameCount += chunk.frameCount
    if filledFrameCount == framesPerPoint { complete() }
  }

  private mutating func complete() {
    guard filledFrameCount > 0 else { return }
    meanSquares.append(Float(sumOfSquares / Double(filledFrameCount)))
    sumOfSquares = 0
    filledFrameCount = 0
  }

  /// Joins each two points and makes the following ones as long; see ``WaveformPeakReducer/coarsen()``.
  mutating func coarsen() {
    complete()
    for point in 0..<(meanSquares.count + 1) / 2 {
      let mean = meanSquares[2 * point]
      // The last point may cover fewer frames.
      let rest = min(max(frameCount - (2 * point + 1) * framesPerPoint, 0), framesPerPoint)
      let other = rest > 0 ? meanSquares[2 * point + 1] : 0
      let frames = Float(framesPerPoint)
      meanSquares[point] = rest > 0 ? (mean * frames + other * Float(rest)) / (frames + Float(rest)) : mean
    }
    meanSquares.removeLast(meanSquares.count / 2)
    framesPerPoint *= 2
  }

  /// - Parameter regionPowers: Three for each point, in any unit: low, middle, high; see ``SpectrumAnalyzer/Result``.
  consuming func finish(regionPowers: [BFloat16]) -> WaveformEnergy {
    complete()
    let points = meanSquares.indices.map { index in
      let powers = (0..<3).map { 3 * index + $0 < regionPowers.count ? regionPowers[3 * index + $0].value : 0 }
      let total = powers.reduce(0, +)
      func step(_ share: Float) -> UInt8 { DecibelStep.encode(DecibelStep.level(ofPower: meanSquares[index] * share)) }
      guard total > 0 else { return WaveformEnergy.Point(rms: step(1), low: 0, mid: 0, high: 0) }
      return WaveformEnergy.Point(
        rms: step(1), low: step(powers[0] / total), mid: step(powers[1] / total), high: step(powers[2] / total))
    }
    return WaveformEnergy(sampleRateInHz: sampleRateInHz, framesPerPoint: framesPerPoint, points: points)
  }
}
