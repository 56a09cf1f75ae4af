package import MediaModel
internal import SignalProcessing

/// Measures the spectrum of a stream: of the mono mix and the first two channels, as an average and over time.
///
/// Each signal goes through a pyramid of Fourier transforms (see ``SpectrumPlan``). For stereo one complex transform
/// serves both channels, and the transform of the mix is their mean, because the transform is linear.
///
/// - Complexity: O(log n) per sample in the size of the transform; memory grows by the columns that are kept.
struct SpectrumAnalyzer: ~Copyable {
  private let format: AudioFormat
  private let bands: SpectrumBands
  /// The last one holds the mix.
  private let pyramids: [SpectrumPyramid]
  private var frameCount = 0
  private var columnsPerSecond = Double(StoredProducts.columnsPerSecond)
  private let silence = SampleBuffer(count: PlanarChunk.capacity)

  /// - Parameter framesPerRegionPoint: The length of the points whose shares of low, middle and high are measured.
  init(
    format: AudioFormat, bands: SpectrumBands = .standard, framesPerRegionPoint: Int, expectedFrameCount: Int64 = 0
  ) {
    self.format = format
    self.bands = bands
    let plan = SpectrumPlan(sampleRateInHz: format.sampleRateInHz, bands: bands)
    let kinds: [SpectrumStage.Signals] =
      switch format.channelCount {
      case 1: [.mix]
      case 2: [.channelsAndMix]
      default: [.channels, .mix]
      }
    var pyramids: [SpectrumPyramid] = []
    for signals in kinds { pyramids.append(SpectrumPyramid(plan: plan, signals: signals, bands: bands)) }
    self.pyramids = pyramids
    for pyramid in pyramids {
      for stage in pyramid.stages {
        stage.mix?.keepGrid(
          TimeColumns(
            width: stage.plan.bands.count, columnRate: StoredProducts.columnsPerSecond,
            perFrames: format.sampleRateInHz, expectedFrameCount: expectedFrameCount,
            encode: { DecibelStep.encode(DecibelStep.level(ofPower: $0)) },
            decode: { DecibelStep.power($0) }))
      }
      if let stage = pyramid.stages.first {
        stage.mix?.keepBinsAndRegions(
          TimeColumns(
            width: 3, columnRate: 1, perFrames: framesPerRegionPoint, expectedFrameCount: expectedFrameCount,
            encode: BFloat16.init, decode: \.value),
          level: stage.plan)
      }
    }
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    frameCount += chunk.frameCount
    if chunk.frameCount < PlanarChunk.capacity { announceLength() }
    for pyramid in pyramids {
      if pyramid.stages.first?.signals.lineCount == 1 {
        chunk.withMix { pyramid.consume($0, $0) }
      } else {
        chunk.withChannels(0, 1) { pyramid.consume($0, $1) }
      }
    }
  }

  /// Doubles the length of columns and of points of the regions, those that are complete included.
  mutating func coarsen() {
    columnsPerSecond /= 2
    for pyramid in pyramids { for stage in pyramid.stages { stage.mix?.coarsen() } }
  }

  /// Feeds zeros until the last frame of every stage has been measured.
  private func complete() {
    announceLength()
    for pyramid in pyramids {
      while !pyramid.isComplete { pyramid.consume(silence.pointer, silence.pointer) }
    }
  }

  private func announceLength() {
    for pyramid in pyramids { for stage in pyramid.stages { stage.setLength(frameCount: frameCount) } }
  }
}

extension SpectrumAnalyzer {
  /// What was measured of the whole stream.
  struct Result {
    let summary: SpectrumSummary
    /// The bins of the summary as powers, before rounding.
    let bins: BinPowers
    let grid: SpectrumGrid
    /// For each point three powers of the mix: below 600 Hz, from 600 Hz to 4 kHz, and above.
    let regionPowers: [BFloat16]
  }

  /// Ends the stream.
  consuming func finish() -> Result {
    complete()
    let mixStages = pyramids[pyramids.count - 1].stages
    let bins = binPowers(mixStages)
    var channels: [SpectrumSummary.Levels] = []
    if format.channelCount > 1 {
      let stages = pyramids[0].stages
      channels = [bandLevels(stages) { $0.first }, bandLevels(stages) { $0.second }]
    }
    return Result(
      summary: SpectrumSummary(
        sampleRateInHz: format.sampleRateInHz, mix: bandLevels(mixStages) { $0.mix }, channels: channels,
        bins: SpectrumSummary.Levels(
          meanInDB: bins.means.map { DecibelStep.level(ofPower: $0) },
          maximumInDB: bins.maxima.map { DecibelStep.level(ofPower: $0) })),
      bins: bins,
      grid: grid(mixStages),
      regionPowers: regionPowers(mixStages))
  }

