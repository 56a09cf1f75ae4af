import MediaModel

/// What a decode finds out besides the samples.
struct DecodingOptions {
  /// Compare the checksum in the file's header.
  var verifiesChecksum = false
  /// Hash the samples of lossless codecs.
  var hashesSamples = false
}

/// Chooses the engine that decodes a file.
enum DecodingEngines {
  /// - Parameter layout: what ``StreamIdentifier`` found, if it has run.
  static func open(
    _ bytes: BufferedBytes, content: SniffedContent, layout known: StreamLayout?, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    switch content.kind {
    case .empty: throw .empty(reason: "0 bytes")
    case .other: throw .notAudio(what: content.name)
    case .audio: break
    }
    guard let container = content.container else { throw .notAudio(what: content.name) }
    if content.isProtected { throw .unsupported(reason: "\(content.name) in \(container.displayName) is encrypted") }
    let layout: StreamLayout
    if let known { layout = known } else { layout = try StreamLayout.find(bytes, content: content) }
    switch layout {
    case .mpeg(let stream):
      return try MPEGDecoder(bytes, stream: stream, container: container)
    case .flac(let layout):
      return try FLACDecoder(
        bytes, head: layout.head, range: layout.head.isEmpty ? layout.whole : layout.frames,
        byteCount: layout.frames.upperBound - layout.frames.lowerBound,
        streamInfo: layout.streamInfo,
        channelMask: layout.channelMask, container: container, options: options)
    case .ogg(let stream):
      return try oggEngine(bytes, stream: stream, content: content, options: options)
    case .pcm(let layout): return try pcmEngine(bytes, layout: layout, container: container, options: options)
    case .packets(let track): return try PacketTrackDecoder(bytes, track: track, options: options)
    case .musepack(let layout): return try MusepackDecoder(bytes, layout: layout)
    case .dsd(let layout): return try DSDDecoder(bytes, layout: layout, options: options)
    case .demuxed(let layout): return try DemuxedDecoder(bytes, layout: layout, options: options)
    case .module: return try ModuleDecoder(bytes, codec: content.codec)
    case .joined(let track):
      let engine = try open(track.bytes, content: content, layout: track.layout, options: options)
      return JoinedTrackDecoder(engine, track: track)
    case .none: break
    }
    switch container {
    case .mpeg:
      if [MPEGLayout.incompleteFrame, MPEGLayout.incompleteTag].contains(content.name) {
        throw .damaged(Problem(code: "truncated", reason: content.name))
      }
      throw .empty(reason: content.codec == nil ? content.name : "no audio frame in the \(content.name) stream")
    case .wav, .rf64, .w64, .aiff, .caf, .au:
      // The layout was not found: another try gives the reason.
      _ = try PCMLayout.find(container, bytes)
      throw .unsupported(reason: "no decoder for \(container.displayName)")
    case .adts, .wavpack, .ac3, .eac3, .dts:
      _ = try BareFrames.syntax(content, bytes, range: TagBounds(bytes).audio)
      throw .unsupported(reason: "no decoder for \(content.name)")
    case .trueAudio:
      _ = try TTAFrames(bytes, range: TagBounds(bytes).audio)
      throw .unsupported(reason: "no decoder for \(content.name)")
    case .mp4, .asf, .matroska:
      // What stands in the way of the packets of a codec that has a decoder.
      if container == .mp4 { _ = try MP4Layout(bytes).track?.description.form }
      if container == .matroska { _ = try MatroskaLayout(bytes, start: TagBounds.start(of: bytes)).track?.form }
      if content.codec == nil, content.name.hasPrefix("no ") {
        throw .unsupported(reason: "\(content.name) in \(container.displayName)")
      }
      throw .unsupported(reason: "no decoder for \(content.name) in \(container.displayName)")
    case .dsf, .dsdiff:
      _ = try DSDLayout(bytes, container: container)
      throw .unsupported(reason: "no decoder for \(content.name)")
    case .musepack:
      // The layout was not found: another try gives the reason.
      _ = try MusepackLayout(bytes, range: TagBounds(bytes).audio)
      throw .unsupported(reason: "no decoder for \(content.name)")
    default: throw .unsupported(reason: "no decoder for \(content.name)")
    }
  }

  private static func oggEngine(
    _ bytes: BufferedBytes, stream: OggLayout, content: SniffedContent, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    guard let link = stream.links.first else {
      if content.name == "no intact page" {
        throw .damaged(Problem(code: "corrupt", reason: "no intact Ogg page"))
      }
      throw .unsupported(reason: "no audio stream in Ogg (\(stream.otherStreams.joined(separator: ", ")))")
    }
    switch link.codec {
    case .vorbis, .opus, .speex: return try OggDecoder(bytes, stream: stream)
    case .flac:
      return try FLACDecoder(
        bytes, range: link.range, byteCount: link.byteCount,
        streamInfo: FLACStreamInfo(Array(link.identification.dropFirst(17))),
        channelMask: try ChannelMaskComment.channelMask(ofOgg: bytes), container: .ogg, oggLink: link,
        ownProblem: stream.ownProblem, notes: stream.notes, isChained: stream.links.count > 1, options: options)
    case .other:
      throw .unsupported(reason: "no decoder for \(link.codec.displayName) in Ogg")
    }
  }

  private static func pcmEngine(
    _ bytes: BufferedBytes, layout: PCMLayout, container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    if layout.isMPEG {
      guard let stream = layout.mpeg else { throw .empty(reason: "no audio frame in the data chunk") }
      return try MPEGDecoder(bytes, stream: stream, container: container)
    }
    if let track = layout.packets { return try PacketTrackDecoder(bytes, track: track, options: options) }
    guard layout.isDecodable else {
      // What stands in the way of packets.
      _ = try layout.packetTable?.form
      throw .unsupported(
        reason: "no decoder for \(layout.codec?.rawValue ?? layout.codecName) in \(container.displayName)")
    }
    return try SoundFileDecoder(bytes.file, layout: layout, container: container, options: options)
  }
}
