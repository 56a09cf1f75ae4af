package import MediaModel

/// The effects of a preset on sound that is being heard: all of them may change at any time, without a click.
///
/// The samples are those that ``EffectSequence`` and ``TruePeakLimiter`` give for the same preset, late by
/// ``latencyFrameCount``. Pitch and rate come before, in ``LiveSpeed``, because they change how many frames there are.
/// Only changes of settings allocate memory.
package final class LiveChain {
  /// What is heard, but for the equalizer, which changes by itself.
  private struct Settings: Equatable {
    var reverberation: Reverberation?
    /// The rate of the sound that goes into the room; 1 without one.
    var rate = 1.0
    var gainInDB = 0.0
  }

  /// The longest block of one call of ``process(_:)``.
  package static let maximumFrameCount = 1024
  private static let fadeInSeconds = 0.03

  package let format: AudioFormat
  /// By how many frames the output is behind the input: what the limiter looks ahead.
  package let latencyFrameCount: Int
  private var equalizer: Equalizer
  private var settings = Settings()
  private var stages: LiveStages
  /// The stages before the last change, as long as they are faded out; those after the next one wait until then.
  private var former: LiveStages?
  private var waiting: LiveStages?
  private let fadeFrameCount: Int
  private var fadedFrameCount = 0

  /// - Parameter equalizer: the first one, without a transition to it.
  package init(format: AudioFormat, equalizer: Equalizer = .flat) {
    self.format = format
    self.equalizer = equalizer
    latencyFrameCount = TruePeakLimiter(format: format).latencyFrameCount
    fadeFrameCount = max(1, Int(Self.fadeInSeconds * Double(format.sampleRateInHz)))
    stages = LiveStages(format: format, equalizer: equalizer)
  }

  /// Moves to another equalizer in 30 ms.
  package func update(_ equalizer: Equalizer) {
    self.equalizer = equalizer
    stages.equalizer.update(equalizer)
    former?.equalizer.update(equalizer)
    waiting?.equalizer.update(equalizer)
  }

  /// Fades over to other reverberation, or none, in 30 ms. Its tail is cut off.
  ///
  /// - Parameter rate: of what goes into the room. A preset changes the rate behind the room; the same is heard if a
  ///   room that is as many times faster comes after it.
  /// - Throws: `EffectError` for more channels than a room takes.
  package func update(_ reverberation: Reverberation?, ofSoundAtRate rate: Double = 1) throws(EffectError) {
    let rate = reverberation == nil ? 1 : rate
    guard reverberation != settings.reverberation || rate != settings.rate else { return }
    (settings.reverberation, settings.rate) = (reverberation, rate)
    try replaceStages()
  }

  /// Fades over to another gain behind the equalizer, such as that of ReplayGain, in 30 ms.
  package func update(gainInDB: Double) throws(EffectError) {
    guard gainInDB != settings.gainInDB else { return }
    settings.gainInDB = gainInDB
    try replaceStages()
  }

  private func replaceStages() throws(EffectError) {
    let next = try makeStages()
    if former == nil { change(to: next) } else { waiting = next }
  }

  private func change(to next: LiveStages) {
    former = stages
    stages = next
    fadedFrameCount = 0
  }

  private func makeStages() throws(EffectError) -> LiveStages {
    try LiveStages(
      format: format, equalizer: equalizer, reverberation: settings.reverberation, rate: settings.rate,
      gainInDB: settings.gainInDB)
  }

  /// Forgets the sound so far, at a jump to another place.
  package func reset() throws(EffectError) {
    stages = try makeStages()
    (former, waiting) = (nil, nil)
  }

  /// Replaces the samples by those of ``latencyFrameCount`` frames before.
  ///
  /// - Parameter samples: at most ``maximumFrameCount`` whole frames.
  package func process(_ samples: UnsafeMutableBufferPointer<Float>) {
    guard former != nil else { return stages.process(samples) }
    fade(samples)
    fadedFrameCount += samples.count / format.channelCount
    guard fadedFrameCount >= fadeFrameCount + latencyFrameCount else { return }
    former = nil
    guard let next = waiting else { return }
    waiting = nil
    change(to: next)
  }

  /// From the former stages to the new ones, which first give the silence before their first frame.
  private func fade(_ samples: UnsafeMutableBufferPointer<Float>) {
    former?.processCopy(of: samples)
    stages.process(samples)
    guard let old = former?.result else { return }
    let channelCount = format.channelCount
    for frame in 0..<samples.count / channelCount {
      let place = fadedFrameCount + frame - latencyFrameCount
      let part = Float(min(max(Double(place) / Double(fadeFrameCount), 0), 1))
      for index in frame * channelCount..<(frame + 1) * channelCount {
        samples[index] = old[index] + (samples[index] - old[index]) * part
      }
    }
  }
}

