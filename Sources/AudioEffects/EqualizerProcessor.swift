internal import Base
package import MediaModel

/// Filters samples through an equalizer, and changes from one equalizer to another without a click.
///
/// - Complexity: O(bands) per sample; allocates only while the equalizer changes.
package final class EqualizerProcessor: SoundEffect {
  /// The length of a step: coefficients get a new ramp, and small filter states are set to zero, once per step.
  static let framesPerStep = 64
  private static let rampInSeconds = 0.03

  package let format: AudioFormat
  private let sampleRate: Double
  private var ramp: CoefficientRamp
  private var wanted: Equalizer?
  private var channelPairs: [ChannelPair]
  /// Frames since the last full step.
  private var position = 0
  /// Whether coefficients change during this step.
  private var isMoving = false
  /// The factor at the start of the step, and its increment per frame.
  private var gain: Double
  private var gainDelta = 0.0

  package init(_ equalizer: Equalizer, format: AudioFormat) {
    self.format = format
    sampleRate = Double(format.sampleRateInHz)
    let stepCount = max(1, Int((Self.rampInSeconds * sampleRate / Double(Self.framesPerStep)).rounded(.up)))
    let sections = EqualizerSection.sections(of: equalizer, sampleRate: sampleRate)
    ramp = CoefficientRamp(sections, gain: equalizer.gain, stepCount: stepCount)
    gain = Decibels.amplitude(equalizer.gain)
    channelPairs = stride(from: 0, to: format.channelCount, by: 2).map {
      ChannelPair(first: $0, channelCount: format.channelCount, sections: sections)
    }
  }

  /// Starts the change to another equalizer at the next step; the change takes 30 ms.
  package func update(_ equalizer: Equalizer) { wanted = equalizer }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    let start = output.count
    samples.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    output.withUnsafeMutableBufferPointer { process(UnsafeMutableBufferPointer(rebasing: $0[start...])) }
  }

  package func finish(into output: inout [Float]) -> Bool { false }

  /// In place.
  private func process(_ samples: UnsafeMutableBufferPointer<Float>) {
    let channelCount = format.channelCount
    var frame = 0
    let frameCount = samples.count / channelCount
    while frame < frameCount {
      if position == 0 { beginStep() }
      let count = min(Self.framesPerStep - position, frameCount - frame)
      for index in channelPairs.indices {
        channelPairs[index].process(
          samples.baseAddress.map { $0 + frame * channelCount }, frameCount: count, gain: gain, gainDelta: gainDelta,
          framesIntoStep: position)
      }
      position += count
      frame += count
      if position == Self.framesPerStep { endStep() }
    }
  }

  private func beginStep() {
    if let wanted {
      self.wanted = nil
      ramp.start(to: EqualizerSection.sections(of: wanted, sampleRate: sampleRate), gain: wanted.gain)
    }
    isMoving = ramp.isMoving
    guard isMoving else { return }
    let now = ramp.sections
    gain = Decibels.amplitude(ramp.gain)
    ramp.advance()
    let next = ramp.sections
    gainDelta = (Decibels.amplitude(ramp.gain) - gain) / Double(Self.framesPerStep)
    for index in channelPairs.indices { channelPairs[index].startRamp(from: now, to: next) }
  }

  private func endStep() {
    position = 0
    for index in channelPairs.indices { channelPairs[index].flush() }
    guard isMoving, !ramp.isMoving else { return }
    gainDelta = 0
    gain = Decibels.amplitude(ramp.gain)
    let silent = ramp.removeSilent()
    for index in channelPairs.indices { channelPairs[index].settle(at: ramp.sections, without: silent) }
  }
}
