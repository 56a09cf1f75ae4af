internal import AudioEncoding
internal import Base
internal import HTTPServing
internal import LibraryServing
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import UserData

/// Tracks as they sound through their presets, encoded while they are sent.
struct StreamRoutes {
  let library: LibraryAccess
  let decoders: TrackDecoders

  var routes: [Route] {
    [
      Route(
        .get, "/tracks/{id}/stream", "The track as it sounds through its preset, encoded on the fly.",
        [preset, format, bitRate, gain, from], answers: [.sound], mayDecode: stream)
    ]
  }

  private let preset = Parameter<String>.text(
    "preset", "the name of a preset, `assigned` for the one that applies to the track, or `none`", default: "assigned")
  private let format = Parameter<StreamFormat>.choice("format", "flac, opus, wav, vorbis, mp3 or raw")
  private let bitRate = Parameter<Int64?>.optionalInteger(
    "bitrate", "in kbit/s: 6 to 510 for opus, 8 to 320 for mp3", 6...510)
  private let gain = Parameter<ReplayGain>.choice("gain", "off, track or album: ReplayGain to -18 LUFS")
  private let from = Parameter<Double?>.number("from", "start position in the track, in seconds", 0...1e9)

  private func stream(_ call: Call) throws -> Answer {
    let format = try call[format]
    var request = RenderRequest(kind: format.kind)
    request.lossy.bitRate = try bitRate(call, format)
    request.part.startInSeconds = try call[from]
    let (name, gain) = (try call[preset], try call[gain])
    let track = try library.reading { store in
      let source = decoders.streamSource(of: try call.trackOrPart(in: store))
      request.gainInDB = try gain.gainInDB(of: source.track, in: store)
      let chain: EffectChain? =
        switch name {
        case "", "assigned": nil
        case "none": .neutral
        default: try store.presets.preset(named: name).preset().chain
        }
      return try RenderedTrack(source, through: chain, in: store, withArtwork: false)
    }
    var settings = [format.rawValue, "\(request.lossy.bitRate ?? 0)", "\(request.part.startInSeconds ?? 0)"]
    settings.append(request.gainInDB.map { "\($0)" } ?? "")
    let tag = "\(track.revision)-\(settings.joined(separator: "-"))"
    let stream = TrackStream(track, as: format, request, decoders)
    return call.decoding(taggedWith: tag) {
      try stream.reply(to: call, taggedWith: tag) { rendering in
        [
          ("Deadwax-Sample-Rate", "\(rendering.format.sampleRateInHz)"),
          ("Deadwax-Channels", "\(rendering.format.channelCount)"), ("Deadwax-Total", "\(rendering.frameCount)"),
        ]
      }
    }
  }

  private func bitRate(_ call: Call, _ format: StreamFormat) throws -> Int? {
    guard let rate = try call[bitRate] else { return nil }
    guard format == .opus || format == .mp3 && (8...320).contains(rate) else {
      throw HTTPProblem(422, "bitrate: \(bitRate.description.meaning)")
    }
    return Int(rate) * 1000
  }
}