/// The effects between two changes.
private struct LiveStages {
  let equalizer: EqualizerProcessor
  private let reverberation: ReverberationProcessor?
  private let gain: Gain?
  private let limiter: TruePeakLimiter
  private var current: [Float]
  private var following: [Float]
  /// What the limiter has given and nobody has got; silence at first.
  private var pending: [Float]
  /// Of ``processCopy(of:)``.
  private(set) var result: [Float]

  init(format: AudioFormat, equalizer: Equalizer) {
    self.init(format: format, equalizer: equalizer, room: nil, gainInDB: 0)
  }

  init(
    format: AudioFormat, equalizer: Equalizer, reverberation: Reverberation?, rate: Double, gainInDB: Double
  ) throws(EffectError) {
    var room: ReverberationProcessor?
    if let reverberation, reverberation.mix > 0 {
      var faster = format
      faster.sampleRateInHz = Int((Double(format.sampleRateInHz) / rate).rounded())
      room = try ReverberationProcessor(reverberation, format: faster)
    }
    self.init(format: format, equalizer: equalizer, room: room, gainInDB: gainInDB)
  }

  private init(format: AudioFormat, equalizer: Equalizer, room: ReverberationProcessor?, gainInDB: Double) {
    self.equalizer = EqualizerProcessor(equalizer, format: format)
    reverberation = room
    gain = gainInDB == 0 ? nil : Gain(decibels: gainInDB, format: format)
    limiter = TruePeakLimiter(format: format)
    let latency = limiter.latencyFrameCount * format.channelCount
    let capacity = LiveChain.maximumFrameCount * format.channelCount
    current = []
    following = []
    result = []
    pending = [Float](repeating: 0, count: latency)
    current.reserveCapacity(capacity)
    following.reserveCapacity(capacity)
    result.reserveCapacity(capacity)
    pending.reserveCapacity(latency + capacity)
  }

  mutating func process(_ samples: UnsafeMutableBufferPointer<Float>) {
    run(UnsafeBufferPointer(samples))
    for index in samples.indices { samples[index] = pending[index] }
    pending.removeFirst(samples.count)
  }

  mutating func processCopy(of samples: UnsafeMutableBufferPointer<Float>) {
    run(UnsafeBufferPointer(samples))
    result.removeAll(keepingCapacity: true)
    result.append(contentsOf: pending[..<samples.count])
    pending.removeFirst(samples.count)
  }

  private mutating func run(_ samples: UnsafeBufferPointer<Float>) {
    current.removeAll(keepingCapacity: true)
    if let reverberation {
      reverberation.process(samples.span, into: &current)
      pass { [equalizer] in equalizer.process($0, into: &$1) }
    } else {
      equalizer.process(samples.span, into: &current)
    }
    if let gain { pass { gain.process($0, into: &$1) } }
    let samples = current
    limiter.process(samples.span, into: &pending)
  }

  private mutating func pass(through process: (Span<Float>, inout [Float]) -> Void) {
    following.removeAll(keepingCapacity: true)
    let samples = current
    process(samples.span, &following)
    swap(&current, &following)
  }
}
