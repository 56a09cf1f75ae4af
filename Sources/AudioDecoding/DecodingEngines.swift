import MediaModel

/// Chooses the engine that decodes a file.
enum DecodingEngines {
  /// - Parameter layout: what ``PayloadHasher`` found on its way, if it has been there.
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
        bytes, range: layout.stream, payload: layout.frames, streamInfo: layout.streamInfo,
        channelMask: layout.channelMask, container: container,
        verifiesChecksum: verifiesChecksum)
    case .ogg(let stream):
      return try oggEngine(bytes, stream: stream, content: content, verifiesChecksum: verifiesChecksum)
    case .pcm(let layout): return try pcmEngine(bytes, layout: layout, container: container)
    case .none: break
    }
    switch container {
    case .mpeg:
      if [MPEGStream.incompleteFrame, MPEGStream.incompleteTag].contains(content.name) {
        throw .damaged(Problem(code: "truncated", reason: content.name))
      }
      throw .empty(reason: content.codec == nil ? content.name : "no audio frame in the \(content.name) stream")
    case .wav, .rf64, .w64, .aiff, .caf, .au:
      // The layout could not be made: making it again gives the reason.
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
    _ bytes: BufferedBytes, stream: OggStream, content: SniffedContent, verifiesChecksum: Bool
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
      let info = link.identification.withUnsafeBytes {
        FLACStreamInfo(UnsafeRawBufferPointer(rebasing: $0.dropFirst(17)))
      }
      return try FLACDecoder(
        bytes, range: link.range, payload: link.range, streamInfo: info,
        channelMask: try ChannelMaskComment.channelMask(ofOgg: bytes), container: .ogg, oggLink: link,
        linkCount: stream.links.count, verifiesChecksum: verifiesChecksum)
    case .speex, .other:
      // libsndfile is built without Speex where this runs, and would only report an internal error.
      throw .unsupported(reason: "no decoder for \(link.codec.displayName) in Ogg")
    }
  }

  private static func pcmEngine(
    _ bytes: BufferedBytes, layout: PCMLayout, container: Container
  ) throws(DecodingError) -> any DecodingEngine {
    if layout.rawFormat != nil { return try SoundFileDecoder(bytes.file, layout: layout, container: container) }
    switch layout.codec {
    case .mp2, .mp3:
      guard let stream = try MPEGStream.scan(bytes, range: layout.data) else {
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

extension Container {
  /// As people write it.
  var displayName: String {
    switch self {
    case .matroska: "Matroska"
    case .ogg: "Ogg"
    case .musepack: "Musepack"
    case .wavpack: "WavPack"
    default: rawValue.uppercased()
    }
  }
}
