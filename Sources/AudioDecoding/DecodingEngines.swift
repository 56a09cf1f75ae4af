import MediaModel

/// Chooses the engine that decodes a file.
enum DecodingEngines {
  /// - Parameter layout: what ``StreamHasher`` found, if it has run.
  static func open(
    _ bytes: BufferedBytes, content: SniffedContent, layout known: StreamLayout?, verifiesChecksum: Bool
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
        bytes, range: layout.whole, stream: layout.frames, streamInfo: layout.streamInfo,
        channelMask: layout.channelMask, container: container, verifiesChecksum: verifiesChecksum)
    case .ogg(let stream):
      return try oggEngine(bytes, stream: stream, content: content, verifiesChecksum: verifiesChecksum)
    case .pcm(let layout): return try pcmEngine(bytes, layout: layout, container: container)
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
    case .mp4, .asf, .matroska:
      if content.codec == nil, content.name.hasPrefix("no ") {
        throw .unsupported(reason: "\(content.name) in \(container.displayName)")
      }
      throw .unsupported(reason: "no decoder for \(content.name) in \(container.displayName)")
    default: throw .unsupported(reason: "no decoder for \(content.name)")
    }
  }

  private static func oggEngine(
    _ bytes: BufferedBytes, stream: OggLayout, content: SniffedContent, verifiesChecksum: Bool
  ) throws(DecodingError) -> any DecodingEngine {
    guard let link = stream.links.first else {
      if content.name == "no intact page" {
        throw .damaged(Problem(code: "corrupt", reason: "no intact Ogg page"))
      }
      throw .unsupported(reason: "no audio stream in Ogg (\(stream.otherStreams.joined(separator: ", ")))")
    }
    switch link.codec {
    case .vorbis, .opus: return try OggDecoder(bytes, stream: stream)
    case .flac:
      return try FLACDecoder(
        bytes, range: link.range, stream: link.range,
        streamInfo: FLACStreamInfo(Array(link.identification.dropFirst(17))),
        channelMask: try ChannelMaskComment.channelMask(ofOgg: bytes), container: .ogg, oggLink: link,
        linkCount: stream.links.count, verifiesChecksum: verifiesChecksum)
    case .speex, .other:
      // libsndfile is usually built without Speex, and reports only an internal error.
      throw .unsupported(reason: "no decoder for \(link.codec.displayName) in Ogg")
    }
  }

  private static func pcmEngine(
    _ bytes: BufferedBytes, layout: PCMLayout, container: Container
  ) throws(DecodingError) -> any DecodingEngine {
    if layout.rawFormat != nil { return try SoundFileDecoder(bytes.file, layout: layout, container: container) }
    switch layout.codec {
    case .mp2, .mp3:
      guard let stream = try MPEGLayout.scan(bytes, range: layout.data) else {
        throw .empty(reason: "no audio frame in the data chunk")
      }
      return try MPEGDecoder(bytes, stream: stream, container: container)
    case .imaADPCM, .msADPCM, .gsm610, .alac:
      return try SoundFileDecoder(bytes.file, layout: layout, container: container)
    default:
      throw .unsupported(
        reason: "no decoder for \(layout.codec?.rawValue ?? layout.codecName) in \(container.displayName)")
    }
  }
}
