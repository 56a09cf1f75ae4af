internal import AudioEncoding
internal import Base
internal import DecodingService
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// Decoded sound: exact ranges of frames, and parts as files.
struct SoundRoutes {
  let library: LibraryAccess
  let decoders: TrackDecoders

  var routes: [Route] {
    [
      Route(
        .get, "/tracks/{id}/pcm", "Exact frames of the recording.",
        [start, count, format], answers: [.bytes, .flac], mayDecode: pcm),
      Route(
        .get, "/tracks/{id}/sound", "A part of the track as a sound file to save.",
        [startSeconds, endSeconds, kind], answers: [.sound], work: .decoding, sound),
    ]
  }

  enum SampleFormat: String, CaseIterable, Sendable {
    case s16, f32, flac
  }

  enum SoundFormat: String, CaseIterable, Sendable {
    case wav, flac
  }

  private let start = Parameter<Int64>.integer("start", "the first frame", 0...1 << 50, default: 0)
  private let count = Parameter<Int64>.integer(
    "count", "how many frames, at most 1048576", 1...1 << 20, default: 1 << 15)
  private let format = Parameter<SampleFormat>.choice("format", "s16, f32 or flac")
  private let startSeconds = Parameter<Double?>.number("start", "the start in seconds", 0...1e9)
  private let endSeconds = Parameter<Double?>.number("end", "the end in seconds", 0...1e9)
  private let kind = Parameter<SoundFormat>.choice("format", "wav or flac")

  /// The most bytes of samples in one answer.
  private let largestAnswer: Int64 = 8 << 20

  private func pcm(_ call: Call) throws -> Answer {
    let (start, count, format) = (try call[start], try call[count], try call[format])
    let known = try library.reading { try call.track(in: $0) }
    let source = decoders.source(of: known)
    let track = source.readableTrack
    guard let rate = track.format.sampleRateInHz, let channelCount = track.format.channelCount,
      let total = track.format.decodedFrameCount
    else { throw RenderingError.noRecording(nil) }
    guard count * Int64(channelCount) * byteCount(ofSampleIn: format) <= largestAnswer else {
      throw HTTPProblem(422, "count: the answer would have more than \(largestAnswer) bytes")
    }
    let frames = min(start, total)..<min(start + count, total)
    let tag = "\(track.hash)-\(total)-\(track.format.delayFrameCount ?? 0)-\(start)-\(count)-\(format.rawValue)"
    let answer = call.decoding(taggedWith: tag) {
      Reply(
        try samples(frames, as: format, of: source), type: format == .flac ? "audio/flac" : MediaType.bytes.rawValue)
    }
    return answer.map { reply in
      var reply = reply
      reply.headers += [
        ("Deadwax-Sample-Rate", "\(rate)"), ("Deadwax-Channels", "\(channelCount)"),
        ("Deadwax-Start", "\(frames.lowerBound)"), ("Deadwax-Count", "\(frames.count)"), ("Deadwax-Total", "\(total)"),
      ]
      reply.headers += source.damageHeaders
      return reply
    }
  }

  /// At most, on average: the header of a FLAC file takes little, and what cannot be compressed is stored as it is.
  private func byteCount(ofSampleIn format: SampleFormat) -> Int64 {
    switch format {
    case .s16: 2
    case .flac: 3
    case .f32: 4
    }
  }

  private func samples(
    _ frames: Range<Int64>, as format: SampleFormat, of source: RecordingSource
  ) throws -> [UInt8] {
    guard !frames.isEmpty else { return [] }
    let reader = try source.makeReader()
    let form: SampleForm =
      switch format {
      case .s16: .int16
      case .f32: .float32
      case .flac: SoundFileKind.flac.form(holding: source.track.format)
      }
    let kind: SoundFileKind = format == .flac ? .flac : .raw
    let encoder = try kind.makeEncoder(reader.format, form: form, frameCount: Int64(frames.count))
    var bytes: [UInt8] = []
    try reader.forEachPiece(of: frames) { bytes += try encoder.encode($0) }
    let (end, start) = try encoder.finish()
    bytes += end
    bytes.replaceSubrange(0..<min(start.count, bytes.count), with: start)
    return bytes
  }

  private func sound(_ call: Call) throws -> Reply {
    let part = TrackPart(startInSeconds: try call[startSeconds], endInSeconds: try call[endSeconds])
    let format = try call[kind]
    let track = try library.reading { try call.trackOrPart(in: $0) }
    let kind: SoundFileKind = format == .wav ? .wav : .flac
    let place = call.isHead ? nil : try decoders.streamPlace(for: call.client)
    let source = decoders.streamSource(of: track)
    let writer = try SegmentWriter(SegmentRequest(part: part, kind: kind), of: source)
    var reply = Reply(
      sending: StreamedBody(byteCount: writer.byteCount, place: place) { _ = try writer.write($0) })
    let stem = track.title ?? track.files.first?.stem.displayString ?? "track \(track.recordingID)"
    reply.headers += [
      ("Content-Type", format == .wav ? "audio/wav" : "audio/flac"), ("Cache-Control", "no-store"),
    ]
    reply.headers += source.damageHeaders
    reply.makeAttachment(named: "\(stem).\(format.rawValue)")
    return reply
  }
}
