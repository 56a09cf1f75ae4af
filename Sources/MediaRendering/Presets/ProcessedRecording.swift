internal import AudioAnalysis
internal import AudioEffects
internal import AudioEncoding
internal import DecodingService
internal import MediaModel

/// A range of a recording after its effects, with the channels in WAVE's order; it can be read several times.
struct ProcessedRecording {
  private let reader: SegmentReader
  private let frames: Range<Int64>
  private let chain: EffectChain
  /// nil to keep the rate of the recording.
  private let sampleRateInHz: Int?
  private let permutation: [Int]?
  private let inputFormat: AudioFormat
  /// Whether the channels are mixed to stereo before anything else.
  private let isMixedDown: Bool

  /// - Parameter largestChannelCount: A recording with more channels is mixed to stereo.
  init(
    reader: SegmentReader, frames: Range<Int64>, chain: EffectChain, sampleRateInHz: Int?,
    largestChannelCount: Int = .max
  ) {
    self.reader = reader
    self.frames = frames
    self.chain = chain
    self.sampleRateInHz = sampleRateInHz
    var format = reader.format
    permutation = ChannelOrder.permutation(from: format.channelOrder, channelCount: format.channelCount)
    if permutation != nil { format.channelOrder = .standard }
    inputFormat = format
    isMixedDown = format.channelCount > largestChannelCount
  }

  /// New effects, without any samples in them.
  private func effects() throws -> EffectSequence {
    var stages: [any SoundEffect] = isMixedDown ? [ChannelDownmix(inputFormat)] : []
    let format = stages.last?.format ?? inputFormat
    let effects = try EffectSequence(chain, format: format)
    if !effects.isNeutral { stages.append(effects) }
    if let sampleRateInHz, sampleRateInHz != format.sampleRateInHz {
      stages.append(try SampleRateConverter(format, toSampleRate: sampleRateInHz))
    }
    return EffectSequence(stages, format: inputFormat)
  }

  func format() throws -> AudioFormat { try effects().format }

  func frameCount() throws -> Int64 { try effects().outputFrameCount(for: Int64(frames.count)) }

  /// Whether it is as it was decoded, apart from the rate.
  var hasNoEffects: Bool { get throws { try !isMixedDown && EffectSequence(chain, format: inputFormat).isNeutral } }

  /// Whether each sample is as it was decoded.
  func isUnchanged() throws -> Bool { try effects().isNeutral }

  /// Passes on all of it, block by block.
  ///
  /// - Parameter stages: After the effects.
  func forEachBlock(through stages: [any SoundEffect] = [], _ body: (Span<Float>) throws -> Void) throws {
    let effects = EffectSequence([try effects()] + stages, format: inputFormat)
    var block: [Float] = []
    func passOn() throws {
      if !block.isEmpty { try body(block.span) }
      block.removeAll(keepingCapacity: true)
    }
    let count = try reader.forEachPiece(of: frames) { samples in
      if let permutation {
        let reordered = ChannelOrder.reordered(samples, by: permutation)
        try effects.process(reordered.span, into: &block)
      } else {
        try effects.process(samples, into: &block)
      }
      try passOn()
    }
    guard count == Int64(frames.count) else { throw RenderingError.missingFrames(Int64(frames.count) - count) }
    var isAtEnd = false
    while !isAtEnd {
      isAtEnd = try !effects.finish(into: &block)
      try passOn()
    }
  }

  /// - Returns: Integrated loudness in LUFS and true peak in dBTP after the stages; nil for silence.
  func measured(through stages: [any SoundEffect] = []) throws -> (loudness: Double?, truePeak: Double?) {
    var meter = LoudnessMeter(format: try format())
    try forEachBlock(through: stages) { meter.consume($0) }
    let result = meter.finish()
    return (result.integratedLoudness, result.truePeak)
  }
}
