internal import AudioEffects
internal import AudioEncoding
internal import DecodingService
internal import LibraryTracks
package import MediaModel
package import MediaStore
internal import Speech

/// Writes tracks one after the other as one sound file, with announcements and cross-fades as ``RadioPlan`` places them.
///
/// Each track sounds as ``TrackRenderer`` writes it, at the sample rate of the first. Outside of fades and announcements its
/// samples are the same.
package struct RadioRenderer {
  /// A track that was measured, and its announcement.
  private struct Item {
    let track: RenderedTrack
    let level: RenderGain
    let runs: [SpokenRun]
    let voiceLoudness: Double
    let isUnchanged: Bool
  }

  package let plan: RadioPlan
  package let format: AudioFormat
  private let request: RenderRequest
  private let announcer: Announcer?
  private let items: [Item]
  private let form: SampleForm

  /// Opens each track, and speaks each announcement, to know how long they are.
  ///
  /// - Parameters:
  ///   - announcer: nil to announce nothing.
  ///   - transitions: Who decides how tracks lead to each other where nothing is said between them, from what a library
  ///     has stored of them; nil for the cross-fade.
  /// - Throws: ``RenderingError/differentChannels(_:_:)``, and what opening and speaking throw.
  package init(
    _ tracks: [RadioTrack], _ request: RenderRequest, announcer: Announcer?, crossfadeInSeconds: Double = 0,
    transitions: (planner: TransitionPlanner, store: MediaStore)? = nil
  ) throws {
    self.request = request
    self.announcer = announcer
    let formats = tracks.map(\.rendered.source.track.format)
    guard let rate = formats.first?.sampleRateInHz else { throw RenderingError.noRecording(nil) }
    let counts = Set(formats.compactMap(\.channelCount))
    let channelCount = counts.max() ?? 2
    if let other = counts.first(where: { $0 != channelCount && !($0 == 1 && channelCount == 2) }) {
      throw RenderingError.differentChannels(channelCount, other)
    }
    let format = AudioFormat(sampleRateInHz: request.kind.sampleRate(for: rate), channelCount: channelCount)
    self.format = format
    var items: [Item] = []
    var slots: [RadioPlan.Slot] = []
    var previous: SequencedTrack?
    for (index, track) in tracks.enumerated() {
      let isJoined = index > 0 && tracks[index - 1].isFollowed(by: track)
      let rendered = track.rendered
      let runs =
        isJoined
        ? []
        : announcer?.runs(
          for: rendered, previous: index > 0 ? tracks[index - 1].rendered : nil,
          next: index + 1 < tracks.count ? tracks[index + 1].rendered : nil) ?? []
      let recording = try Self.open(rendered, format)
      let isUnchanged = try recording.isUnchanged() && rendered.source.track.format.codec != .opus
      let stored = isUnchanged ? rendered.measures : nil
      let level = try RenderGain(
        recording, target: request.targetLoudness, peaks: request.peaks,
        ceilingInDBTP: request.kind.isLossy ? PeakProtection.ceilingOfLossyInDBTP : PeakProtection.ceilingInDBTP,
        stored: stored, hasNoEffects: try recording.hasNoEffects)
      var loudness = request.targetLoudness ?? stored?.integratedLoudnessInLUFS
      if loudness == nil, !runs.isEmpty { loudness = try recording.measured().loudness.map { $0 + level.gainInDB } }
      items.append(
        Item(
          track: rendered, level: level, runs: runs, voiceLoudness: loudness ?? Announcer.usualLoudness,
          isUnchanged: isUnchanged && level.gainInDB == 0))
      let frameCount = try recording.frameCount()
      var transition: RadioPlan.FrameTransition?
      if let (planner, store) = transitions {
        let sequenced = try track.sequenced(length: Double(frameCount) / Double(format.sampleRateInHz), from: store)
        if let previous, let last = slots.last {
          transition = RadioPlan.FrameTransition(
            previous.transition(to: sequenced, by: planner), afterFrames: last.frameCount,
            sampleRateInHz: format.sampleRateInHz)
        }
        previous = sequenced
      }
      slots.append(
        RadioPlan.Slot(
          frameCount: frameCount,
          voiceFrameCount: try announcer?.frameCount(of: runs, format: format) ?? 0,
          introFrameCount: Int64(track.introInSeconds * Double(format.sampleRateInHz)), joinsPrevious: isJoined,
          transition: transition))
    }
    self.items = items
    plan = RadioPlan(slots, sampleRateInHz: format.sampleRateInHz, crossfadeInSeconds: crossfadeInSeconds)
    let forms = formats.map { request.kind.form(holding: $0) }
    form = request.form ?? forms.max { $0.bytesPerSample < $1.bytesPerSample } ?? .int16
  }

  private static func open(_ track: RenderedTrack, _ format: AudioFormat) throws -> ProcessedRecording {
    ProcessedRecording(
      reader: try track.source.makeReader(), frames: try TrackPart().frames(of: track.source.readableTrack),
      chain: track.chain, sampleRateInHz: format.sampleRateInHz)
  }

  /// Passes on the bytes of the sound file, from the first to the last.
  ///
  /// - Returns: What was cut, and what replaces the first bytes; empty if they stay.
  package func write(_ append: ([UInt8]) throws -> Void) throws -> (report: RenderReport, start: [UInt8]) {
    let encoder = try request.kind.makeEncoder(format, form: form, frameCount: plan.frameCount, lossy: request.lossy)
    let dither = dither
    var bus = MixBus(format, limitsOverlaps: request.peaks != .keep)
    for index in items.indices { bus.overlap(plan.overlap(before: index)) }
    func pass(upTo frame: Int64) throws {
      var samples = bus.take(upTo: frame)
      if let dither {
        var dithered: [Float] = []
        dither.process(samples.span, into: &dithered)
        samples = dithered
      }
      if !samples.isEmpty { try append(try encoder.encode(samples.span)) }
    }
    for (index, item) in items.enumerated() {
      let entry = plan.entries[index]
      if let voice = entry.voice, let announcer {
        let samples = try announcer.voice(item.runs, loudness: item.voiceLoudness, format: format)
        bus.add(samples.span, at: voice.lowerBound)
      }
      let end = index + 1 < items.count ? plan.entries[index + 1].start : plan.frameCount
      var position = entry.frames.lowerBound - entry.skippedFrameCount
      let recording = try Self.open(item.track, format)
      let own = try recording.format()
      try recording.forEachBlock(through: item.level.stages(own).stages) { block in
        // What is skipped or cut is decoded, because effects before it may ring.
        bus.add(block, ofChannels: own.channelCount, at: position, in: entry)
        position += Int64(block.count / own.channelCount)
        try pass(upTo: min(position, end))
      }
    }
    try pass(upTo: plan.frameCount)
    let (end, start) = try encoder.finish()
    try append(end)
    var report = RenderReport()
    report.clippedSampleCount = encoder.clippedSampleCount
    return (report, start)
  }

  /// One for the whole programme, if any of its tracks is not written as it was decoded.
  private var dither: Dither? {
    guard request.dithers, !request.kind.isLossy, let bits = form.integerBits, !items.allSatisfy(\.isUnchanged) else {
      return nil
    }
    return Dither(bits: bits, format: format)
  }
}
