package import MediaModel

/// Sends samples through an equalizer, and from one setting to another without a click.
///
/// - Complexity: O(bands) a sample; allocates nothing but while the equalizer changes.
package final class EqualizerProcessor: SoundEffect {
  /// Coefficients move, and memories are looked at, where so many frames are full.
  static let framesPerStep = 64
  private static let moveInSeconds = 0.03

  package let format: AudioFormat
  private let sampleRate: Double
  private var move: CoefficientRamp
  private var wanted: Equalizer?
  private var channelPairs: [ChannelPair]
  /// Frames since the last full step.
  private var position = 0
  /// Whether this step leads to other coefficients.
  private var isMoving = false
  /// The factor at the start of the step, and by how much it grows with each frame.
  private var gain: Double
  private var gainDelta = 0.0

  package init(_ equalizer: Equalizer, format: AudioFormat) {
    self.format = format
    sampleRate = Double(format.sampleRateInHz)
    let stepCount = max(1, Int((Self.moveInSeconds * sampleRate / Double(Self.framesPerStep)).rounded(.up)))
    let sections = EqualizerSection.sections(of: equalizer, sampleRate: sampleRate)
    move = CoefficientRamp(sections, gain: equalizer.gain, stepCount: stepCount)
    gain = Decibels.amplitude(equalizer.gain)
    channelPairs = stride(from: 0, to: format.channelCount, by: 2).map {
      ChannelPair(first: $0, channelCount: format.channelCount, sections: sections)
    }
  }

  /// Begins to become another equalizer with the next full step; it takes 30 ms.
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
      move.setOut(
        for: EqualizerSection.sections(of: wanted, sampleRate: sampleRate), gain: wanted.gain)
    }
    isMoving = move.isMoving
    guard isMoving else { return }
    let now = move.sections
    gain = Decibels.amplitude(move.gain)
    move.advance()
    let next = move.sections
    gainDelta = (Decibels.amplitude(move.gain) - gain) / Double(Self.framesPerStep)
    for index in channelPairs.indices { channelPairs[index].move(from: now, to: next) }
  }

  private func endStep() {
    position = 0
    for index in channelPairs.indices { channelPairs[index].flush() }
    guard isMoving, !move.isMoving else { return }
    gainDelta = 0
    gain = Decibels.amplitude(move.gain)
    let silent = move.removeSilent()
    for index in channelPairs.indices { channelPairs[index].settle(at: move.sections, without: silent) }
  }
}
