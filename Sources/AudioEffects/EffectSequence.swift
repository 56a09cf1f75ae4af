package import MediaModel

/// Effects one after the other.
package final class EffectSequence: SoundEffect {
  package let format: AudioFormat
  private let stages: [any SoundEffect]
  /// What goes from one stage to the next, in turns.
  private var current: [Float] = []
  private var following: [Float] = []

  /// - Parameter format: Of what goes into the first stage; each takes the format that the one before it gives.
  package init(_ stages: [any SoundEffect], format: AudioFormat) {
    self.stages = stages
    self.format = stages.last?.format ?? format
  }

  /// What a chain says: pitch, reverberation, rate, equalizer, as far as they change anything.
  package convenience init(_ chain: EffectChain, format: AudioFormat) throws(EffectError) {
    var stages: [any SoundEffect] = []
    if chain.pitch != 0 { stages.append(try PitchShifter(cents: chain.pitch, format: format)) }
    if let reverberation = chain.reverberation, reverberation.mix > 0 {
      stages.append(ReverberationProcessor(reverberation, format: format))
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
    try first.process(samples, into: &current)
    try pass(through: stages.dropFirst())
    output.append(contentsOf: current)
  }

  package func finish(into output: inout [Float]) throws(EffectError) {
    for index in stages.indices {
      current.removeAll(keepingCapacity: true)
      try stages[index].finish(into: &current)
      try pass(through: stages[(index + 1)...])
      output.append(contentsOf: current)
    }
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
