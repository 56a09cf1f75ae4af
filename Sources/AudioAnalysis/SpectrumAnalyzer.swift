internal import MediaModel

/// Measures the spectrum of a stream: of the mono mix and of the first two channels, as a whole and over time.
///
/// Each signal goes through a pyramid of Fourier transforms (see ``SpectrumPlan``). For stereo one complex transform
/// serves both channels, and the mix is their mean: the transform is linear.
///
/// - Complexity: O(log n) per sample in the size of the transform; memory grows by the columns that are kept.
struct SpectrumAnalyzer: ~Copyable {
  static let columnsPerSecond = 4

  let format: AudioFormat
  let bands: SpectrumBands
  let plan: SpectrumPlan
  let framesPerRegionPoint: Int
  /// The pyramid that holds the mix comes last.
  let pyramids: [SpectrumPyramid]
  private(set) var frameCount = 0
  private let silence = SampleBuffer(count: PlanarChunk.capacity)

  /// - Parameter framesPerRegionPoint: Length of the points at which the shares of low, middle and high are taken.
  init(
    format: AudioFormat, bands: SpectrumBands = .standard, framesPerRegionPoint: Int, expectedFrameCount: Int64 = 0
  ) {
    self.format = format
    self.bands = bands
    self.framesPerRegionPoint = framesPerRegionPoint
    plan = SpectrumPlan(sampleRateInHz: format.sampleRateInHz, bands: bands)
    let kinds: [SpectrumLevel.Signals] =
      switch format.channelCount {
      case 1: [.mix]
      case 2: [.channelsAndMix]
      default: [.channels, .mix]
      }
    var pyramids: [SpectrumPyramid] = []
    for signals in kinds { pyramids.append(SpectrumPyramid(plan: plan, signals: signals, bands: bands)) }
    self.pyramids = pyramids
    for pyramid in pyramids {
      for level in pyramid.levels {
        level.mix?.keepGrid(
          TimeColumns(
            width: level.plan.bands.count, columnRate: Self.columnsPerSecond, perFrames: format.sampleRateInHz,
            expectedFrameCount: expectedFrameCount, encode: { DecibelStep.encode(Decibels.level(ofPower: $0)) }))
      }
      if let level = pyramid.levels.first {
        level.mix?.keepBinsAndRegions(
          TimeColumns(
            width: 3, columnRate: 1, perFrames: framesPerRegionPoint, expectedFrameCount: expectedFrameCount,
            encode: BFloat16.init),
          level: level.plan)
      }
    }
  }

  mutating func consume(_ chunk: PlanarChunk) {
    frameCount += chunk.frameCount
    if chunk.frameCount < PlanarChunk.capacity { announceLength() }
    for pyramid in pyramids {
      if pyramid.levels.first?.signals.lineCount == 1 {
        pyramid.consume(chunk.mix, chunk.mix)
      } else {
        pyramid.consume(chunk.channel(0), chunk.channel(1))
      }
    }
  }

  /// Feeds zeros until the last frame of every level has been measured.
  func complete() {
    announceLength()
    for pyramid in pyramids {
      while !pyramid.isComplete { pyramid.consume(silence.pointer, silence.pointer) }
    }
  }

  private func announceLength() {
    for pyramid in pyramids { for level in pyramid.levels { level.setLength(frameCount: frameCount) } }
  }
}