  private func bandLevels(
    _ stages: [SpectrumStage], of signal: (SpectrumStage) -> SignalSpectrum?
  ) -> SpectrumSummary.Levels {
    var means = [Float](repeating: DecibelStep.floorInDB, count: bands.count)
    var maxima = means
    for stage in stages {
      guard let statistics = signal(stage)?.bands.finish(), stage.coverage > 0 else { continue }
      for (index, band) in stage.plan.bands.enumerated() {
        means[band] = DecibelStep.level(ofPower: statistics.sums[index] / stage.coverage)
        maxima[band] = DecibelStep.level(ofPower: statistics.maxima[index])
      }
    }
    return SpectrumSummary.Levels(meanInDB: means, maximumInDB: maxima)
  }

  /// A sine of amplitude 1 on a bin has the power 1 there, and so does a constant of 1 in the first bin.
  private func binPowers(_ stages: [SpectrumStage]) -> BinPowers {
    guard let stage = stages.first, let result = stage.mix?.bins?.finish() else {
      return BinPowers(sampleRateInHz: format.sampleRateInHz, means: [], maxima: [], frameCount: 0)
    }
    let scale = 4 / (stage.sumOfWindow * stage.sumOfWindow) / stage.mixPowerFactor
    let ends = [0, result.sums.count - 1]
    return BinPowers(
      sampleRateInHz: format.sampleRateInHz,
      means: result.sums.indices.map { bin in
        let mean = stage.coverage > 0 ? result.sums[bin] / stage.coverage : 0
        return mean * (ends.contains(bin) ? scale / 4 : scale)
      },
      maxima: result.maxima.indices.map { bin in
        Double(result.maxima[bin]) * (ends.contains(bin) ? scale / 4 : scale)
      },
      frameCount: stage.coverage)
  }

  private func grid(_ stages: [SpectrumStage]) -> SpectrumGrid {
    var steps: [UInt8] = []
    for stage in stages {
      guard let columns = stage.mix?.grid else { continue }
      let columnCount = columns.columnCount(forFrames: frameCount)
      if steps.isEmpty { steps = Array(repeating: 0, count: columnCount * bands.count) }
      let values = columns.finish(columnCount: columnCount)
      let width = stage.plan.bands.count
      for column in 0..<columnCount {
        for index in 0..<width {
          steps[column * bands.count + stage.plan.bands.lowerBound + index] = values[column * width + index]
        }
      }
    }
    return SpectrumGrid(columnsPerSecond: columnsPerSecond, bandCount: bands.count, steps: steps)
  }

  private func regionPowers(_ stages: [SpectrumStage]) -> [BFloat16] {
    guard let columns = stages.first?.mix?.regions else { return [] }
    return columns.finish(columnCount: columns.columnCount(forFrames: frameCount))
  }
}

/// All stages of one or two lines of samples; each stage passes its low band to the next.
private final class SpectrumPyramid {
  let stages: [SpectrumStage]

  init(plan: SpectrumPlan, signals: SpectrumStage.Signals, bands: SpectrumBands) {
    var stages: [SpectrumStage] = []
    for stage in plan.stages.reversed() {
      stages.insert(SpectrumStage(plan: stage, signals: signals, bands: bands, next: stages.first), at: 0)
    }
    self.stages = stages
  }

  /// Adds `PlanarChunk.capacity` samples of each line; if there is one line, the second is not read.
  func consume(_ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>) {
    stages.first?.consume(first, second, count: PlanarChunk.capacity)
  }

  var isComplete: Bool { stages.allSatisfy { $0.isComplete } }
}

/// Measures the average spectrum of a part of a recording in any bands, for the mix and the first two channels.
package struct SpectrumSummaryAnalyzer: ~Copyable {
  private var assembler: ChunkAssembler
  private var spectrum: SpectrumAnalyzer

  package init(format: AudioFormat, bands: SpectrumBands) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    spectrum = SpectrumAnalyzer(format: format, bands: bands, framesPerRegionPoint: PlanarChunk.capacity)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    assembler.append(samples) { spectrum.consume($0) }
  }

  /// Ends the stream and gives the levels in the requested bands.
  package consuming func finish() -> SpectrumSummary {
    assembler.finish { spectrum.consume($0) }
    return spectrum.finish().summary
  }
}
