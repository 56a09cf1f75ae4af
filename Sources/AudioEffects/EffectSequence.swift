package import MediaModel

/// Effects one after the other.
package final class EffectSequence: SoundEffect {
  package let format: AudioFormat
  private let stages: [any SoundEffect]
  /// What goes from one stage to the next, in turns.
  private var current: [Float] = []
  private var following: [Float] = []
  /// Of `stages`, from the first: those that gave their rest.
  private var finishedCount = 0

  /// - Parameter format: Of what goes into the first stage; each takes the format that the one before it gives.
  package init(_ stages: [any SoundEffect], format: AudioFormat) {
    self.stages = stages.filter { ($0 as? EffectSequence)?.isNeutral != true }
    self.format = stages.last?.format ?? format
  }

  /// What a chain says: pitch, reverberation, rate, equalizer, as far as they change anything.
  package convenience init(_ chain: EffectChain, format: AudioFormat) throws(EffectError) {
    var stages: [any SoundEffect] = []
    if chain.pitch != 0 { stages.append(try PitchShifter(cents: chain.pitch, format: format)) }
    if let reverberation = chain.reverberation, reverberation.mix > 0 {
      stages.append(try ReverberationProcessor(reverberation, format: format))
    }
    if chain.rate != 1 { stages.append(try SampleRateConverter(playing: format, atRate: chain.rate)) }
    if chain.equalizer.gain != 0 || chain.equalizer.bands.contains(where: \.isAudible) {
      stages.append(EqualizerProcessor(chain.equalizer, format: format))
    }
    self.init(stages, format: format)
  }

  /// Whether every sample comes out as it went in.
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

  /// Samples of a damaged file of floats can be anything, and sums of them what is no number; such a value would go
  /// round in a room for ever.
  ///
  /// - Returns: nil for what lies within the bounds.
  private static func bounded(_ samples: Span<Float>) -> [Float]? {
    guard samples.indices.contains(where: { abs(samples[$0]) > SoundLimits.greatest }) else { return nil }
    return samples.indices.map { min(max(samples[$0], -SoundLimits.greatest), SoundLimits.greatest) }
  }

  /// Sends `current` through the rest of the stages.
  private func pass(through rest: ArraySlice<any SoundEffect>) throws(EffectError) {
    for stage in rest {
      following.removeAll(keepingCapacity: true)
      let samples = current
      try stage.process(samples.span, into: &following)
      swap(&current, &following)
    }
  }
}
