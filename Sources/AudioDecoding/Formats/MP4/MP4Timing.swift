import MediaModel

extension PacketTrack {
  /// Of an MP4 file.
  init(_ samples: MP4Samples, form: PacketForm, notes: [String], bytes: BufferedBytes) throws(DecodingError) {
    try self.init(samples, container: .mp4, codec: form.codec, bytes: bytes)
    outputGain = form.outputGain
    let timing = MP4Timing(
      samples, sampleRateInHz: sampleRateInHz, coreRateInHz: form.codec.sampleRateInHz,
      frameCountPerPacket: frameCountPerPacket, delayFrameCount: form.delayFrameCount)
    skippedFrameCount = timing.delayFrameCount ?? 0
    frameCount = timing.frameCount
    delayFrameCount = timing.delayFrameCount.map { Int($0) }
    declaredFrameCount = timing.declaredFrameCount
    self.notes = notes + timing.notes
    if samples.isImpossible {
      ownProblem = Problem(code: "impossible-header", reason: "the sample tables describe more than the file contains")
    } else if let declared = declaredFrameCount, declared > frameCount {
      ownProblem = .truncated(
        frameCount: frameCount, declaredFrameCount: declared, sampleRateInHz: sampleRateInHz)
    } else if let problem = samples.fragmentProblem {
      let delay = Double(skippedFrameCount) / Double(max(1, sampleRateInHz))
      ownProblem = Problem(
        code: problem.code, reason: problem.reason,
        positionInSeconds: problem.positionInSeconds.map { max(0, $0 - delay) })
    }
  }
}

extension MP4Samples {
  /// Of frames of MPEG audio; nil if the file does not say it.
  func trimming(sampleRateInHz rate: Int, frameCountPerPacket: Int) -> Trimming? {
    let timing = MP4Timing(
      self, sampleRateInHz: rate, coreRateInHz: rate, frameCountPerPacket: Int64(frameCountPerPacket))
    guard packetCount == declaredPacketCount, let declared = timing.declaredFrameCount else { return nil }
    let delay = timing.delayFrameCount ?? 0
    let padding = packetCount * Int64(frameCountPerPacket) - delay - declared
    return delay > 0 || padding > 0 ? Trimming(skippedFrameCount: delay, droppedFrameCount: padding) : nil
  }
}

/// Which frames of the decode are the recording, by what the track says about its times.
struct MP4Timing {
  /// By which a decoder with spectral band replication is later than one of the core alone, in its own frames.
  private static let replicationDelay: Int64 = 962

  /// nil if the track does not say it.
  private(set) var delayFrameCount: Int64?
  /// Frames of the recording that are there, and those that the track promises.
  private(set) var frameCount: Int64
  private(set) var declaredFrameCount: Int64?
  private(set) var notes: [String] = []

  /// - Parameters:
  ///   - rate: of the decode.
  ///   - coreRate: the same, but for spectral band replication, which doubles it.
  ///   - frameCountPerPacket: frames of the decode that a packet gives; does not count if they state it themselves.
  ///   - codecDelay: what the codec itself says about its start, which counts more.
  init(
    _ samples: MP4Samples, sampleRateInHz rate: Int, coreRateInHz coreRate: Int, frameCountPerPacket: Int64,
    delayFrameCount codecDelay: Int? = nil
  ) {
    let track = samples.track
    let scale = Scale(frames: Int64(rate), ticks: max(1, track.timescale))
    let byTicks = scale.frames(samples.tickCount - samples.silentTickCount)
    let isWhole = samples.packetCount == samples.declaredPacketCount
    let present = samples.places?.end.firstFrame ?? samples.packetCount * frameCountPerPacket
    let whole = isWhole ? present : samples.places != nil ? byTicks : samples.declaredPacketCount * frameCountPerPacket
    let frameCountPerPacket = samples.places != nil ? Int64(OpusPacketDecoder.maximumFrameCount) : frameCountPerPacket
    // The last packet may be shorter than the others, nothing else.
    let isExact = scale.isExact && (whole - frameCountPerPacket + 1...max(1, whole)).contains(byTicks)
    var end = isExact ? byTicks : whole
    if !isExact, abs(byTicks - whole) >= frameCountPerPacket, samples.tickCount > 0 { notes.append("header-lies") }

    let edits = track.edits.filter { $0.mediaTime >= 0 }
    if edits.count > 1 || track.edits.count > edits.count { notes.append("edit-list") }
    if let edit = edits.first {
      let delay = min(end, codecDelay.map { Int64($0) } ?? scale.frames(edit.mediaTime - samples.silentTickCount))
      delayFrameCount = delay
      // The length of the edit counts ticks of the movie, which are mostly milliseconds: if the last packet says the end to
      // the frame, it counts only if it leaves out more than that packet, as of a recording that was trimmed.
      let movie = Scale(frames: Int64(rate), ticks: max(1, track.movieTimescale))
      let length = movie.frames(edit.duration)
      let tolerance = end == whole ? movie.frames(1) : max(movie.frames(1), frameCountPerPacket)
      if edits.count == 1, length > 0, end - delay - length > tolerance { end = delay + length }
    } else if let comment = track.gaplessComment {
      let sum = comment.delayFrameCount + comment.paddingFrameCount + comment.frameCount
      // It counts frames of the core or of the output.
      let factor = sum > 0 && whole.isMultiple(of: sum) ? whole / sum : 0
      if factor == 1 || factor == 2 {
        delayFrameCount = comment.delayFrameCount * factor
        end = (comment.delayFrameCount + comment.frameCount) * factor
      } else {
        notes.append("header-lies")
      }
    } else if let codecDelay {
      delayFrameCount = min(end, Int64(codecDelay))
    }
    // Ticks of the core show the convention of iTunes, whose numbers hold for players without the replication; others
    // have to add its delay (docs/decisions/0065).
    if let delay = delayFrameCount, rate == 2 * coreRate, track.timescale == coreRate {
      delayFrameCount = min(whole, delay + Self.replicationDelay)
      end = min(whole, end + Self.replicationDelay)
    }
    let declared = end - (delayFrameCount ?? 0)
    declaredFrameCount = declared
    frameCount = max(0, min(end, isWhole ? end : present) - (delayFrameCount ?? 0))
  }

  /// Turns ticks into frames.
  private struct Scale {
    let frames: Int64
    let ticks: Int64

    var isExact: Bool { frames.isMultiple(of: ticks) }

    /// The nearest frame; 0 for numbers without sense.
    func frames(_ count: Int64) -> Int64 {
      guard count > 0, count < 1 << 46 else { return 0 }
      let (high, low) = count.multipliedFullWidth(by: frames)
      guard high == 0, low < 1 << 63 else { return 0 }
      return (Int64(low) + ticks / 2) / ticks
    }
  }
}
