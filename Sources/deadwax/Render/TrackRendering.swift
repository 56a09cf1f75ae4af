internal import AudioDecoding
internal import AudioEffects
internal import Foundation
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// One track on its way through its effects into a sound file.
struct TrackRendering {
  let options: RenderSoundOptions
  let kind: SoundFileKind

  /// What is known of a track before it is decoded.
  struct Source {
    let track: TrackReference
    let chain: EffectChain
    let measures: Measures?
    let tags: SoundTags
  }

  /// What was done, in words for people.
  struct Report {
    var lines: [String] = []
    /// Worth a word even without --verbose.
    var warnings: [String] = []
  }

  /// Hands on the bytes of the sound file, from the first to the last.
  ///
  /// - Returns: What was done, and what takes the place of the first bytes.
  func write(
    _ source: Source, cache: SegmentCache, _ append: ([UInt8]) throws -> Void
  ) throws -> (report: Report, start: [UInt8]) {
    guard let frames = try options.part.frames(of: source.track) else {
      throw TrackFailure.nothingInRange(source.track.files.first)
    }
    let sound = RenderedSound(
      reader: try source.track.makeReader(cache: cache), frames: frames,
      chain: source.chain, sampleRateInHz: kind == .opus ? 48_000 : nil)
    let (format, isUnchanged) = (try sound.format(), try sound.isUnchanged())
    let isWhole = Int64(frames.count) == source.track.format.decodedFrameCount
    // The gain in the header of an Opus file is no part of its identity: the library may know the sound with another one.
    let isAsMeasured = isUnchanged && isWhole && source.track.format.codec != .opus
    let level = try RenderLevel(
      sound, target: try options.targetLoudness, peaks: options.peaks,
      ceilingInDBTP: isLossy ? PeakProtection.ceilingOfLossyInDBTP : PeakProtection.ceilingInDBTP,
      stored: isAsMeasured ? source.measures : nil, hasNoEffects: try sound.hasNoEffects)

    let (levelling, limiter) = level.stages(format)
    var stages = levelling
    let form = form(of: source.track)
    let holding = SampleForm(holding: source.track.format)
    let isExact = isUnchanged && level.gainInDB == 0 && form.bytesPerSample >= holding.bytesPerSample
    if options.dither, !isExact, let bits = form.integerBits, !isLossy {
      stages.append(Dither(bits: bits, format: format))
    }

    var lossy = try options.lossy
    lossy.sourceRateInHz = source.track.format.sampleRateInHz
    let encoder = try kind.makeEncoder(
      format, form: form, frameCount: try sound.frameCount(), tags: source.tags, lossy: lossy)
    try sound.forEachBlock(through: stages) { try append(try encoder.encode($0)) }
    let (end, start) = try encoder.finish()
    try append(end)
    var report = report(level, limiter, clippedSampleCount: encoder.clippedSampleCount)
    let limit =
      Double(source.track.format.sampleRateInHz ?? format.sampleRateInHz) * BiquadCoefficients.highestFrequency
    let unheard = source.chain.equalizer.bands.count { $0.isAudible && $0.frequency > limit }
    if unheard > 0 {
      report.warnings.append("\(NumberText.count(unheard, "band")) above half the sample rate moved to it")
    }
    if !kind.keepsLoudspeakers(of: format) {
      report.warnings.append("\(kind.rawValue) has other loudspeakers for \(format.channelCount) channels")
    }
    if !source.tags.artwork.allSatisfy(kind.holds) {
      report.warnings.append("a picture of 16 MiB or more does not fit into \(kind.rawValue)")
    }
    return (report, start)
  }

  private func report(_ level: RenderLevel, _ limiter: TruePeakLimiter?, clippedSampleCount: Int) -> Report {
    var report = Report()
    func decibels(_ value: Double) -> String { DecimalText.number(value, places: 1) }
    if level.gainInDB != 0 { report.lines.append("gain \(decibels(level.gainInDB)) dB") }
    if let limiter {
      report.lines.append("limiter: at most \(decibels(limiter.greatestReductionInDB)) dB less")
    }
    if let shortfall = level.shortfallInLU {
      report.warnings.append("\(decibels(shortfall)) LU quieter than asked for, because its peaks are limited")
    }
    if clippedSampleCount > 0 {
      report.warnings.append("\(NumberText.count(clippedSampleCount, "sample")) beyond full scale cut to it")
    }
    if options.normalize != nil, level.loudness == nil {
      report.warnings.append("too short or too quiet to have a loudness, so not normalized")
    }
    return report
  }

  private var isLossy: Bool { kind == .ogg || kind == .opus }

  private func form(of track: TrackReference) -> SampleForm {
    if let bits = options.bits { return bits.form }
    let form = SampleForm(holding: track.format)
    // Of what a lossy codec gives, 24 bits are more than enough; a recording of floats may lie beyond full scale.
    let isLossless = track.format.codec?.isLossless ?? false
    return form == .float32 && !(isLossless && kind == .wav) ? .int24 : form
  }
}

extension SampleForm {
  /// nil for floats.
  fileprivate var integerBits: Int? {
    switch self {
    case .int16: 16
    case .int24: 24
    case .float32: nil
    }
  }
}
