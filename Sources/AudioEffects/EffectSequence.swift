package import MediaModel

/// Several effects in sequence.
package final class EffectSequence: SoundEffect {
  package let format: AudioFormat
  private let stages: [any SoundEffect]
  /// The samples that go from one stage to the next, in turns.
  private var current: [Float] = []
  private var following: [Float] = []
  /// The number of stages, from the first on, that have given all of their output.
  private var finishedCount = 0

  /// - Parameter format: The input format of the first stage; every other stage takes the format of the previous one.
  package init(_ stages: [any SoundEffect], format: AudioFormat) {
    self.stages = stages.filter { ($0 as? EffectSequence)?.isNeutral != true }
    self.format = stages.last?.format ?? format
  }

  /// The effects of a chain that change anything, in the order pitch, reverberation, rate, equalizer.
  package convenience init(_ chain: EffectChain, format: AudioFormat) throws(EffectError) {
    var stages: [any SoundEffect] = []
    if chain.pitch != 0 { stages.append(PitchShifter(cents: chain.pitch, format: format)) }
    if let reverberation = chain.reverberation, reverberation.mix > 0 {
      stages.append(try ReverberationProcessor(reverberation, format: format))
    }
    if chain.rate != 1 { stages.append(try SampleRateConverter(playing: format, atRate: chain.rate)) }
    if chain.equalizer.gain != 0 || chain.equalizer.bands.contains(where: \.isAudible) {
      stages.append(EqualizerProcessor(chain.equalizer, format: format))
    }
    self.init(stages, format: format)
  }

  /// Whether every sample comes out unchanged.
  package var isNeutral: Bool { stages.isEmpty }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 {
    stages.reduce(inputFrameCount) { $1.outputFrameCount(for: $0) }
  }

  package func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError) {
    guard let first = stages.first else {
      samples.withUnsafeBufferPointer { output.append(contentsOf: $0) }
      return
    }
    current.removeAll(keepingCapacity: true)
    if let bounded = Self.bounded(samples) {
      try first.process(bounded.span, into: &current)
    } else {
      try first.process(samples, into: &current)
    }
    try pass(through: stages.dropFirst())
    output.append(contentsOf: current)
  }

  package func finish(into output: inout [Float]) throws(EffectError) -> Bool {
    guard finishedCount < stages.count else { return false }
    current.removeAll(keepingCapacity: true)
    let goesOn = try stages[finishedCount].finish(into: &current)
    try pass(through: stages[(finishedCount + 1)...])
    output.append(contentsOf: current)
    if !goesOn { finishedCount += 1 }
    return finishedCount < stages.count
  }

  /// Limits samples to ``SoundLimits``: those of a damaged file of floats can be anything, and sums of them NaN, which
  /// would circulate in a reverberation for ever.
  ///
  /// - Returns: nil if all samples are within the limits.
  private static func bounded(_ samples: Span<Float>) -> [Float]? {
    guard samples.indices.contains(where: { abs(samples[$0]) > SoundLimits.greatest }) else { return nil }
    return samples.indices.map { min(max(samples[$0], -SoundLimits.greatest), SoundLimits.greatest) }
  }

  /// Sends `current` through the remaining stages.
  private func pass(through rest: ArraySlice<any SoundEffect>) throws(EffectError) {
    for stage in rest {
      following.removeAll(keepingCapacity: true)
      let samples = current
      try stage.process(samples.span, into: &following)
      swap(&current, &following)
    }
  }
}
