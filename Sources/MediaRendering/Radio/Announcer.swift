internal import AudioAnalysis
internal import AudioEffects
package import AudioEncoding
internal import Base
internal import LibraryTracks
internal import MediaModel
package import Speech

/// Who speaks what before a track, and how loud.
package struct Announcer: Sendable {
  private let template: AnnouncementTemplate
  private let language: String
  private let speech: SpeechSynthesizer

  /// What is announced at least this much below full scale leaves room for a ducked track under it.
  private static let ceilingInDBTP = -3.0
  /// Of tracks whose loudness is unknown: the reference of ReplayGain 2.0.
  static let usualLoudness = -18.0
  private static let toleranceInLU = 0.2
  private static let attemptCount = 12
  private static let greatestCompensationInDB = 15.0

  /// - Parameters:
  ///   - language: As ISO 639-1, of texts in scripts of many languages whose files do not say theirs.
  /// - Throws: `SpeechError/missing`.
  package init(template: AnnouncementTemplate, language: String) throws(SpeechError) {
    self.template = template
    self.language = language
    speech = try SpeechSynthesizer()
  }

  /// What is spoken before a track; empty for nothing.
  package func runs(for track: RenderedTrack, previous: RenderedTrack? = nil, next: RenderedTrack? = nil) -> [SpokenRun]
  {
    template.runs(
      for: track.spokenTags, previous: previous?.spokenTags, next: next?.spokenTags, language: language)
  }

  /// The announcement as a sound file of one channel at 22.05 kHz, at the loudness of its track.
  ///
  /// - Returns: What replaces the first bytes; nil if there is nothing to say.
  package func write(_ track: RenderedTrack, as kind: SoundFileKind, _ append: ([UInt8]) throws -> Void) throws
    -> [UInt8]?
  {
    let format = AudioFormat(sampleRateInHz: kind.sampleRate(for: SpeechSynthesizer.sampleRateInHz), channelCount: 1)
    let samples = try voice(
      runs(for: track), loudness: track.measures?.integratedLoudnessInLUFS ?? Self.usualLoudness, format: format)
    guard !samples.isEmpty else { return nil }
    let encoder = try kind.makeEncoder(format, form: .int16, frameCount: Int64(samples.count))
    try append(try encoder.encode(samples.span))
    let (end, start) = try encoder.finish()
    try append(end)
    return start
  }

  /// How many frames ``voice(_:loudness:format:)`` gives.
  func frameCount(of runs: [SpokenRun], format: AudioFormat) throws -> Int64 {
    guard !runs.isEmpty else { return 0 }
    return Int64(try resampled(runs, format).count)
  }

  /// Interleaved samples in the first two channels of a format, at a loudness in LUFS if peaks allow it.
  func voice(_ runs: [SpokenRun], loudness target: Double, format: AudioFormat) throws -> [Float] {
    guard !runs.isEmpty else { return [] }
    let mono = try resampled(runs, format)
    let heard = min(2, format.channelCount)
    let samples = mono.flatMap { sample in
      (0..<format.channelCount).map { $0 < heard ? sample : 0 }
    }
    guard let loudness = Self.loudness(samples, format) else { return samples }
    var gain = target - loudness
    let highest = gain + Self.greatestCompensationInDB
    var result: [Float] = []
    for _ in 0..<Self.attemptCount {
      result = try Self.levelled(samples, gain, format)
      let missing = target - (Self.loudness(result, format) ?? target)
      if missing <= Self.toleranceInLU || gain >= highest { break }
      gain = min(highest, gain + missing)
    }
    return result
  }

  private func resampled(_ runs: [SpokenRun], _ format: AudioFormat) throws -> [Float] {
    let spoken = try speech.samples(of: runs)
    let own = AudioFormat(sampleRateInHz: SpeechSynthesizer.sampleRateInHz, channelCount: 1)
    guard format.sampleRateInHz != own.sampleRateInHz else { return spoken }
    return try Self.processed(spoken, by: [SampleRateConverter(own, toSampleRate: format.sampleRateInHz)], own)
  }

  private static func levelled(_ samples: [Float], _ gain: Double, _ format: AudioFormat) throws -> [Float] {
    try processed(
      samples,
      by: [Gain(decibels: gain, format: format), TruePeakLimiter(format: format, ceilingInDBTP: ceilingInDBTP)], format)
  }

  private static func processed(
    _ samples: [Float], by stages: [any SoundEffect], _ format: AudioFormat
  ) throws -> [Float] {
    let effects = EffectSequence(stages, format: format)
    var result: [Float] = []
    try effects.process(samples.span, into: &result)
    while try effects.finish(into: &result) {}
    return result
  }

  private static func loudness(_ samples: [Float], _ format: AudioFormat) -> Double? {
    var meter = LoudnessMeter(format: format)
    meter.consume(samples.span)
    return meter.finish().integratedLoudness
  }
}

extension RenderedTrack {
  /// The tags; without a title the name of the file stands for it.
  fileprivate var spokenTags: Tags {
    guard tags.tags["TITLE"].isEmpty, let name = source.track.files.first?.stem.displayString else { return tags.tags }
    return Tags(tags.tags.properties + [Tags.Property(name: "TITLE", values: [name])])
  }
}
