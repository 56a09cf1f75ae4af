internal import AudioEffects
internal import AudioEncoding
internal import DecodingService
internal import LibraryTracks
package import MediaModel

/// A track whose recording is open, and which can be written once: what is known of the sound file before, and its bytes.
package struct TrackRendering {
  /// Of the sound file.
  package let format: AudioFormat
  package let frameCount: Int64

  private let track: RenderedTrack
  private let request: RenderRequest
  private let recording: ProcessedRecording
  private let level: RenderGain
  private let stages: [any SoundEffect]
  private let limiter: TruePeakLimiter?
  private let encoder: any SoundEncoder

  init(of track: RenderedTrack, _ request: RenderRequest) throws {
    self.track = track
    self.request = request
    let recorded = track.source.track.format
    let frames = try request.part.frames(of: track.source.readableTrack)
    recording = ProcessedRecording(
      reader: try track.source.makeReader(), frames: frames, chain: track.chain,
      sampleRateInHz: recorded.sampleRateInHz.map(request.kind.sampleRate),
      largestChannelCount: request.largestChannelCount)
    let isUnchanged = try recording.isUnchanged()
    let format = try recording.format()
    self.format = format
    frameCount = try recording.frameCount()
    let isWhole = Int64(frames.count) == recorded.decodedFrameCount
    // The gain in the header of an Opus file is not part of its identity: the library may have measured another gain.
    let isAsMeasured = isUnchanged && isWhole && recorded.codec != .opus
    level = try RenderGain(
      recording, fixed: request.gainInDB, target: request.targetLoudness, peaks: request.peaks,
      ceilingInDBTP: request.kind.isLossy ? PeakProtection.ceilingOfLossyInDBTP : PeakProtection.ceilingInDBTP,
      stored: isAsMeasured ? track.measures : nil, hasNoEffects: try recording.hasNoEffects)

    let (levelling, limiter) = level.stages(format)
    self.limiter = limiter
    let own = request.kind.form(holding: recorded)
    let form = request.form ?? own
    let isExact = isUnchanged && level.gainInDB == 0 && form.bytesPerSample >= own.bytesPerSample
    let needsDither = request.dithers && !isExact && !request.kind.isLossy
    let bits = needsDither ? form.integerBits : nil
    stages = levelling + (bits.map { [Dither(bits: $0, format: format)] } ?? [])

    var lossy = request.lossy
    lossy.sourceRateInHz = recorded.sampleRateInHz
    encoder = try request.kind.makeEncoder(format, form: form, frameCount: frameCount, tags: track.tags, lossy: lossy)
  }

  /// Of the sound file; nil if that depends on the samples.
  package var byteCount: Int64? { encoder.byteCount }

  /// Passes on the bytes of the sound file, from the first to the last; call this once.
  ///
  /// - Returns: What was done, and what replaces the first bytes; empty if they stay.
  package func write(_ append: ([UInt8]) throws -> Void) throws -> (report: RenderReport, start: [UInt8]) {
    try recording.forEachBlock(through: stages) { try append(try encoder.encode($0)) }
    let (end, start) = try encoder.finish()
    try append(end)
    return (report, start)
  }

  private var report: RenderReport {
    var report = RenderReport()
    report.gainInDB = level.gainInDB
    report.greatestReductionInDB = limiter?.greatestReductionInDB
    report.shortfallInLU = level.shortfallInLU
    report.clippedSampleCount = encoder.clippedSampleCount
    report.hasNoLoudness = request.targetLoudness != nil && level.loudness == nil
    let limit =
      Double(track.source.track.format.sampleRateInHz ?? format.sampleRateInHz) * BiquadCoefficients.highestFrequency
    report.movedBandCount = track.chain.equalizer.bands.count { $0.isAudible && $0.frequency > limit }
    if !request.kind.keepsLoudspeakers(of: format) { report.channelCountWithOtherLoudspeakers = format.channelCount }
    report.omitsArtwork = !track.tags.artwork.allSatisfy(request.kind.holds)
    return report
  }
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

extension RenderRequest {
  /// A recording with more channels is mixed to stereo.
  fileprivate var largestChannelCount: Int {
    switch downmix {
    case .never: .max
    case .ifNeeded: kind.largestChannelCount
    case .always: 2
    }
  }
}
