internal import AudioEffects
internal import AudioEncoding
internal import Base
internal import MediaModel

/// How a track sounds: what may change while it is heard.
struct SoundSettings: Hashable, Sendable {
  var equalizer = Equalizer.flat
  /// ReplayGain, behind the equalizer.
  var gainInDB = 0.0
  /// The factor at the end, `0...1`.
  var volume = 1.0

  init(equalizer: Equalizer = .flat, gainInDB: Double = 0, volume: Double = 1) {
    self.equalizer = equalizer
    self.gainInDB = gainInDB
    self.volume = volume
  }
}

/// The way of one track from its decoded samples to those of a sink.
///
/// Pitch, reverberation, rate, equalizer, gain, limiter: these are the effects of `render`, and without conversion and
/// volume the samples are those that it writes. The limiter works if an effect or a gain can raise peaks, as there. Then
/// come the rate and the channels of the sink, and the volume. After what sounds together was summed there is dither, if the
/// sink holds fewer bits than there are.
final class OutputChain {
  private let sequence: EffectSequence
  private let equalizer: EqualizerProcessor
  private let gain: SmoothGain
  private let limiter: SwitchedLimiter
  private let volume: SmoothGain
  private let dither: SwitchedDither?
  private let hasOtherEffects: Bool
  /// Whether each sample reaches the sink as it was decoded, but for what may change.
  private let keepsSamples: Bool

  /// - Parameters:
  ///   - chain: Its equalizer does not count, but that of the settings.
  ///   - form: What the sink takes.
  ///   - own: What holds everything that the track has.
  init(
    _ input: AudioFormat, through chain: EffectChain, _ settings: SoundSettings, to sink: AudioFormat,
    form: SampleForm, own: SampleForm
  ) throws {
    let others = try EffectChain(pitch: chain.pitch, reverberation: chain.reverberation, rate: chain.rate)
    let effects = try EffectSequence(others, format: input)
    hasOtherEffects = !effects.isNeutral
    equalizer = EqualizerProcessor(settings.equalizer, format: effects.format)
    gain = SmoothGain(factor: Decibels.amplitude(settings.gainInDB), format: effects.format)
    limiter = SwitchedLimiter(isOn: hasOtherEffects || settings.shapesSound, format: effects.format)
    var stages: [any SoundEffect] = [effects, equalizer, gain, limiter]
    var format = effects.format
    if format.sampleRateInHz != sink.sampleRateInHz {
      let converter = try SampleRateConverter(format, toSampleRate: sink.sampleRateInHz)
      stages.append(converter)
      format = converter.format
    }
    if format.channelCount != sink.channelCount {
      let mix = ChannelMix(format, toChannelCount: sink.channelCount)
      stages.append(mix)
      format = mix.format
    }
    volume = SmoothGain(factor: settings.volume, format: format)
    stages.append(volume)
    keepsSamples =
      stages.count == 5 && !hasOtherEffects && form.bytesPerSample >= own.bytesPerSample
    dither = form.integerBits.map { [keepsSamples] bits in
      SwitchedDither(bits: bits, isOn: !keepsSamples || !settings.keepsSamples, format: format)
    }
    sequence = EffectSequence(stages, format: input)
  }

  var format: AudioFormat { sequence.format }

  func update(_ settings: SoundSettings) {
    equalizer.update(settings.equalizer)
    gain.update(factor: Decibels.amplitude(settings.gainInDB))
    limiter.update(isOn: hasOtherEffects || settings.shapesSound)
    volume.update(factor: settings.volume)
    dither?.update(isOn: !keepsSamples || !settings.keepsSamples)
  }

  func outputFrameCount(for inputFrameCount: Int64) -> Int64 { sequence.outputFrameCount(for: inputFrameCount) }

  func process(_ samples: Span<Float>, into output: inout [Float]) throws {
    try sequence.process(samples, into: &output)
  }

  /// Whether dither is on.
  var isDithered: Bool { dither?.isOn ?? false }

  /// Samples for the sink, of this track or of a sum.
  func dithered(_ samples: [Float]) -> [Float] {
    guard let dither, dither.isOn else { return samples }
    var dithered: [Float] = []
    dither.process(samples.span, into: &dithered)
    return dithered
  }

  /// Appends what is left, at the end of the track.
  func finish(into output: inout [Float]) throws {
    while try sequence.finish(into: &output) {}
  }
}

extension SoundSettings {
  /// Whether peaks may be higher than before.
  fileprivate var shapesSound: Bool {
    equalizer.gain != 0 || equalizer.bands.contains(where: \.isAudible)
  }

  /// Whether every bit is kept.
  fileprivate var keepsSamples: Bool { !shapesSound && gainInDB == 0 && volume == 1 }
}

extension SampleForm {
  /// nil for floats.
  var integerBits: Int? {
    switch self {
    case .int16: 16
    case .int24: 24
    case .float32: nil
    }
  }
}
