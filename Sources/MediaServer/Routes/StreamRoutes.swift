internal import AudioEncoding
internal import Base
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// Tracks as they sound through their presets, encoded while they are sent.
enum StreamRoutes {
  static let all = [
    Route(
      .get, "/tracks/{id}/stream", "The track as it sounds through its preset, encoded while it is sent.",
      [preset, format.description, bitRate.description, gain.description, from.description],
      answers: [.sound], stream)
  ]

  enum Format: String, CaseIterable, Sendable {
    case flac, opus, wav, vorbis, mp3, raw

    var kind: SoundFileKind { self == .vorbis ? .ogg : SoundFileKind(rawValue: rawValue) ?? .raw }

    var mediaType: String {
      switch self {
      case .flac: "audio/flac"
      case .opus: "audio/ogg; codecs=opus"
      case .wav: "audio/wav"
      case .vorbis: "audio/ogg; codecs=vorbis"
      case .mp3: "audio/mpeg"
      case .raw: MediaType.bytes.rawValue
      }
    }
  }

  /// ReplayGain: which loudness is brought to -18 LUFS.
  enum Gain: String, CaseIterable, Sendable {
    case off, track, album
  }

  private static let presetName = Parameter<String>.text(
    "preset", "the name of a preset, `assigned` for the one that applies to the track, or `none`")
  private static let preset = ParameterDescription(
    name: presetName.description.name, meaning: presetName.description.meaning,
    schema: .object(["type": "string", "default": "assigned"]))
  private static let format = Parameter<Format>.choice("format", "flac, opus, wav, vorbis, mp3 or raw")
  private static let bitRate = Parameter<Int64?>.optionalInteger(
    "bitrate", "in kbit/s: 6 to 510 for opus, 8 to 320 for mp3", 6...510)
  private static let gain = Parameter<Gain>.choice("gain", "off, track or album: ReplayGain to -18 LUFS")
  private static let from = Parameter<Double?>.number("from", "where to begin, in seconds of the track", 0...1e9)

  private static func stream(_ call: Call) throws -> Reply {
    let format = try call[format]
    var request = RenderRequest(kind: format.kind)
    request.lossy.bitRate = try bitRate(call, format)
    request.part.startInSeconds = try call[from]
    let (name, gain) = (try call[presetName], try call[gain])
    let track = try call.service.library.reading { store in
      let source = call.service.streamSource(of: try call.trackOrPart(in: store))
      request.gainInDB = try Self.gain(gain, of: source.track, in: store)
      let chain: EffectChain? =
        switch name {
        case "", "assigned": nil
        case "none": .neutral
        default: try store.preset(named: name).preset().chain
        }
      return try RenderedTrack(source, through: chain, in: store, withArtwork: false)
    }
    let isHead = call.request.isHead
    var settings = [format.rawValue, "\(request.lossy.bitRate ?? 0)", "\(request.part.startInSeconds ?? 0)"]
    settings.append(request.gainInDB.map { "\($0)" } ?? "")
    let tag = "\(track.revision)-\(settings.joined(separator: "-"))"
    return try call.tagged(tag) {
      try call.requireDecoder()
      let place = isHead ? nil : try call.service.streamPlace(for: call.request.client)
      let rendering = try TrackRenderer(request).prepare(track)
      var reply = try reply(of: rendering, place, call, tag)
      reply.headers += [
        ("Content-Type", format.mediaType), ("Accept-Ranges", rendering.byteCount == nil ? "none" : "bytes"),
        ("Deadwax-Sample-Rate", "\(rendering.format.sampleRateInHz)"),
        ("Deadwax-Channels", "\(rendering.format.channelCount)"), ("Deadwax-Total", "\(rendering.frameCount)"),
      ]
      return reply
    }
  }

  private static func bitRate(_ call: Call, _ format: Format) throws -> Int? {
    guard let rate = try call[bitRate] else { return nil }
    guard format == .opus || format == .mp3 && (8...320).contains(rate) else {
      throw Problem(422, "bitrate: \(bitRate.description.meaning)")
    }
    return Int(rate) * 1000
  }

  /// nil if nothing is known of the loudness; the track's own if its tags name no album.
  static func gain(_ gain: Gain, of track: TrackReference, in store: MediaStore) throws -> Double? {
    guard gain != .off else { return nil }
    if gain == .album, let file = track.fileDetails.first?.id,
      let album = try store.albumLoudness(ofFile: file)?.replayGainInDB
    {
      return album
    }
    return try store.measures(ofRecording: track.recordingID)?.replayGainInDB
  }

  static func reply(
    of rendering: TrackRendering, _ place: InFlightLimiter.Share?, _ call: Call, _ tag: String
  ) throws -> Reply {
    guard let byteCount = rendering.byteCount else {
      return Reply(sending: StreamedBody(byteCount: nil, place: place) { _ = try rendering.write($0) })
    }
    let isSame = call.request[header: "if-range"].map { $0 == "\"\(tag)\"" } ?? true
    let wanted = ByteRange.answer(to: isSame ? call.request[header: "range"] : nil, byteCount: byteCount)
    guard wanted != .unsatisfiable else { throw Problem.beyond(byteCount) }
    let range: Range<Int64>? = if case .part(let range) = wanted { range } else { nil }
    var reply = Reply(
      sending: StreamedBody(byteCount: byteCount, range: range, place: place) { _ = try rendering.write($0) })
    if let range { reply.makePartial(range, of: byteCount) }
    return reply
  }
}
