internal import MediaModel
internal import SignalProcessing

/// One innermost loop of the analysis on synthetic samples, for counting its instructions and timing it.
///
/// The samples are the same in every run, because the amount of work of some kernels depends on them.
package struct AnalysisKernel: Sendable {
  package let name: String
  /// The number of samples that one run processes.
  package let sampleCount: Int
  private let make: @Sendable () -> () -> Void

  /// - Parameter make: Allocates tables and buffers, and returns a closure that does one run.
  init(_ name: String, sampleCount: Int, make: @escaping @Sendable () -> () -> Void) {
    self.name = name
    self.sampleCount = sampleCount
    self.make = make
  }

  /// Allocates everything that is needed; each call of the result does one run.
  package func prepared() -> () -> Void { make() }

  /// White noise in `-0.5..<0.5`, the same for the same seed.
  package static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var state = seed
    return (0..<count).map { _ in
      // The generator of Numerical Recipes, 2nd edition, section 7.1; only its upper bits are good.
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(state >> 8) / Float(1 << 24) - 0.5
    }
  }
}

extension AnalysisKernel {
  /// All kernels, with the sizes of 44.1 kHz stereo; to measure another one, add it here.
  package static let all: [AnalysisKernel] =
    samplewise + transforms + stages.map(bands)
    + stages.dropFirst().compactMap(lowBand) + loudness + [decimation, resampling, encoding]

  private static let stages = SpectrumPlan(sampleRateInHz: 44_100, bands: .standard).stages

  private static let samplewise = [
    AnalysisKernel("deinterleave stereo", sampleCount: 2 * PlanarChunk.capacity) {
      let samples = noise(2 * PlanarChunk.capacity)
      var assembler = ChunkAssembler(channelCount: 2)
      return {
        var position = 0
        _ = assembler.fill(from: samples.span, at: &position)
      }
    },
    AnalysisKernel("peaks of two channels", sampleCount: 2 * PlanarChunk.capacity) {
      let samples = noise(2 * PlanarChunk.capacity)
      var assembler = ChunkAssembler(channelCount: 2)
      var position = 0
      _ = assembler.fill(from: samples.span, at: &position)
      var reducer = WaveformPeakReducer(
        format: AudioFormat(sampleRateInHz: 44_100, channelCount: 2), channels: .separate(limit: 2),
        framesPerPoint: 512, resolution: .bits8)
      return { assembler.withChunk { reducer.consume($0) } }
    },
    AnalysisKernel("sums of a chunk", sampleCount: PlanarChunk.capacity) {
      let samples = SampleBuffer(noise(PlanarChunk.capacity))
      let result = SampleBuffer(count: 1)
      return {
        let sums = SampleSums(of: samples.pointer, count: PlanarChunk.capacity)
        result.pointer[0] = Float(sums.sum + sums.sumOfSquares)
      }
    },
    scaling("16 bit of integers", .integer),
    scaling("16 bit of floats", .floatingPoint),
  ]

  /// The extremes of the blocks of one channel.
  private static func blockExtremes(reaching peak: Float) -> [Extremes] {
    [Extremes](repeating: Extremes(low: -peak, high: peak), count: PlanarChunk.blockCount)
  }

  private static func scaling(_ name: String, _ encoding: AudioFormat.SampleEncoding) -> AnalysisKernel {
    AnalysisKernel(name, sampleCount: PlanarChunk.capacity) {
      let samples = SampleBuffer(noise(PlanarChunk.capacity))
      let result = SampleBuffer(count: PlanarChunk.capacity)
      let scale = SixteenBitScale(encoding)
      return { scale.apply(samples.pointer, count: PlanarChunk.capacity, into: result.pointer, adding: true) }
    }
  }

  /// The work for each frame of two channels, for each size in use.
  private static let transforms = Set(stages.map(\.transformSize)).sorted().flatMap { size in
    [
      AnalysisKernel("transform of \(size)", sampleCount: 2 * size) {
        let transform = ComplexTransform(size: size)
        let first = SampleBuffer(noise(size, seed: 1))
        let second = SampleBuffer(noise(size, seed: 2))
        let window = SampleBuffer(noise(size, seed: 3))
        return { _ = transform.transform(real: first.pointer, imaginary: second.pointer, window: window.pointer) }
      },
      AnalysisKernel("powers of \(size)", sampleCount: 2 * size) {
        let powers = PairPowers(transformSize: size)
        let real = SampleBuffer(noise(size, seed: 1))
        let imaginary = SampleBuffer(noise(size, seed: 2))
        return { powers.split(real: real.pointer, imaginary: imaginary.pointer, withMean: true) }
      },
      AnalysisKernel("bins of \(size)", sampleCount: size) {
        let statistics = PowerStatistics(count: size / 2 + 1)
        let powers = SampleBuffer(noise(size / 2 + 8).map { $0 * $0 })
        return { statistics.add(powers.pointer) }
      },
    ]
  }

  /// The work of each level for one frame of one signal.
  private static func bands(_ level: SpectrumPlan.Stage) -> AnalysisKernel {
    let size = level.transformSize
    return AnalysisKernel("bands of \(size) at 1/\(1 << level.halvingCount)", sampleCount: size) {
      let edges = SpectrumBands.standard.edgesInHz[level.bands.lowerBound...level.bands.upperBound]
      let shares = BandShares(edgesInBins: edges.map { $0 / level.binWidthInHz }, binCount: size / 2 + 1)
      let powers = SampleBuffer(noise(size / 2 + 8).map { $0 * $0 })
      let result = SampleBuffer(count: shares.count)
      return { shares.sum(powers.pointer, scale: 1, into: result.pointer) }
    }
  }

  /// The work that passes the low band of a level's frame of two channels to the next level.
  private static func lowBand(_ level: SpectrumPlan.Stage) -> AnalysisKernel? {
    let size = level.lowBandSize
    guard let above = stages.last(where: { $0.halvingCount < level.halvingCount }) else { return nil }
    return AnalysisKernel("low band of \(above.transformSize) at 1/\(1 << level.halvingCount)", sampleCount: 2 * size) {
      let synthesis = LowBandSynthesis(frameSize: above.transformSize, size: size)
      let real = SampleBuffer(noise(above.transformSize, seed: 1))
      let imaginary = SampleBuffer(noise(above.transformSize, seed: 2))
      return { _ = synthesis.addLines(real: real.pointer, imaginary: imaginary.pointer) }
    }
  }

  private static let loudness = [
    AnalysisKernel("K-weighting of two channels", sampleCount: 2 * PlanarChunk.capacity) {
      let samples = SampleBuffer(noise(2 * PlanarChunk.capacity))
      let result = SampleBuffer(count: 1)
      var filter = KWeighting(sampleRateInHz: 44_100).map { KWeightedPair($0) }
      return {
        let energies = filter?.energies(
          samples.pointer, samples.pointer + PlanarChunk.capacity, count: PlanarChunk.capacity)
        result.pointer[0] = Float(energies?.sum() ?? 0)
      }
    },
    // Below the peak of the first block, so that nothing is interpolated: the cost of nearly all blocks of music.
    AnalysisKernel("true peak that cannot rise", sampleCount: PlanarChunk.capacity) {
      let samples = SampleBuffer(noise(PlanarChunk.capacity))
      let blocks = blockExtremes(reaching: 1)
      let channel = TruePeakChannel(TruePeakFilter(sampleRateInHz: 44_100), skipsWhatCannotExceed: true)
      var peak: Float = 100
      return { channel.consume(samples.pointer, blocks: blocks, raising: &peak) }
    },
    AnalysisKernel("true peak, all interpolated", sampleCount: PlanarChunk.capacity) {
      let samples = SampleBuffer(noise(PlanarChunk.capacity))
      let blocks = blockExtremes(reaching: 1)
      let channel = TruePeakChannel(TruePeakFilter(sampleRateInHz: 44_100), skipsWhatCannotExceed: false)
      var peak: Float = 0
      return { channel.consume(samples.pointer, blocks: blocks, raising: &peak) }
    },
  ]

  private static let resampling = AnalysisKernel("resampling 22050 to 11025", sampleCount: 512) {
    let resampler = PolyphaseResampler(inputRateInHz: 22_050, outputRateInHz: 11_025, maximumCount: 512)
    let samples = SampleBuffer(noise(512))
    return { _ = resampler.resample(samples.pointer, count: 512) }
  }

  private static let decimation = AnalysisKernel("half-band of a chunk", sampleCount: PlanarChunk.capacity) {
    let decimator = HalfBandDecimator(inputCount: PlanarChunk.capacity)
    let samples = SampleBuffer(noise(PlanarChunk.capacity))
    return { _ = decimator.decimate(samples.pointer) }
  }

  private static let encoding = AnalysisKernel("decibel steps of 80 bands", sampleCount: 80) {
    let powers = noise(80).map { $0 * $0 }
    var bytes = [UInt8](repeating: 0, count: powers.count)
    return {
      for index in powers.indices { bytes[index] = DecibelStep.encode(DecibelStep.level(ofPower: powers[index])) }
    }
  }
}
